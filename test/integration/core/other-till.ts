import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { inMemoryCredentials } from '../../../src-main/credentials/store'
import { originsOf } from '../../../src-main/credentials/profile'
import { createServiceClient } from '../../../src-main/service/client'
import { createHttp } from '../../../src-main/service/http'
import { createTokens } from '../../../src-main/service/tokens'
import type { ReportPath } from '../../../src-main/service/v12'
import type { ImportForm } from '../../../src-shared/ipc/contract/receiving'
import type { Station } from './station'

/** Accounts of the practice store: of our own dispensary, and of its sister store in the same company. */
const accounts = {
  'own store': { clientId: 'practice-newark', clientSecret: 'practice-newark-secret' },
  'sister store': { clientId: 'practice-hoboken', clientSecret: 'practice-hoboken-secret' },
}

/** Another till that reports directly to the same service, unknown to the station. Throws if the service refuses. */
export function otherTill(of: Pick<Station, 'practice'>, store: keyof typeof accounts = 'own store') {
  const { baseUrl } = of.practice
  const profile = {
    kind: 'practice',
    name: store,
    baseUrl,
    authUrls: { retail: `${baseUrl}/auth` },
    dispensaryId: null,
    sendsSku: true,
    caFile: null,
  } as const
  const report = async (path: ReportPath, body: object) => {
    const http = createHttp({
      origins: originsOf(profile),
      clockOrigin: baseUrl,
      clock: systemClock,
      serviceClock: createServiceClock(),
    })
    const credentials = inMemoryCredentials({ retail: accounts[store] })
    const tokens = createTokens({ profile, credentials, http, clock: systemClock })
    const { v12 } = createServiceClient(profile, { http, tokens })
    const reply = await v12.report(path, body)
    await http.close()
    if (reply.kind !== 'answer' || reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply)}`)
  }
  const now = () => new Date().toISOString()
  return {
    sell: (orderId: string, items: string[]) =>
      report('transactions/complete/', { performed_at: now(), order_id: orderId, items }),
    giveBack: (orderId: string, items: string[]) =>
      report('transactions/return/', { performed_at: now(), order_id: orderId, items }),
    void: (orderId: string) => report('transactions/void/', { performed_at: now(), order_id: orderId }),
    import: ({ caseId, packagedProductId, packageUid, posProductId, posInventoryId }: Named<ImportForm>) =>
      report('caseids/import/', {
        case_uuid: caseId,
        packaged_product_uuid: packagedProductId,
        package_uid: packageUid,
        pos_product_id: posProductId,
        pos_inventory_id: posInventoryId,
      }),
    removeImport: ({ caseId, packagedProductId, packageUid }: Named<ImportForm>) =>
      report('caseids/import/remove/', {
        case_uuid: caseId,
        packaged_product_uuid: packagedProductId,
        package_uid: packageUid,
      }),
  }
}

/** The same keys, with any string as a value. */
type Named<T> = { [Name in keyof T]: string | T[Name] }
