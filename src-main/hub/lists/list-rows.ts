import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { RowReader } from '../../database/row-reader'
import { DirtyKeys } from '../../sharing/dirty-keys'
import type { Watch } from '../../sharing/watch'

/** Where this station keeps lists of one kind. */
export interface ListTables {
  topic: 'counts' | 'deliveries' | 'shelf'
  /** A table with `seq`, `id` and `finished_at`. */
  lists: 'tag_count' | 'delivery' | 'stock_count'
  /** The condition on the rows of lists that are followed however old they are, in SQL. */
  isFollowed: string
  /** When a list has ended, been opened again, or got another end. `when`: SQL about the rows OLD and NEW. */
  ended: Pick<Watch, 'on' | 'when'>
  /** What makes an entry dirty, and what else follows from a change while lists are shared. */
  entries: readonly Watch[]
}

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

export const isPending = ({ change, told }: FollowedList): boolean => change !== told

function prepare(db: Database, { topic, lists, isFollowed }: ListTables) {
  const columns = `shared.list AS seq, shared.mark, shared.revision, shared.change, shared.told`
  const from = `FROM shared_list AS shared JOIN ${lists} AS known ON known.seq = shared.list WHERE topic = '${topic}'`
  const one = `WHERE topic = '${topic}' AND list = ?`
  return {
    followed: db.prepare(`
      SELECT ${columns} ${from} AND (${isFollowed} OR finished_at > ? OR change <> told
        OR EXISTS (SELECT 1 FROM dirty_key AS dirty WHERE dirty.topic = '${topic}' AND dirty.list = shared.list))
      ORDER BY shared.list DESC LIMIT 50`),
    state: db.prepare(`SELECT list AS seq, * FROM shared_list ${one}`),
    named: db.prepare(`SELECT ${columns} ${from} AND known.id = ?`),
    share: db.prepare(`INSERT INTO shared_list (topic, list) VALUES ('${topic}', ?) ON CONFLICT DO NOTHING`),
    endPushed: db.prepare(`UPDATE shared_list SET told = ? ${one}`),
    inSync: db.prepare(`UPDATE shared_list SET told = change ${one}`),
    pushAgain: db.prepare(`UPDATE shared_list SET change = change + 1, revision = 0, mark = NULL ${one}`),
    setRevision: db.prepare(`UPDATE shared_list SET revision = ?, mark = ? ${one}`),
  }
}

/**
 * A list that begins, ends or is opened again here is pushed, but for one that is being joined: the hub knows that it is open.
 * `joins`: a function that says whether the list with this id is.
 */
const watchesOf = ({ topic, lists, ended, entries }: ListTables, joins: string): Watch[] => {
  const one = `WHERE topic = '${topic}' AND list = NEW.seq`
  return [
    {
      table: lists,
      on: 'INSERT',
      do: `INSERT INTO shared_list (topic, list, told) VALUES ('${topic}', NEW.seq, ${joins}(NEW.id))`,
    },
    {
      table: lists,
      ...ended,
      do: `UPDATE shared_list SET change = change + 1, told = iif(${joins}(NEW.id), change + 1, told),
        revision = iif(${joins}(NEW.id), 0, revision) ${one}`,
    },
    {
      table: lists,
      on: 'UPDATE OF id',
      when: `${joins}(NEW.id)`,
      do: `UPDATE shared_list SET told = change, revision = 0 ${one}`,
    },
    ...entries,
  ]
}

/** The shared lists of one kind, and what the hub may lack of them. Writing throws when the disk refuses. */
export class ListRows {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>
  readonly dirty: DirtyKeys
  /** Lists that are being joined. The hub knows that they are open: that is noted in the commit that makes or opens them here. */
  readonly joining = new Set<unknown>()

  constructor(db: Database, tables: ListTables) {
    this.#db = db
    const joins = `joins_${tables.topic}`
    db.function(joins, (id) => (this.joining.has(id) ? 1 : 0))
    this.dirty = new DirtyKeys(db, tables.topic, watchesOf(tables, joins))
    this.#sql = prepare(db, tables)
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

  /** Shares a list that was begun before there was a hub. Returns false if it is shared already. */
  share(seq: number): boolean {
    return this.#sql.share.run(seq).changes > 0
  }

  noteAll(seq: number, keys: string[]): void {
    for (const key of keys) this.dirty.note(key, seq)
  }
}
