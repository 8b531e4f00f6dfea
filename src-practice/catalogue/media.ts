import { z } from 'zod'
import { type Store, command, query } from '../store/query'
import { newShortUuid } from '../store/short-id'
import type { Upload } from './uploads'

/** What was uploaded: written once under a name of its own, and served under `/media/`. */
export function createMediaTable(store: Store, now: () => Date) {
  const insert = command(store, 'INSERT INTO media (file, mime_type, bytes, added_on) VALUES (?, ?, ?, ?)')
  // A photo that an asset holds stays with the asset.
  const drop = command(
    store,
    `DELETE FROM media WHERE file = ? AND file NOT IN
       (SELECT body ->> 'content' FROM assets WHERE asset_type <> 'texts')`,
  )
  return {
    /** Answers the name. */
    add(upload: Upload): string {
      const file = `${newShortUuid()}.${upload.extension}`
      insert(file, upload.mimeType, upload.bytes, now().toISOString())
      return file
    },
    /** Lets go of a photo that was replaced. */
    drop: (file: string) => {
      drop(file)
    },
  }
}
export type MediaTable = ReturnType<typeof createMediaTable>

const Stored = z.object({ mime_type: z.string(), bytes: z.instanceof(Uint8Array) })

/** Reads a stored file. */
export function createMediaReader(store: Store) {
  const stored = query(store, 'SELECT mime_type, bytes FROM media WHERE file = ?', Stored)
  return (file: string) => stored.get(file)
}
