import type { Database } from 'better-sqlite3'
import type { Clock } from './clock'
import type { MainEvents } from './events'
import type { Log } from './log'

/** What every room works with; each adds its own. */
export interface RoomContext {
  db: Database
  events: MainEvents
  clock: Clock
  log: Log
}
