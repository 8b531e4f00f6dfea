import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { TagId } from '../../src-shared/ids'
import { type Key, tagKey } from './payload'

const KeyHolder = z.object({ seq: z.number(), is_exclusive: z.number() })
const KeyRow = z.object({ key: z.string(), is_exclusive: z.number() })
const Waiter = z.object({ waiter: z.number() })
const Blockers = z.object({ blockers: z.number() })

function statementsOf(db: Database) {
  const insertKey = db.prepare('INSERT INTO operation_key (key, seq, is_exclusive) VALUES (?, ?, ?)')
  const deleteKey = db.prepare('DELETE FROM operation_key WHERE key = ? AND seq = ?')
  const shareKeys = db.prepare('UPDATE operation_key SET is_exclusive = 0 WHERE seq = ?')
  const keysOf = db.prepare('SELECT key, is_exclusive FROM operation_key WHERE seq = ?')
  const holdersBefore = `
    SELECT held.seq, held.is_exclusive FROM operation_key held JOIN operation USING (seq)
    WHERE held.key = +? AND held.seq < +?
      AND (state IN ('queued', 'sending', 'unknown') OR (state = 'rejected' AND held.is_exclusive = 1))`
  // Most keys were never held before: looking at the keys alone costs a tenth.
  const anyHolder = db.prepare('SELECT 1 FROM operation_key WHERE key = ? AND seq < ? LIMIT 1')
  const anyExclusive = db.prepare('SELECT 1 FROM operation_key WHERE key = ? AND seq < ? AND is_exclusive = 1 LIMIT 1')
  const nearestHolder = db.prepare(`${holdersBefore} ORDER BY held.seq DESC LIMIT 1`)
  const nearestExclusive = db.prepare(`${holdersBefore} AND held.is_exclusive = 1 ORDER BY held.seq DESC LIMIT 1`)
  const sharedSince = db.prepare(`${holdersBefore} AND held.seq > +? ORDER BY held.seq DESC`)
  // Later exclusive holders of a shared key that was released, except those that wait, directly or not, for this one.
  const passedBy = db.prepare(`
    WITH RECURSIVE behind (seq) AS (
      SELECT waiter FROM operation_wait WHERE blocker = @seq
      UNION SELECT waiter FROM operation_wait JOIN behind ON blocker = behind.seq)
    SELECT held.seq, held.is_exclusive FROM operation_key held JOIN operation USING (seq)
    WHERE held.key = +@key AND held.seq > +@seq AND held.is_exclusive = 1
      AND state IN ('queued', 'sending', 'unknown') AND held.seq NOT IN (SELECT seq FROM behind)`)
  // Earlier ones that reacquired a released shared key behind a later holder: waiting for that holder is not enough.
  const fellBehind = db.prepare(`
    WITH RECURSIVE behind (seq) AS (
      SELECT waiter FROM operation_wait WHERE blocker = @holder
      UNION SELECT waiter FROM operation_wait JOIN behind ON blocker = behind.seq)
    SELECT held.seq, held.is_exclusive FROM operation_key held JOIN operation USING (seq)
    WHERE held.key = +@key AND held.seq < +@holder AND held.is_exclusive = 0
      AND state IN ('queued', 'sending', 'unknown') AND held.seq IN (SELECT seq FROM behind)`)
  const insertWait = db.prepare('INSERT OR IGNORE INTO operation_wait (waiter, blocker) VALUES (?, ?)')
  const deleteWaits = db.prepare('DELETE FROM operation_wait WHERE waiter = ?')
  const deleteWaitsFor = db.prepare('DELETE FROM operation_wait WHERE blocker = ?')
  const waitersOf = db.prepare('SELECT waiter FROM operation_wait WHERE blocker = ?')
  const countWaits = db.prepare(
    'UPDATE operation SET blockers = (SELECT count(*) FROM operation_wait WHERE waiter = operation.seq) WHERE seq = ?',
  )
  const deleteKeys = db.prepare('DELETE FROM operation_key WHERE seq = ?')
  const shareKey = db.prepare('INSERT OR IGNORE INTO operation_key (key, seq, is_exclusive) VALUES (?, ?, 0)')
  // Later holders of a key that can still be made to wait.
  const laterHolders = db.prepare(`
    SELECT held.seq, held.is_exclusive FROM operation_key held JOIN operation USING (seq)
    WHERE held.key = +? AND held.seq > +? AND state IN ('queued', 'sending', 'unknown') ORDER BY held.seq`)
  const behindOf = db.prepare(`
    WITH RECURSIVE behind (seq) AS (
      SELECT waiter FROM operation_wait WHERE blocker = @seq
      UNION SELECT waiter FROM operation_wait JOIN behind ON blocker = behind.seq)
    SELECT seq AS waiter FROM behind`)
  const blockersOf = db.prepare('SELECT blockers FROM operation WHERE seq = ?')
  return {
    insertKey,
    deleteKey,
    shareKeys,
    keysOf,
    anyHolder,
    anyExclusive,
    nearestHolder,
    nearestExclusive,
    sharedSince,
    passedBy,
    fellBehind,
    insertWait,
    deleteWaits,
    deleteWaitsFor,
    waitersOf,
    countWaits,
    deleteKeys,
    shareKey,
    laterHolders,
    behindOf,
    blockersOf,
  }
}

