import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { TagId } from '../../src-shared/ids'
import { type Key, tagKey } from './payload'

/**
 * Who waits for whom. An operation is linked to the nearest earlier unfinished holders of its keys only: those are linked
 * to theirs in turn, so a chain of a thousand has a thousand links and not half a million.
 *
 * A rejected operation keeps its exclusive keys (nobody may sell the items of a refused sale) but lets go of its shared
 * ones: a sale refused because its case is not imported must not hold up the import that mends it.
 */
export interface Locks {
  /** Stores the keys of a new operation and links it to what it must wait for: so many operations. */
  take(seq: number, keys: Key[]): number
  /** Makes the exclusive keys of an operation shared ones. */
  share(seq: number): void
  /** Frees those who waited only for a shared key of an operation that was just rejected. */
  loosen(seq: number): void
  /** Takes the shared keys of an operation that was rejected and is to be sent again: behind who came past it meanwhile. */
  retake(seq: number): void
  /** Gives up keys of a rejected operation that is not about these things any more, and frees those who waited for them. */
  giveUp(seq: number, keys: string[]): void
  /**
   * Gives an operation other keys in its old place: whoever came later for one of them, or for one of `tagIds` without
   * knowing its case, waits for it from here on, unless it waits for them itself. Gives how many it waits for.
   */
  rekey(seq: number, keys: Key[], tagIds?: readonly TagId[]): number
  /** Frees those who waited for a finished operation. */
  release(seq: number): void
  /** Whether a later operation waits for this one. */
  hasWaiters(seq: number): boolean
}

const Holder = z.object({ seq: z.number(), is_exclusive: z.number() })
const KeyRow = z.object({ key: z.string(), is_exclusive: z.number() })
const Waiter = z.object({ waiter: z.number() })
const Blockers = z.object({ blockers: z.number() })

