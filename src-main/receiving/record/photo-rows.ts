import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, PackageUid, PhotoId } from '../../../src-shared/ids'
import type { PhotoAbout } from '../../../src-shared/ipc/contract/record'

const StoredPhotoRow = z
  .object({
    id: PhotoId,
    delivery: z.number(),
    correction: z.number().nullable(),
    sha256: z.string(),
    bytes: z.number(),
    width: z.number(),
    height: z.number(),
    caption: z.string(),
    package_uid: PackageUid.nullable(),
    case_id: CaseId.nullable(),
    added_at: z.number(),
    removed_at: z.number().nullable(),
  })
  .transform(({ package_uid: packageUid, case_id: caseId, added_at: addedAt, removed_at: removedAt, ...row }) => ({
    ...row,
    packageUid,
    caseId,
    addedAt,
    removedAt,
  }))
export type PhotoRow = z.output<typeof StoredPhotoRow>

export type PhotoRows = ReturnType<typeof createPhotoRows>

/** The table of photos. The database refuses to change photos of finished deliveries and of corrections. */
export function createPhotoRows(db: Database) {
  const byId = db.prepare('SELECT * FROM delivery_photo WHERE id = ?')
  const ofDelivery = db.prepare(
    'SELECT * FROM delivery_photo WHERE delivery = +? AND correction IS NULL ORDER BY position',
  )
  // Those that were removed and whose file may still be there, of finished deliveries.
  const removed = db.prepare(`
    SELECT sha256 FROM delivery_photo WHERE removed_at IS NOT NULL
      AND delivery IN (SELECT seq FROM delivery WHERE finished_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM delivery_photo AS other
        WHERE other.sha256 = delivery_photo.sha256 AND other.removed_at IS NULL)`)
  const hasFile = db.prepare('SELECT 1 FROM delivery_photo WHERE sha256 = ?')
  const allBytes = db.prepare('SELECT coalesce(sum(bytes), 0) FROM delivery_photo WHERE removed_at IS NULL').pluck()
  const insert = db.prepare(`
    INSERT INTO delivery_photo
      (id, delivery, correction, sha256, bytes, width, height, caption, package_uid, case_id, added_at)
    VALUES (@id, @delivery, @correction, @sha256, @bytes, @width, @height, @caption, @packageUid, @caseId, @addedAt)`)
  const describe = db.prepare('UPDATE delivery_photo SET caption = ?, package_uid = ?, case_id = ? WHERE id = ?')
  const remove = db.prepare('UPDATE delivery_photo SET removed_at = ? WHERE id = ?')

  return {
    byId(id: PhotoId): PhotoRow | undefined {
      const row = byId.get(id)
      return row === undefined ? undefined : StoredPhotoRow.parse(row)
    },
    /** Without those of corrections, oldest first. */
    ofDelivery: (delivery: number) => ofDelivery.all(delivery).map((row) => StoredPhotoRow.parse(row)),
    /** Files that no photo needs any more. */
    removedFiles: () => removed.all().map((row) => z.object({ sha256: z.string() }).parse(row).sha256),
    /** Whether any photo, also a removed one, has this content. */
    hasFile: (sha256: string) => hasFile.get(sha256) !== undefined,
    /** Bytes of all photos that were not removed. */
    allBytes: () => z.number().parse(allBytes.get()),
    insert: (row: Omit<PhotoRow, 'removedAt'>) => void insert.run(row),
    describe: (id: PhotoId, { caption, packageUid, caseId }: PhotoAbout) =>
      void describe.run(caption, packageUid, caseId, id),
    /** `at` null: undoes the removal. */
    remove: (id: PhotoId, at: number | null) => void remove.run(at, id),
  }
}
