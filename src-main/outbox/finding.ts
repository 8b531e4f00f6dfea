import type { AppError } from '../../src-shared/errors'
import type { Shown } from '../../src-shared/ipc/operation-view'
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
 * What "it is done already" means when the service says it of a report: `accepted` a lost attempt of ours did it,
 * `rejected` another station did, `unsettled` nothing shows which.
 */
export type IfAlready = 'accepted' | 'rejected' | 'unsettled'

/** What was found: an outcome, or what was shown instead and that the report must be sent (again). */
export type Finding = { kind: 'decided'; outcome: Outcome } | { kind: 'resend'; ifAlready: IfAlready; shown: Shown }

export const found: Finding = { kind: 'decided', outcome: { kind: 'accepted', note: 'found-by-reading' } }
/** Reading shows that the lost attempt was not taken. */
export const notTaken = (shown: Shown): Finding => ({ kind: 'resend', ifAlready: 'rejected', shown })
/** Reading can't tell, and "already" can only speak of ours. */
export const unclear = (shown: Shown): Finding => ({ kind: 'resend', ifAlready: 'accepted', shown })
/** Reading can't tell, and "already" may speak of another station's report. */
export const undecided = (shown: Shown): Finding => ({ kind: 'resend', ifAlready: 'unsettled', shown })

export const stillUnknown = (reason: AppError): Finding => ({
  kind: 'decided',
  outcome: { kind: 'unknown', reason, afterMs: null },
})
