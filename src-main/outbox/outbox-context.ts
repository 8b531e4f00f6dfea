import type { TagId } from '../../src-shared/ids'
import type { ServiceClock } from '../core/clock'
import type { RoomContext } from '../core/context'
import type { StationClock } from '../core/station-clock'
import type { AtStep } from '../core/steps'
import type { CaseOf } from './payload'

/** What the outbox is made from. */
export interface OutboxContext extends RoomContext {
  serviceClock: ServiceClock
  caseOf: CaseOf
  /** The name of an item's product, if it is known; none if omitted. */
  productOf?: (tagId: TagId) => string | null
  /** Corrects times by a wrong clock; if omitted, no time is corrected. */
  stationClock?: StationClock
  /** [0, 1), for the jitter of retries. */
  random?: () => number
  atStep?: AtStep
}
