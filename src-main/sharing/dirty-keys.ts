import type { Database, Statement } from 'better-sqlite3'
import { z } from 'zod'
import { Flag, RowReader } from '../database/row-reader'
import { type SharedTopic, type Watch, noteOf, watch } from './watch'

const dirtyKeys = new RowReader(z.object({ key: z.string(), change: z.number(), isOthers: Flag }))

/**
 * A key of which the hub may lack something. `change`: of its newest note. `isOthers`: another station had entered it, or it
 * was not changed here, but the hub lacks it.
 */
export type DirtyKey = ReturnType<(typeof dirtyKeys)['parse']>

const statementsOf = (db: Database, topic: SharedTopic) => {
  const [list, one] = [`topic = '${topic}' AND list = ?`, `topic = '${topic}' AND list = ? AND key = ?`]
  return {
    first: db.prepare(`SELECT key, change, is_others FROM dirty_key WHERE ${list} ORDER BY key LIMIT ?`),
    keys: db.prepare(`SELECT key FROM dirty_key WHERE ${list}`).pluck(),
    entered: db.prepare(`SELECT key FROM dirty_key WHERE topic = '${topic}' AND is_others = 0`).pluck(),
    count: db.prepare(`SELECT count(*) FROM dirty_key WHERE topic = '${topic}'`).pluck(),
    change: db.prepare(`SELECT change FROM dirty_key WHERE ${one}`).pluck(),
    note: db.prepare(noteOf(topic, { list: '?', key: '?' })),
    noteUnless: db.prepare(`
      INSERT INTO dirty_key (topic, list, key, change, is_others) VALUES ('${topic}', 0, ?, random() >> 11, 1)
      ON CONFLICT DO NOTHING`),
    forget: db.prepare(`DELETE FROM dirty_key WHERE topic = '${topic}'`),
    settle: db.prepare(`DELETE FROM dirty_key WHERE ${one} AND change = ?`),
    drop: db.prepare(`DELETE FROM dirty_key WHERE ${one}`),
  }
}

/**
 * What the hub may lack of one topic, noted in the commit that changes it. Keys of a list are asked for by its seq. Writing
 * throws when the disk refuses.
 */
export class DirtyKeys {
  readonly #db: Database
  readonly #topic: SharedTopic
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database, topic: SharedTopic, watches: readonly Watch[]) {
    watch(db, topic, watches)
    this.#db = db
    this.#topic = topic
    this.#sql = statementsOf(db, topic)
  }

  /** A statement that notes several keys. `from`: what follows FROM, with the parameters of `run`. */
  notes(key: string, from: string): Statement {
    return this.#db.prepare(noteOf(this.#topic, { key, from }))
  }

  first(most: number, list = 0): DirtyKey[] {
    return dirtyKeys.all(this.#sql.first, list, most)
  }

  keys(list = 0): Set<string> {
    return new Set(z.array(z.string()).parse(this.#sql.keys.all(list)))
  }

  /** Those that were entered here, in all lists. */
  entered(): string[] {
    return z.array(z.string()).parse(this.#sql.entered.all())
  }

  /** In all lists. */
  count(): number {
    return z.number().parse(this.#sql.count.get())
  }

  has(key: string, list = 0): boolean {
    return this.#sql.change.get(list, key) !== undefined
  }

  hasChanged({ key, change }: Pick<DirtyKey, 'key' | 'change'>, list = 0): boolean {
    return this.#sql.change.get(list, key) !== change
  }

  note(key: string, list = 0): void {
    this.#sql.note.run(list, key)
  }

  /** Notes keys that are not noted yet: nothing was entered here, but the hub lacks them. */
  noteLacking(keys: Iterable<string>): void {
    for (const key of keys) this.#sql.noteUnless.run(key)
  }

  /** Nothing of the topic is dirty any more. */
  forget(): void {
    this.#sql.forget.run()
  }

  /** The hub has what this note says. A newer one of the key stays. */
  settle({ key, change }: Pick<DirtyKey, 'key' | 'change'>, list = 0): void {
    this.#sql.settle.run(list, key, change)
  }

  drop(key: string, list = 0): void {
    this.#sql.drop.run(list, key)
  }
}
