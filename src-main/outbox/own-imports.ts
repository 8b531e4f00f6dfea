import type { Operation } from './operation'
import type { Outbox } from './outbox'
import { caseKey } from './payload'

/** The imports of this station that the service certainly took. */
export interface OwnImports {
  /** Whether one of the same packaged product of the same case, under the same package, came before this one. */
  hasEarlier(operation: Operation): boolean
}

export function createOwnImports(read: Pick<Outbox['read'], 'byKey'>): OwnImports {
  return {
    hasEarlier({ seq, payload }) {
      if (payload?.kind !== 'import') return false
      const { caseId, packagedProductId, packageUid } = payload
      return read.byKey(caseKey(caseId)).some(({ seq: at, state, note, payload: other }) => {
        if (at >= seq || state !== 'accepted' || note === 'confirmed' || other?.kind !== 'import') return false
        return other.packagedProductId === packagedProductId && other.packageUid === packageUid
      })
    },
  }
}
