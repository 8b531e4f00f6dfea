import type { Database, Statement } from 'better-sqlite3'
import { z } from 'zod'
import type { TagId } from '../../../src-shared/ids'
import { orderKey, tagKey } from '../../outbox/payload'
import { DirtyKeys } from '../../sharing/dirty-keys'
import { type Watch, noteOf } from '../../sharing/watch'

/** Sales of so many ms are pushed to a hub that doesn't know this station: a new one, or one from a backup. */
const announced = 7 * 24 * 3_600_000

/**
 * So many reports are pushed again at each new connection: a hub may have lost its last seconds. After a start the older ones
 * follow, so many at a time: what tells this process of a hub that fell back, the one before may not have seen.
 */
const announcedAgain = 100

/** The kinds of reports that say where an item is. */
export const saleKinds = `('complete', 'return', 'void')`
const isSharedKey = (key: string) => `(${key} GLOB '${tagKey('*')}' OR ${key} GLOB '${orderKey('*')}')`

const noteKey = (key: string) => noteOf('claims', { key })
const ofOperation = (seq: string) =>
  noteOf('claims', { key: 'key', from: `operation_key WHERE seq = ${seq} AND ${isSharedKey('key')}` })
const isOfSale = (row: string) =>
  `${isSharedKey(`${row}.key`)} AND EXISTS (SELECT 1 FROM operation WHERE seq = ${row}.seq AND kind IN ${saleKinds})`

const watches: Watch[] = [
  { table: 'open_order_item', on: 'INSERT', do: noteKey(`'${tagKey('')}' || NEW.tag_id`) },
  { table: 'open_order_item', on: 'DELETE', do: noteKey(`'${tagKey('')}' || OLD.tag_id`) },
  {
    table: 'open_order',
    on: 'UPDATE OF order_id, held_at',
    when: 'NEW.order_id IS NOT OLD.order_id OR NEW.held_at IS NOT OLD.held_at',
    do: noteOf('claims', { key: `'${tagKey('')}' || tag_id`, from: 'open_order_item WHERE open_order = NEW.id' }),
  },
  { table: 'operation_key', on: 'INSERT', when: isOfSale('NEW'), do: noteKey('NEW.key') },
  { table: 'operation_key', on: 'DELETE', when: isOfSale('OLD'), do: noteKey('OLD.key') },
  {
    table: 'operation',
    on: 'UPDATE OF state',
    when: `NEW.kind IN ${saleKinds} AND NEW.state <> OLD.state
      AND (NEW.state IN ('accepted', 'cancelled') OR OLD.state IN ('accepted', 'cancelled'))`,
    do: ofOperation('NEW.seq'),
  },
  {
    table: 'operation',
    on: 'UPDATE OF performed_at_raw, clock_offset',
    when: `NEW.kind IN ${saleKinds}
      AND NEW.performed_at_raw + NEW.clock_offset <> OLD.performed_at_raw + OLD.clock_offset`,
    do: ofOperation('NEW.seq'),
  },
]

const Slice = z.object({ oldest: z.number().nullable(), latest: z.number().nullable() })

/** The keys of items and orders that the hub may lack something of. Writing throws when the disk refuses. */
export class DirtyClaims extends DirtyKeys {
  readonly #now: () => number
  readonly #noteSales: Statement
  readonly #slice: Statement
  readonly #noteSlice: Statement
  /** Since the start, the reports from this one on were noted again, and older ones follow; null before, and once all were. */
  #againFrom: number | null = null
  #isNotedAgain = false

  /** `from`: reports up to this number are not this station's. */
  constructor(db: Database, from: number, now: () => number) {
    super(db, 'claims', watches)
    this.#now = now
    const newestBefore = `SELECT seq, at FROM sale_entry WHERE seq < ? AND seq > ${from} ORDER BY seq DESC LIMIT ${announcedAgain}`
    this.#slice = db.prepare(`SELECT min(seq) AS oldest, max(at) AS latest FROM (${newestBefore})`)
    this.#noteSlice = this.notes('key', `operation_key JOIN (${newestBefore}) USING (seq) WHERE ${isSharedKey('key')}`)
    this.#noteSales = this.notes(
      'key',
      `operation_key JOIN operation USING (seq)
        WHERE kind IN ${saleKinds} AND performed_at_raw >= ? AND seq > ${from} AND ${isSharedKey('key')}`,
    )
  }

  noteItem(tagId: TagId): void {
    this.note(tagKey(tagId))
  }

  /** Notes the sales that a hub needs which lost them. */
  noteSales(): void {
    this.#noteSales.run(this.#now() - announced)
  }

  /** Notes the newest reports again; at the first call, `noteOlder` has those of seven days afterwards. */
  noteNewest(): void {
    this.#noteSlice.run(Number.MAX_SAFE_INTEGER)
    if (!this.#isNotedAgain) this.#againFrom = Slice.parse(this.#slice.get(Number.MAX_SAFE_INTEGER)).oldest
    this.#isNotedAgain = true
  }

  /** Notes the next older reports, of the span that is pushed to a hub that lost them. Returns whether there are any. */
  noteOlder(): boolean {
    if (this.#againFrom === null) return false
    const { oldest, latest } = Slice.parse(this.#slice.get(this.#againFrom))
    const isInSpan = oldest !== null && latest !== null && latest >= this.#now() - announced
    if (isInSpan) this.#noteSlice.run(this.#againFrom)
    this.#againFrom = isInSpan ? oldest : null
    return isInSpan
  }
}
