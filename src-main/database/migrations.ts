import type { Database } from 'better-sqlite3'
import { outbox } from './migrations/001-outbox'
import { dueReports } from './migrations/002-due-reports'
import { scans } from './migrations/003-scans'
import { deliveries } from './migrations/004-deliveries'
import { openOrders } from './migrations/005-open-orders'
import { erasure } from './migrations/006-erasure'
import { foundThings } from './migrations/007-found-things'
import { daysReadBack } from './migrations/008-days-read-back'
import { memory } from './migrations/009-memory'
import { storeHub } from './migrations/010-store-hub'
import { recordsPosShelf } from './migrations/011-records-pos-shelf'
import { countRounds } from './migrations/012-count-rounds'
import { signedToo } from './migrations/013-signed-too'
import { takenBack } from './migrations/014-taken-back'
import { sharing } from './migrations/015-sharing'
import { people } from './migrations/016-people'

/**
 * Numbered and never edited once released: a schema change is a new entry at the end. Each migration runs in its own
 * transaction, and `PRAGMA user_version` counts them. One that SQL can't say is a function.
 */
const migrations: readonly (string | ((db: Database) => void))[] = [
  outbox,
  dueReports,
  scans,
  deliveries,
  openOrders,
  erasure,
  foundThings,
  daysReadBack,
  memory,
  storeHub,
  recordsPosShelf,
  countRounds,
  signedToo,
  takenBack,
  sharing,
  people,
]

export const schemaVersion = migrations.length

/**
 * Migrates a database to the newest schema, or up to an earlier version. Throws if the database is from a newer
 * Countertag.
 */
export function migrate(db: Database, to = schemaVersion): void {
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version > schemaVersion) throw new Error(`schema ${version} is newer than ${schemaVersion}`)
  for (const [index, step] of migrations.slice(0, to).entries()) {
    if (index < version) continue
    db.transaction(() => {
      if (typeof step === 'string') db.exec(step)
      else step(db)
      db.pragma(`user_version = ${index + 1}`)
    }).immediate()
  }
}
