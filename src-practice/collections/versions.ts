import { wireUuid } from '../../src-shared/service/wire-ids'

/** What differs between the versions of a change: where it is served, and how it writes the ids that it names. */
export interface Version {
  prefix: string
  wireId: (id: string) => string
}

export const v12: Version = { prefix: '/api/v1.2', wireId: (id) => id }
export const v15: Version = { prefix: '/api/v1.5', wireId: wireUuid }
