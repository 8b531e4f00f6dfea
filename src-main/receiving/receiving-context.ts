import type { LimitFunction } from 'p-limit'
import type { ServiceClock } from '../core/clock'
import type { RoomContext } from '../core/context'
import type { AtStep } from '../core/steps'
import type { Profile } from '../credentials/profile'
import type { Settings } from '../database/settings'
import type { Hub } from '../hub/port'
import type { Lookup } from '../memory/lookup'
import type { Memory } from '../memory/store'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import type { Sender } from '../outbox/sender'
import type { DeliveryRows } from './delivery/delivery-rows'
import type { UnreadCases } from './delivery/unread-cases'

/** What every room of receiving works with; each adds its own. */
export interface ReceivingContext extends RoomContext {
  settings: Settings
  profile: Pick<Profile, 'name' | 'dispensaryId'>
  hub: Hub
  /** Certificates expire by the service's clock. */
  serviceClock: Pick<ServiceClock, 'offset'>
  seen: Memory
  lookup: Lookup
  outbox: Outbox
  reporting: Pick<Reporting, 'view' | 'report'>
  sender: Pick<Sender, 'wake'>
  deliveries: DeliveryRows
  unread: UnreadCases
  /** Shared with everything else that reads many cases. */
  limit: LimitFunction
  atStep: AtStep
}
