import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { TagId } from '../../../src-shared/ids'
import { orderKey, tagKey } from '../../outbox/payload'

/** Sales of so many ms are pushed to a hub that doesn't know this station: a new one, or one from a backup. */
const announced = 7 * 24 * 3_600_000

/**
 * So many reports are pushed again at each new connection: a hub may have lost its last seconds. After a start the older ones
 * follow, so many at a time: what tells this process of a hub that fell back, the one before may not have seen.
 */
const announcedAgain = 100

/** Each note has a number that none had before, also of a key that was pushed meanwhile: an answer about an older one settles none. */
const due = 'ON CONFLICT (key) DO UPDATE SET change = excluded.change;'
/** The kinds of reports that say where an item is. */
export const saleKinds = `('complete', 'return', 'void')`
const isSharedKey = (key: string) => `(${key} GLOB '${tagKey('*')}' OR ${key} GLOB '${orderKey('*')}')`

/**
 * What may have to be pushed is noted in the commit that changes it. Triggers of this connection alone: a station without a hub
 * has none.
 */
const triggers = `
  CREATE TEMP TRIGGER hub_item_added AFTER INSERT ON open_order_item BEGIN
    INSERT INTO hub_due VALUES ('${tagKey('')}' || NEW.tag_id, hub_change()) ${due}
  END;
  CREATE TEMP TRIGGER hub_item_gone AFTER DELETE ON open_order_item BEGIN
    INSERT INTO hub_due VALUES ('${tagKey('')}' || OLD.tag_id, hub_change()) ${due}
  END;
  CREATE TEMP TRIGGER hub_order_changed AFTER UPDATE OF order_id, held_at ON open_order
  WHEN NEW.order_id IS NOT OLD.order_id OR NEW.held_at IS NOT OLD.held_at BEGIN
    INSERT INTO hub_due SELECT '${tagKey('')}' || tag_id, hub_change() FROM open_order_item WHERE open_order = NEW.id ${due}
  END;
  CREATE TEMP TRIGGER hub_report_made AFTER INSERT ON operation_key
  WHEN ${isSharedKey('NEW.key')} AND EXISTS (SELECT 1 FROM operation WHERE seq = NEW.seq AND kind IN ${saleKinds}) BEGIN
    INSERT INTO hub_due VALUES (NEW.key, hub_change()) ${due}
  END;
  CREATE TEMP TRIGGER hub_report_corrected AFTER DELETE ON operation_key
  WHEN ${isSharedKey('OLD.key')} AND EXISTS (SELECT 1 FROM operation WHERE seq = OLD.seq AND kind IN ${saleKinds}) BEGIN
    INSERT INTO hub_due VALUES (OLD.key, hub_change()) ${due}
  END;
  CREATE TEMP TRIGGER hub_report_settled AFTER UPDATE OF state ON operation
  WHEN NEW.kind IN ${saleKinds} AND NEW.state <> OLD.state
    AND (NEW.state IN ('accepted', 'cancelled') OR OLD.state IN ('accepted', 'cancelled')) BEGIN
    INSERT INTO hub_due SELECT key, hub_change() FROM operation_key WHERE seq = NEW.seq AND ${isSharedKey('key')} ${due}
  END;
  CREATE TEMP TRIGGER hub_report_dated AFTER UPDATE OF performed_at_raw, clock_offset ON operation
  WHEN NEW.kind IN ${saleKinds} AND NEW.performed_at_raw + NEW.clock_offset <> OLD.performed_at_raw + OLD.clock_offset BEGIN
    INSERT INTO hub_due SELECT key, hub_change() FROM operation_key WHERE seq = NEW.seq AND ${isSharedKey('key')} ${due}
  END;`

const DirtyKey = z.object({ key: z.string(), change: z.number() })
export type DirtyKey = z.infer<typeof DirtyKey>
const Slice = z.object({ oldest: z.number().nullable(), latest: z.number().nullable() })

