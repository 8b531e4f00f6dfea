import type { ClientCredentials } from '../../src-main/credentials/store'
import type { StartTraining } from '../../src-main/practice/handlers'

export interface OutsidePractice {
  baseUrl: string
  authUrl: string
  adminUrl: string
  account: ClientCredentials
  /** The account that may change case contents, if any. */
  sourcing?: ClientCredentials
  /** The account's dispensary. */
  dispensary: { uuid: string; name: string }
}

/** A practice service started outside the station, which keeps running when the station ends. */
export const outsidePractice =
  ({ baseUrl, authUrl, adminUrl, account, sourcing, dispensary }: OutsidePractice): StartTraining =>
  () =>
    Promise.resolve({
      profile: {
        kind: 'practice',
        name: dispensary.name,
        baseUrl,
        authUrls: { retail: authUrl, ...(sourcing && { sourcing: authUrl }) },
        dispensaryId: dispensary.uuid,
        sendsSku: true,
        caFile: null,
      },
      accounts: { retail: account, ...(sourcing && { sourcing }) },
      codes: () => [],
      authUrl,
      adminUrl,
      fault: () => 'none',
      setFault: () => Promise.resolve(),
      close: () => Promise.resolve(),
    })
