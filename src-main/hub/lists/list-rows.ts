import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { RowReader } from '../../database/row-reader'

/** Where this station keeps lists of one kind, and what it has not pushed of them. Names of tables and columns. */
export interface ListTables {
  /** Has `seq`, `id` and `finished_at`. */
  list: 'tag_count' | 'delivery' | 'stock_count'
  followed: 'hub_count' | 'hub_delivery' | 'hub_stock'
  due: 'hub_count_due' | 'hub_delivery_due' | 'hub_stock_due'
  /** The column of a list's `seq`, and the one of an entry's key. */
  of: 'count' | 'delivery'
  key: 'tag_id' | 'key'
  /** The condition on rows of `list` that are not over: these are followed however old they are. */
  isOpen: string
}

/** So many entries are pushed at a time. */
const atOnce = 500
/** Lists that are over are followed for so long after they were finished, in ms: what was entered offline, and a reopening, come late. */
const followedFor = 7 * 24 * 3_600_000

const FollowedList = z.object({
  seq: z.number(),
  mark: z.string().nullable(),
  revision: z.number(),
  change: z.number(),
  told: z.number(),
})
/** A shared list, as it was read last (`mark`, `revision`). Its beginning or end is pending where `change` isn't `told`. */
export type FollowedList = z.infer<typeof FollowedList>
const followedRows = new RowReader(FollowedList)
const dirtyRows = new RowReader(z.object({ key: z.string(), change: z.number(), isOthers: z.number() }))

export const isPending = ({ change, told }: FollowedList): boolean => change !== told

function prepare(db: Database, { list, followed, due, of, key, isOpen }: ListTables) {
  const columns = `h.${of} AS seq, h.mark, h.revision, h.change, h.told FROM ${followed} AS h`
  return {
    followed: db.prepare(`
      SELECT ${columns} JOIN ${list} AS list ON list.seq = h.${of}
      WHERE ${isOpen} OR finished_at > ? OR change <> told OR EXISTS (SELECT 1 FROM ${due} AS due WHERE due.${of} = h.${of})
      ORDER BY h.${of} DESC LIMIT 50`),
    state: db.prepare(`SELECT ${columns} WHERE h.${of} = ?`),
    named: db.prepare(`SELECT ${columns} JOIN ${list} AS list ON list.seq = h.${of} WHERE list.id = ?`),
    endPushed: db.prepare(`UPDATE ${followed} SET told = ? WHERE ${of} = ?`),
    inSync: db.prepare(`UPDATE ${followed} SET told = change WHERE ${of} = ?`),
    pushAgain: db.prepare(`UPDATE ${followed} SET change = change + 1, revision = 0, mark = NULL WHERE ${of} = ?`),
    setRevision: db.prepare(`UPDATE ${followed} SET revision = ?, mark = ? WHERE ${of} = ?`),
    note: db.prepare(`
      INSERT INTO ${due} (${of}, ${key}, change) VALUES (?, ?, 1)
      ON CONFLICT DO UPDATE SET change = change + 1, is_others = excluded.is_others`),
    countDirty: db.prepare(`SELECT count(*) FROM ${due}`).pluck(),
    dirty: db.prepare(`SELECT ${key} AS key, change, is_others FROM ${due} WHERE ${of} = ? ORDER BY ${key} LIMIT ?`),
    dirtyKeys: db.prepare(`SELECT ${key} FROM ${due} WHERE ${of} = ?`).pluck(),
    settle: db.prepare(`DELETE FROM ${due} WHERE ${of} = ? AND ${key} = ? AND change = ?`),
    drop: db.prepare(`DELETE FROM ${due} WHERE ${of} = ? AND ${key} = ?`),
  }
}

/** Triggers for lists that are being joined. `joins`: a function that says whether the list with this id is. */
function joiningTriggers(joins: string, { list, followed, of }: ListTables): string {
  const known = (seq: string) => `BEGIN
    UPDATE ${followed} SET told = change, revision = 0 WHERE ${of} = ${seq};
  END;`
  const isJoined = `WHEN ${joins}((SELECT id FROM ${list} WHERE seq = NEW.${of})) ${known(`NEW.${of}`)}`
  return `
    CREATE TEMP TRIGGER ${joins}_begun AFTER INSERT ON ${followed} ${isJoined}
    CREATE TEMP TRIGGER ${joins}_opened AFTER UPDATE OF change ON ${followed} ${isJoined}
    CREATE TEMP TRIGGER ${joins}_renamed AFTER UPDATE OF id ON ${list} WHEN ${joins}(NEW.id) ${known('NEW.seq')}`
}

/** The shared lists of one kind, and what the hub may lack of them. Writing throws when the disk refuses. */
export class ListRows {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>
  /** Lists that are being joined. The hub knows that they are open: that is noted in the commit that makes or opens them here. */
  readonly joining = new Set<unknown>()

  constructor(db: Database, tables: ListTables) {
    this.#db = db
    this.#sql = prepare(db, tables)
    const joins = `${tables.followed}_joins`
    db.function(joins, (id) => (this.joining.has(id) ? 1 : 0))
    db.exec(joiningTriggers(joins, tables))
  }

  inOne(step: () => void): void {
    this.#db.transaction(step).immediate()
  }

  followed(): FollowedList[] {
    return followedRows.all(this.#sql.followed, Date.now() - followedFor)
  }

  state(seq: number): FollowedList | undefined {
    return followedRows.get(this.#sql.state, seq)
  }

  named(id: string): FollowedList | undefined {
    return followedRows.get(this.#sql.named, id)
  }

  /** The hub has the beginning or end with this change. */
  endPushed(seq: number, change: number): void {
    this.#sql.endPushed.run(change, seq)
  }

  /** Nothing is to be pushed of its beginning or end. */
  setInSync(seq: number): void {
    this.#sql.inSync.run(seq)
  }

  pushAgain(seq: number): void {
    this.#sql.pushAgain.run(seq)
  }

  setRevision(seq: number, revision: number, epochId: string | null): void {
    this.#sql.setRevision.run(revision, epochId, seq)
  }

  noteAll(seq: number, keys: string[]): void {
    for (const key of keys) this.#sql.note.run(seq, key)
  }

  dirtyCount(): number {
    return z.number().parse(this.#sql.countDirty.get())
  }

  hasDirty(seq: number): boolean {
    return this.#sql.dirtyKeys.get(seq) !== undefined
  }

  /** The first dirty entries. */
  dirty(seq: number) {
    return dirtyRows.all(this.#sql.dirty, seq, atOnce)
  }

  dirtyKeys(seq: number): Set<string> {
    return new Set(z.array(z.string()).parse(this.#sql.dirtyKeys.all(seq)))
  }

  settle(seq: number, { key, change }: { key: string; change: number }): void {
    this.#sql.settle.run(seq, key, change)
  }

  drop(seq: number, key: string): void {
    this.#sql.drop.run(seq, key)
  }
}