/**
 * Which operations wait for which; call inside a transaction of the outbox. An operation is linked only to the nearest
 * earlier unfinished holders of its keys: those are linked to theirs in turn, so a chain of a thousand has a thousand links
 * and not half a million.
 *
 * A rejected operation keeps its exclusive keys (the items of a refused sale may not be sold again) but releases its shared
 * ones: a sale refused because its case is not imported must not hold up the import that mends it.
 */
export class Locks {
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#sql = statementsOf(db)
  }

  /** Reacquires the shared keys of a rejected operation that is sent again, behind those that overtook it. */
  reacquire(seq: number): void {
    this.#relink(seq)
  }

  /** Makes an operation wait for the present holders of its keys, except those that wait for it. */
  #relink(seq: number): void {
    this.#sql.deleteWaits.run(seq)
    const blockers = this.#keysHeldBy(seq).flatMap((key) =>
      key.isExclusive ? this.#nearest(key, seq) : [...this.#nearest(key, seq), ...this.#cameBy(key.key, seq)],
    )
    const waitForUs = blockers.length > 0 ? this.#behind(seq) : new Set()
    this.#link(
      seq,
      blockers.filter((one) => !waitForUs.has(one)),
    )
  }

  /** Makes the exclusive keys of an operation shared ones. */
  share(seq: number): void {
    this.#sql.shareKeys.run(seq)
  }

  /** Frees the operations that waited only for a shared key of one that was just rejected. */
  releaseShared(seq: number): void {
    for (const waiter of this.#waiting(seq)) this.#relink(waiter)
  }

  /** Gives up keys of a rejected operation that is not about these things any more, and frees the waiters for them. */
  giveUp(seq: number, keys: string[]): void {
    for (const key of keys) this.#sql.deleteKey.run(key, seq)
    if (keys.length > 0) for (const waiter of this.#waiting(seq)) this.#relink(waiter)
  }

  /** Stores the keys of a new operation and links it to its blockers; returns how many. */
  take(seq: number, keys: Key[]): number {
    for (const { key, isExclusive } of keys) this.#sql.insertKey.run(key, seq, isExclusive ? 1 : 0)
    // No later operation can have overtaken one that is only now saved.
    const blockers = [...new Set(keys.flatMap((key) => this.#nearest(key, seq)))]
    if (blockers.length > 0) this.#link(seq, blockers)
    return blockers.length
  }

  /**
   * Replaces the keys of an operation, which keeps its place: later holders of one of them, and later operations on one of
   * `tagIds` that don't know its case, wait for it from now on, unless it waits for them. Returns the number of blockers.
   */
  rekey(seq: number, keys: Key[], tagIds: readonly TagId[] = []): number {
    const nameOf = ({ key, isExclusive }: Key) => `${key} ${isExclusive}`
    if (this.#keysHeldBy(seq).map(nameOf).sort().join() !== keys.map(nameOf).sort().join()) {
      const waitedForOldKeys = this.#waiting(seq)
      this.#sql.deleteKeys.run(seq)
      this.#sql.deleteWaitsFor.run(seq)
      for (const { key, isExclusive } of keys) this.#sql.insertKey.run(key, seq, isExclusive ? 1 : 0)
      for (const waiter of waitedForOldKeys) this.#relink(waiter)
      this.#relink(seq)
    }
    const unknowing = tagIds.flatMap((tagId) => this.#later(tagKey(tagId), seq))
    for (const { key } of keys) {
      for (const { seq: one } of unknowing) this.#sql.shareKey.run(key, one)
      for (const holder of this.#later(key, seq)) this.#waitBehind(key, holder)
    }
    return Blockers.parse(this.#sql.blockersOf.get(seq)).blockers
  }

  /** Frees the operations that waited for a finished one. */
  release(seq: number): void {
    const waiters = this.#waiting(seq)
    const stillWaits = Blockers.parse(this.#sql.blockersOf.get(seq)).blockers > 0
    this.#sql.deleteWaitsFor.run(seq)
    for (const waiter of waiters) {
      // Withdrawn from the middle of a chain: its waiters must now wait for what it waited for.
      if (stillWaits) this.#relink(waiter)
      else this.#sql.countWaits.run(waiter)
    }
    if (stillWaits) {
      this.#sql.deleteWaits.run(seq)
      this.#sql.countWaits.run(seq)
    }
  }

  /** Whether a later operation waits for this one. */
  hasWaiters(seq: number): boolean {
    return this.#sql.waitersOf.get(seq) !== undefined
  }

  /** The nearest holders of a key that an operation must wait for; these wait for the earlier ones. */
  #nearest({ key, isExclusive }: Key, seq: number): number[] {
    if ((isExclusive ? this.#sql.anyHolder : this.#sql.anyExclusive).get(key, seq) === undefined) return []
    const holder = KeyHolder.optional().parse(
      (isExclusive ? this.#sql.nearestHolder : this.#sql.nearestExclusive).get(key, seq),
    )
    if (!holder) return []
    if (!isExclusive) return [holder.seq]
    if (holder.is_exclusive === 1) {
      const late = this.#sql.fellBehind.all({ key, holder: holder.seq }).map((row) => KeyHolder.parse(row).seq)
      return [holder.seq, ...late.filter((one) => one !== seq)]
    }
    // Shared holders don't wait for each other: all of them, back to the exclusive one that they wait for.
    const behind = KeyHolder.optional().parse(this.#sql.nearestExclusive.get(key, seq))?.seq ?? 0
    return this.#sql.sharedSince.all(key, seq, behind).map((row) => KeyHolder.parse(row).seq)
  }

  #cameBy(key: string, seq: number) {
    return this.#sql.passedBy.all({ key, seq }).map((row) => KeyHolder.parse(row).seq)
  }

  #link(seq: number, blockers: number[]) {
    for (const blocker of blockers) this.#sql.insertWait.run(seq, blocker)
    this.#sql.countWaits.run(seq)
  }

  /** All that wait for an operation, directly or not: it must never wait for one of them. */
  #behind(seq: number) {
    return new Set(this.#sql.behindOf.all({ seq }).map((row) => Waiter.parse(row).waiter))
  }

  #keysHeldBy(seq: number): Key[] {
    return this.#sql.keysOf
      .all(seq)
      .map((row) => KeyRow.parse(row))
      .map(({ key, is_exclusive }) => ({ key, isExclusive: is_exclusive === 1 }))
  }

  #later(key: string, seq: number) {
    return this.#sql.laterHolders.all(key, seq).map((row) => KeyHolder.parse(row))
  }

  /** Adds the current holders of the key to the operation's blockers, except those already blocked by it. */
  #waitBehind(key: string, { seq, is_exclusive }: z.infer<typeof KeyHolder>) {
    const waitForIt = this.#behind(seq)
    this.#link(
      seq,
      this.#nearest({ key, isExclusive: is_exclusive === 1 }, seq).filter((one) => !waitForIt.has(one)),
    )
  }

  #waiting(seq: number) {
    return this.#sql.waitersOf.all(seq).map((row) => Waiter.parse(row).waiter)
  }
}
