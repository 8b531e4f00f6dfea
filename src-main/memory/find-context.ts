import type { ServiceClock } from '../core/clock'
import type { RoomContext } from '../core/context'
import type { Verdicts } from '../counter/verdicts'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import type { KnownCodes } from '../scanner/known-codes'
import type { Asking } from './find/asking'
import type { ReadCase } from './lookup'
import type { Memory } from './store'

/** What things are searched and shown with. */
export interface FindContext extends RoomContext {
  asking: Asking
  seen: Memory
  codes: Pick<KnownCodes, 'known'>
  lookup: { readCase: ReadCase }
  outbox: Outbox
  reporting: Pick<Reporting, 'view'>
  /** Whether an item can be sold. */
  verdicts: Pick<Verdicts, 'before' | 'byAnswer' | 'complete'>
  serviceClock: Pick<ServiceClock, 'offset'>
}
