import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { type PracticeService, startPracticeService } from '../../src-practice/start'
import { openStore } from '../../src-practice/store/open'
import { storeData } from './store'

/** The service's accepted reports, in order. */
const Entry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['complete', 'void', 'return']),
    orderId: z.string(),
    tagIds: z.array(z.string()),
    performedAt: z.string(),
  }),
  z.object({
    kind: z.enum(['import', 'import-removal']),
    caseId: z.string(),
    packagedProductId: z.string(),
    posInventoryId: z.string(),
  }),
  /** An item was added to a case, or removed from it. */
  z.object({ kind: z.enum(['in', 'out']), caseId: z.string(), tagId: z.string() }),
])
export type Entry = z.infer<typeof Entry>

/** The service's own lists forget an undone import; these triggers record it in the same commit. */
const bookkeeping = `
  CREATE TABLE book (entry INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL) STRICT;
  CREATE TRIGGER book_transaction AFTER INSERT ON transactions BEGIN
    INSERT INTO book (body) VALUES (json_object('kind', new.kind, 'orderId', new.order_id, 'tagIds', json(new.items),
      'performedAt', new.performed_at));
  END;
  CREATE TRIGGER book_import AFTER INSERT ON imports BEGIN
    INSERT INTO book (body) VALUES (json_object('kind', 'import', 'caseId', new.case_uuid,
      'packagedProductId', new.packaged_product_uuid, 'posInventoryId', new.pos_inventory_id));
  END;
  CREATE TRIGGER book_removal AFTER DELETE ON imports BEGIN
    INSERT INTO book (body) VALUES (json_object('kind', 'import-removal', 'caseId', old.case_uuid,
      'packagedProductId', old.packaged_product_uuid, 'posInventoryId', old.pos_inventory_id));
  END;
  CREATE TRIGGER book_member AFTER INSERT ON memberships
    WHEN (SELECT collection_type FROM collections WHERE uuid = new.collection_uuid) = 'case' BEGIN
    INSERT INTO book (body) VALUES (json_object('kind', 'in', 'caseId', new.collection_uuid, 'tagId', new.tag_uuid));
  END;
  CREATE TRIGGER book_move AFTER UPDATE OF removed_on ON memberships
    WHEN (old.removed_on IS NULL) <> (new.removed_on IS NULL)
      AND (SELECT collection_type FROM collections WHERE uuid = new.collection_uuid) = 'case' BEGIN
    INSERT INTO book (body) VALUES (json_object('kind', iif(new.removed_on IS NULL, 'in', 'out'),
      'caseId', new.collection_uuid, 'tagId', new.tag_uuid));
  END;`

/** Writes the initial database of each run's service; returns its file name. */
export function writeTemplate(folder: string): string {
  const file = join(folder, 'service-template.db')
  const store = openStore(file, storeData())
  store.exec(bookkeeping)
  store.close()
  return file
}

interface RunService extends Pick<PracticeService, 'baseUrl' | 'authUrl' | 'adminUrl' | 'admin'> {
  /** Closes the service and reads its book. */
  close(): Promise<Entry[]>
}

/** A service that shows the time at which it accepted a sale, and not the reported one. */
const ownMoments = `
  CREATE TRIGGER own_moments AFTER INSERT ON order_items BEGIN
    UPDATE order_items SET sold_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    WHERE dispensary_uuid = new.dispensary_uuid AND order_id = new.order_id AND tag_uuid = new.tag_uuid;
  END;`

/** The service of one run. It lives in this process, so it survives the station. */
export async function startRunService(template: string, folder: string, hasOwnMoments = false): Promise<RunService> {
  const file = join(folder, 'service.db')
  copyFileSync(template, file)
  if (hasOwnMoments) {
    const db = new Sqlite(file)
    db.exec(ownMoments)
    db.close()
  }
  const service = await startPracticeService({ data: undefined, db: file, port: 0, picturesDir: undefined })
  return {
    baseUrl: service.baseUrl,
    authUrl: service.authUrl,
    adminUrl: service.adminUrl,
    admin: service.admin,
    async close() {
      await service.close()
      return readBook(file)
    },
  }
}

const Row = z.object({ body: z.string() })

function readBook(file: string): Entry[] {
  const db = new Sqlite(file)
  const rows = db.prepare('SELECT body FROM book ORDER BY entry').all()
  db.close()
  return rows.map((row) => Entry.parse(JSON.parse(Row.parse(row).body)))
}
