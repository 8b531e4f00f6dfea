import type { Database } from 'better-sqlite3'
import { MainEvents } from '../../src-main/core/events'
import { createEvents } from '../../src-main/ipc/handlers'
import { type Log, silentLog } from '../../src-main/core/log'

/** The events of a part that is tested alone: the real ones, which no page hears. */
export const eventsOf = (
  db: Pick<Database, 'inTransaction'> = { inTransaction: false },
  log: Pick<Log, 'error'> = silentLog,
): MainEvents => new MainEvents(db, createEvents(), log)