/** `from`: reports up to this number are not this station's. */
function prepare(db: Database, from: number) {
  let lastChange = z.number().parse(db.prepare('SELECT coalesce(max(change), 0) FROM hub_due').pluck().get())
  db.function('hub_change', () => ++lastChange)
  db.exec(triggers)
  const newestBefore = `SELECT seq, at FROM sale_entry WHERE seq < ? AND seq > ${from} ORDER BY seq DESC LIMIT ${announcedAgain}`
  return {
    first: db.prepare('SELECT key, change FROM hub_due LIMIT ?'),
    note: db.prepare(`INSERT INTO hub_due VALUES (?, hub_change()) ${due}`),
    noteSales: db.prepare(`
      INSERT INTO hub_due SELECT key, hub_change() FROM operation_key JOIN operation USING (seq)
      WHERE kind IN ${saleKinds} AND performed_at_raw >= ? AND seq > ${from} AND ${isSharedKey('key')} ${due}`),
    slice: db.prepare(`SELECT min(seq) AS oldest, max(at) AS latest FROM (${newestBefore})`),
    noteSlice: db.prepare(`
      INSERT INTO hub_due SELECT key, hub_change() FROM operation_key JOIN (${newestBefore}) USING (seq)
      WHERE ${isSharedKey('key')} ${due}`),
    change: db.prepare('SELECT change FROM hub_due WHERE key = ?').pluck(),
    settle: db.prepare('DELETE FROM hub_due WHERE key = ? AND change = ?'),
    drop: db.prepare('DELETE FROM hub_due WHERE key = ?'),
  }
}

/** The keys of items and orders that the hub may lack something of. Writing throws when the disk refuses. */
export class DirtyKeys {
  readonly #sql: ReturnType<typeof prepare>
  readonly #now: () => number
  /** Since the start, the reports from this one on were noted again, and older ones follow; null before, and once all were. */
  #againFrom: number | null = null
  #isNotedAgain = false

  constructor(db: Database, from: number, now: () => number) {
    this.#sql = prepare(db, from)
    this.#now = now
  }

  first(count: number): DirtyKey[] {
    return this.#sql.first.all(count).map((row) => DirtyKey.parse(row))
  }

  noteItem(tagId: TagId): void {
    this.#sql.note.run(tagKey(tagId))
  }

  hasItem(tagId: TagId): boolean {
    return this.#sql.change.get(tagKey(tagId)) !== undefined
  }

  dropItem(tagId: TagId): void {
    this.#sql.drop.run(tagKey(tagId))
  }

  hasChanged({ key, change }: DirtyKey): boolean {
    return this.#sql.change.get(key) !== change
  }

  /** The hub has what this note says, and nothing newer. */
  settle({ key, change }: DirtyKey): void {
    this.#sql.settle.run(key, change)
  }

  /** Notes the sales that a hub needs which lost them. */
  noteSales(): void {
    this.#sql.noteSales.run(this.#now() - announced)
  }

  /** Notes the newest reports again; at the first call, `noteOlder` has those of seven days afterwards. */
  noteNewest(): void {
    this.#sql.noteSlice.run(Number.MAX_SAFE_INTEGER)
    if (!this.#isNotedAgain) this.#againFrom = Slice.parse(this.#sql.slice.get(Number.MAX_SAFE_INTEGER)).oldest
    this.#isNotedAgain = true
  }

  /** Notes the next older reports, of the span that is pushed to a hub that lost them. Returns whether there are any. */
  noteOlder(): boolean {
    if (this.#againFrom === null) return false
    const { oldest, latest } = Slice.parse(this.#sql.slice.get(this.#againFrom))
    const isInSpan = oldest !== null && latest !== null && latest >= this.#now() - announced
    if (isInSpan) this.#sql.noteSlice.run(this.#againFrom)
    this.#againFrom = isInSpan ? oldest : null
    return isInSpan
  }
}