/** Call inside a transaction of the outbox. */
export function createLocks(db: Database): Locks {
  const insertKey = db.prepare('INSERT INTO operation_key (key, seq, is_exclusive) VALUES (?, ?, ?)')
  const deleteKey = db.prepare('DELETE FROM operation_key WHERE key = ? AND seq = ?')
  const shareKeys = db.prepare('UPDATE operation_key SET is_exclusive = 0 WHERE seq = ?')
  const keysOf = db.prepare('SELECT key, is_exclusive FROM operation_key WHERE seq = ?')
  const holdersBefore = `
    SELECT held.seq, held.is_exclusive FROM operation_key held JOIN operation USING (seq)
    WHERE held.key = ? AND held.seq < ?
      AND (state IN ('queued', 'sending', 'unknown') OR (state = 'rejected' AND held.is_exclusive = 1))`
  // Most keys were never held before: a look at the keys alone costs a tenth.
  const anyHolder = db.prepare('SELECT 1 FROM operation_key WHERE key = ? AND seq < ? LIMIT 1')
  const anyExclusive = db.prepare('SELECT 1 FROM operation_key WHERE key = ? AND seq < ? AND is_exclusive = 1 LIMIT 1')
  const nearestHolder = db.prepare(`${holdersBefore} ORDER BY held.seq DESC LIMIT 1`)
  const nearestExclusive = db.prepare(`${holdersBefore} AND held.is_exclusive = 1 ORDER BY held.seq DESC LIMIT 1`)
  const sharedSince = db.prepare(`${holdersBefore} AND held.seq > ? ORDER BY held.seq DESC`)
  // Later ones, for a shared key that was let go: but never who waits, over whatever detour, for us.
  const passedBy = db.prepare(`
    WITH RECURSIVE behind (seq) AS (
      SELECT waiter FROM operation_wait WHERE blocker = @seq
      UNION SELECT waiter FROM operation_wait JOIN behind ON blocker = behind.seq)
    SELECT held.seq, held.is_exclusive FROM operation_key held JOIN operation USING (seq)
    WHERE held.key = @key AND held.seq > @seq AND held.is_exclusive = 1
      AND state IN ('queued', 'sending', 'unknown') AND held.seq NOT IN (SELECT seq FROM behind)`)
  // Earlier ones that let go of a shared key and took it again behind a later holder: to wait for that one is not enough.
  const fellBehind = db.prepare(`
    WITH RECURSIVE behind (seq) AS (
      SELECT waiter FROM operation_wait WHERE blocker = @holder
      UNION SELECT waiter FROM operation_wait JOIN behind ON blocker = behind.seq)
    SELECT held.seq, held.is_exclusive FROM operation_key held JOIN operation USING (seq)
    WHERE held.key = @key AND held.seq < @holder AND held.is_exclusive = 0
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
  // Later ones that hold a key and can still be made to wait.
  const laterHolders = db.prepare(`
    SELECT held.seq, held.is_exclusive FROM operation_key held JOIN operation USING (seq)
    WHERE held.key = ? AND held.seq > ? AND state IN ('queued', 'sending', 'unknown') ORDER BY held.seq`)
  const behindOf = db.prepare(`
    WITH RECURSIVE behind (seq) AS (
      SELECT waiter FROM operation_wait WHERE blocker = @seq
      UNION SELECT waiter FROM operation_wait JOIN behind ON blocker = behind.seq)
    SELECT seq AS waiter FROM behind`)
  const blockersOf = db.prepare('SELECT blockers FROM operation WHERE seq = ?')

  /** The nearest holders of a key that an operation must wait for; earlier ones are reached through these. */
  const nearest = ({ key, isExclusive }: Key, seq: number): number[] => {
    if ((isExclusive ? anyHolder : anyExclusive).get(key, seq) === undefined) return []
    const holder = Holder.optional().parse((isExclusive ? nearestHolder : nearestExclusive).get(key, seq))
    if (!holder) return []
    if (!isExclusive) return [holder.seq]
    if (holder.is_exclusive === 1) {
      const late = fellBehind.all({ key, holder: holder.seq }).map((row) => Holder.parse(row).seq)
      return [holder.seq, ...late.filter((one) => one !== seq)]
    }
    // Shared holders stand side by side: all of them, back to the one that they wait for themselves.
    const behind = Holder.optional().parse(nearestExclusive.get(key, seq))?.seq ?? 0
    return sharedSince.all(key, seq, behind).map((row) => Holder.parse(row).seq)
  }
  const cameBy = (key: string, seq: number) => passedBy.all({ key, seq }).map((row) => Holder.parse(row).seq)
  const link = (seq: number, blockers: number[]) => {
    for (const blocker of blockers) insertWait.run(seq, blocker)
    countWaits.run(seq)
  }
  /** Those who wait for an operation, over whatever detour: it must never wait for one of them. */
  const behind = (seq: number) => new Set(behindOf.all({ seq }).map((row) => Waiter.parse(row).waiter))
  const keysHeldBy = (seq: number): Key[] =>
    keysOf
      .all(seq)
      .map((row) => KeyRow.parse(row))
      .map(({ key, is_exclusive }) => ({ key, isExclusive: is_exclusive === 1 }))
  const relink = (seq: number) => {
    deleteWaits.run(seq)
    const blockers = keysHeldBy(seq).flatMap((key) =>
      key.isExclusive ? nearest(key, seq) : [...nearest(key, seq), ...cameBy(key.key, seq)],
    )
    const waitForUs = blockers.length > 0 ? behind(seq) : new Set()
    link(
      seq,
      blockers.filter((one) => !waitForUs.has(one)),
    )
  }

  const later = (key: string, seq: number) => laterHolders.all(key, seq).map((row) => Holder.parse(row))
  /** Adds to what an operation waits for whoever holds a key before it now, but for those who wait for it themselves. */
  const waitBehind = (key: string, { seq, is_exclusive }: z.infer<typeof Holder>) => {
    const waitForIt = behind(seq)
    link(
      seq,
      nearest({ key, isExclusive: is_exclusive === 1 }, seq).filter((one) => !waitForIt.has(one)),
    )
  }

  const waiting = (seq: number) => waitersOf.all(seq).map((row) => Waiter.parse(row).waiter)

  return {
    share: (seq) => void shareKeys.run(seq),
    loosen(seq) {
      for (const waiter of waiting(seq)) relink(waiter)
    },
    retake: relink,
    giveUp(seq, keys) {
      for (const key of keys) deleteKey.run(key, seq)
      if (keys.length > 0) for (const waiter of waiting(seq)) relink(waiter)
    },
    take(seq, keys) {
      for (const { key, isExclusive } of keys) insertKey.run(key, seq, isExclusive ? 1 : 0)
      // Nobody can have come past an operation that is only now put in.
      const blockers = [...new Set(keys.flatMap((key) => nearest(key, seq)))]
      if (blockers.length > 0) link(seq, blockers)
      return blockers.length
    },
    rekey(seq, keys, tagIds = []) {
      const nameOf = ({ key, isExclusive }: Key) => `${key} ${isExclusive}`
      if (keysHeldBy(seq).map(nameOf).sort().join() !== keys.map(nameOf).sort().join()) {
        const waitedForOldKeys = waiting(seq)
        deleteKeys.run(seq)
        deleteWaitsFor.run(seq)
        for (const { key, isExclusive } of keys) insertKey.run(key, seq, isExclusive ? 1 : 0)
        for (const waiter of waitedForOldKeys) relink(waiter)
        relink(seq)
      }
      const unknowing = tagIds.flatMap((tagId) => later(tagKey(tagId), seq))
      for (const { key } of keys) {
        for (const { seq: one } of unknowing) shareKey.run(key, one)
        for (const holder of later(key, seq)) waitBehind(key, holder)
      }
      return Blockers.parse(blockersOf.get(seq)).blockers
    },
    release(seq) {
      const waiters = waiting(seq)
      const stillWaits = Blockers.parse(blockersOf.get(seq)).blockers > 0
      deleteWaitsFor.run(seq)
      for (const waiter of waiters) {
        // Withdrawn from the middle of a chain: whoever waited for it must now wait for what it waited for.
        if (stillWaits) relink(waiter)
        else countWaits.run(waiter)
      }
      if (stillWaits) {
        deleteWaits.run(seq)
        countWaits.run(seq)
      }
    },
    hasWaiters: (seq) => waitersOf.get(seq) !== undefined,
  }
}
