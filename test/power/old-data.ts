import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { schemaVersion } from '../../src-main/database/migrations'
import { practiceId } from '../../src-shared/ipc/contract/station'

/** Versions whose data the traced station finds. Version 1 is missing here: its data is in the working station's own folder. */
export const olderVersions = Array.from({ length: schemaVersion - 2 }, (_, n) => n + 2)
export const folderOfVersion = (version: number) => join(`version-${version}`, practiceId)
export const databaseIn = (folder: string) => join(folder, 'countertag.db')

/** Writes the data; each database was closed cleanly. */
export function writeOldData(dataDir: string, schemas: string): void {
  writeOne(1, join(dataDir, practiceId), schemas)
  for (const version of olderVersions) writeOne(version, join(dataDir, folderOfVersion(version)), schemas)
}

function writeOne(version: number, folder: string, schemas: string): void {
  mkdirSync(folder, { recursive: true })
  const db = new Sqlite(databaseIn(folder))
  db.pragma('journal_mode = WAL')
  db.pragma('foreign_keys = OFF')
  db.exec(releasedData(version, schemas))
  db.close()
}

/** The fixtures' ids are made for reading and aren't valid: the station would refuse to show the cart. */
function releasedData(version: number, schemas: string): string {
  const sql = readFileSync(join(schemas, `${String(version).padStart(3, '0')}.sql`), 'utf8')
  return sql.replaceAll(/fixture\d{15}/g, (name) => name.replaceAll('0', 'A').replaceAll('1', 'B'))
}
