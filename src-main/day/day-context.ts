import type { sleep } from '../core/async'
import type { ServiceClock } from '../core/clock'
import type { RoomContext } from '../core/context'
import type { Lookup } from '../memory/lookup'
import type { ItemSource } from '../outbox/evidence'
import type { Outbox } from '../outbox/outbox'
import type { Connection } from '../service/connection'
import type { Catalogue } from './pos-known'

/** What the parts of the day work with. The last three are what a test replaces. */
export interface DayContext extends RoomContext {
  client: ItemSource['client']
  connection: Pick<Connection, 'isAnswering'>
  lookup: Pick<Lookup, 'cached' | 'tag'>
  outbox: Outbox
  serviceClock: Pick<ServiceClock, 'offset'>
  catalogue: Catalogue
  sleep?: typeof sleep
  /** [0, 1), for the jitter. */
  random?: () => number
  /** Lets other work run. */
  pause?: () => Promise<unknown>
}
