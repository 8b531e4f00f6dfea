import type { ProfileForm } from '../../../../src-shared/ipc/contract/station'

/** A connection form, with the given changes. */
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
