import type { AppError } from '../../src-shared/errors'
import type { V12Client } from '../service-client/v12'
import type { Outcome } from './outcome'
import type { OwnImports } from './own-imports'
import type { ItemSource } from './read-items'
import type { Sales } from './sales'

/** What reconciling asks: the service, where an item was last seen, what we sold, and who we are. */
export interface ReconcileParts extends ItemSource {
  client: ItemSource['client'] & Pick<V12Client, 'packageUids'>
  sales: Sales
  imports: OwnImports
  /** Our own dispensary in the service; null when unknown. */
  ownDispensaryId: string | null
}

/**
 * What was found: an outcome, or that the report must be sent (again). `wasTaken` is false when the reading shows that the
 * lost attempt was not taken, so that "already processed" now speaks of somebody else.
 */
export type Finding = { kind: 'decided'; outcome: Outcome } | { kind: 'resend'; wasTaken: false | 'unclear' }

export const found: Finding = { kind: 'decided', outcome: { kind: 'accepted', note: 'found-by-reading' } }
export const notTaken: Finding = { kind: 'resend', wasTaken: false }
export const unclear: Finding = { kind: 'resend', wasTaken: 'unclear' }

export const stillUnknown = (reason: AppError): Finding => ({
  kind: 'decided',
  outcome: { kind: 'unknown', reason, afterMs: null },
})
