import type { Pages } from '../../sqlite-pages/pages'
import { type Tables, readTables } from '../../sqlite-pages/tables'
import { emptyDatabase } from '../schema'

/** What can be read of a database with the schema of a version. */
export function tablesIn(pages: Pages, version: number): Tables {
  const [empty, first] = [emptyDatabase(version), emptyDatabase(1)]
  try {
    return readTables(pages, { empty, first })
  } finally {
    empty.close()
    first.close()
  }
}
