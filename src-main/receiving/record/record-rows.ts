import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type ChainEntry, canonical, hashOf } from './record-chain'

const RecordEntryRow = z.object({
  entry: z.number(),
  delivery: z.number(),
  version: z.number().nullable(),
  at: z.number(),
  body: z.string(),
  before: z.string(),
  mark: z.string(),
})
export type EntryRow = z.infer<typeof RecordEntryRow>

export type RecordRows = ReturnType<typeof createRecordRows>

/** The records of deliveries and their corrections, as one chain. The database refuses to change or delete an entry. */
export function createRecordRows(db: Database) {
  const ofDelivery = db.prepare('SELECT * FROM delivery_entry WHERE delivery = +? ORDER BY entry')
  const before = db.prepare('SELECT * FROM delivery_entry WHERE entry < +? ORDER BY entry DESC LIMIT 1')
  const after = db.prepare('SELECT * FROM delivery_entry WHERE entry > +? ORDER BY entry LIMIT 1')
  const last = db.prepare('SELECT mark FROM delivery_entry ORDER BY entry DESC LIMIT 1').pluck()
  const lastVersion = db.prepare('SELECT coalesce(max(version), 0) FROM delivery_entry WHERE delivery = +?').pluck()
  const insert = db.prepare(
    'INSERT INTO delivery_entry (delivery, version, at, body, before, mark) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const maybe = (row: unknown) => (row === undefined ? undefined : RecordEntryRow.parse(row))

  return {
    /** Records and corrections of a delivery, oldest first. */
    ofDelivery: (delivery: number) => ofDelivery.all(delivery).map((row) => RecordEntryRow.parse(row)),
    /** The entries before and after one, of whatever delivery. */
    beside: (entry: number): { previous: ChainEntry | undefined; next: ChainEntry | undefined } => ({
      previous: maybe(before.get(entry)),
      next: maybe(after.get(entry)),
    }),
    /** 0 if the delivery has no record. */
    lastVersion: (delivery: number) => z.number().parse(lastVersion.get(delivery)),
    /** Adds an entry to the end of the chain; returns its number. `version` null: a correction. */
    append(delivery: number, version: number | null, at: number, content: unknown): number {
      const chained = { body: canonical(content), before: z.string().optional().parse(last.get()) ?? '' }
      const done = insert.run(delivery, version, at, chained.body, chained.before, hashOf(chained))
      return Number(done.lastInsertRowid)
    },
  }
}
