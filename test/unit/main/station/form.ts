import type { ProfileForm } from '../../../../src-shared/ipc/contract/station'

/** A connection as a person enters it, with what a test wants different. */
export const form = (different: Partial<ProfileForm> = {}): ProfileForm => ({
  kind: 'test',
  name: 'Green Door',
  baseUrl: 'https://service.test',
  retailAuthUrl: 'https://auth.test/retail',
  sourcingAuthUrl: null,
  dispensaryId: null,
  sendsSku: true,
  caFile: null,
  ...different,
})
