import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type ClaimMark, ClaimedBy } from '../../src-shared/claim'
import { TagId } from '../../src-shared/ids'
import { singleFlight } from '../core/async'
import { iso } from '../core/clock'
import type { Log } from '../core/log'
import { orderKey, tagKey } from '../outbox/payload'
import { type Settings, parseStored } from '../database/settings'
import { ComparedHub, ownFrom, seenSetting } from './memory'
import type { ClaimAnswer, ClaimHolder, ClaimWish, HeldClaim, Hub, HubNotice, OwnBefore, Release } from './port'

interface OwnClaimsParts {
  db: Database
  hub: Pick<Hub, 'claims' | 'notices' | 'stationId'>
  settings: Pick<Settings, 'read' | 'write'>
  log: Log
  /** Ms since 1970. */
  now: () => number
  /** Whether an item that another station holds can't be sold: always while the hub answers. */
  refusesHeld: () => boolean
  /** Whether the service has an item as sold; undefined without an answer. */
  isSold: (tagId: TagId) => Promise<boolean | undefined>
  /** Called when the marks of items in open sales have changed. `isGrave`: another station holds one of them. */
  onMarks: (tagIds: TagId[], isGrave: boolean) => void
  /** Called with new notices. */
  onNotices: () => void
  /**
   * Takes an item that another station took over out of the open sale that holds it, in the caller's transaction. Returns how to
   * show that, to be called after the commit; undefined if no open sale holds it.
   */
  letGo: (tagId: TagId) => (() => void) | undefined
  /** Lets go of the orders on hold that other stations have resumed: what they hold of them is no collision. */
  loseHeld: () => Promise<void>
}

/** So many keys are told at a time. */
const atOnce = 200
/** Sales of so many ms are announced to a hub that doesn't know this station: a new one, or one from a backup. */
const announced = 7 * 24 * 3_600_000

/**
 * So many reports are announced again at each new connection: a hub may have lost its last seconds. After a start the older ones
 * follow, so many at a time: what tells this process of a hub that fell back, the one before may not have seen.
 */
const announcedAgain = 100

/** Each note has a number that none had before, also of a key that was told meanwhile: an answer about an older one settles none. */
const due = 'ON CONFLICT (key) DO UPDATE SET change = excluded.change;'
const sales = `('complete', 'return', 'void')`
const isSharedKey = (key: string) => `(${key} GLOB '${tagKey('*')}' OR ${key} GLOB '${orderKey('*')}')`

/**
 * What may have to be told is noted in the commit that changes it. Triggers of this connection alone: a station without a hub
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
  WHEN ${isSharedKey('NEW.key')} AND EXISTS (SELECT 1 FROM operation WHERE seq = NEW.seq AND kind IN ${sales}) BEGIN
    INSERT INTO hub_due VALUES (NEW.key, hub_change()) ${due}
  END;
  CREATE TEMP TRIGGER hub_report_corrected AFTER DELETE ON operation_key
  WHEN ${isSharedKey('OLD.key')} AND EXISTS (SELECT 1 FROM operation WHERE seq = OLD.seq AND kind IN ${sales}) BEGIN
    INSERT INTO hub_due VALUES (OLD.key, hub_change()) ${due}
  END;
  CREATE TEMP TRIGGER hub_report_settled AFTER UPDATE OF state ON operation
  WHEN NEW.kind IN ${sales} AND NEW.state <> OLD.state
    AND (NEW.state IN ('accepted', 'cancelled') OR OLD.state IN ('accepted', 'cancelled')) BEGIN
    INSERT INTO hub_due SELECT key, hub_change() FROM operation_key WHERE seq = NEW.seq AND ${isSharedKey('key')} ${due}
  END;
  CREATE TEMP TRIGGER hub_report_dated AFTER UPDATE OF performed_at_raw, clock_offset ON operation
  WHEN NEW.kind IN ${sales} AND NEW.performed_at_raw + NEW.clock_offset <> OLD.performed_at_raw + OLD.clock_offset BEGIN
    INSERT INTO hub_due SELECT key, hub_change() FROM operation_key WHERE seq = NEW.seq AND ${isSharedKey('key')} ${due}
  END;`

const DirtyItem = z.object({ key: z.string(), change: z.number() })
const OpenOrderRow = z.object({ order_id: z.string().nullable(), held_at: z.number().nullable() })
const SaleReportRow = z.object({ kind: z.string(), state: z.string(), at: z.number(), order_id: z.string().nullable() })
const Claimed = z
  .object({ tag_id: TagId, revision: z.number().nullable(), held_by: z.string().nullable() })
  .transform(({ tag_id, revision, held_by }) => ({
    tagId: tag_id,
    revision,
    heldBy: held_by === null ? null : (parseStored(ClaimedBy, held_by) ?? null),
  }))
type Claimed = z.infer<typeof Claimed>
/** A claim in this station's name that it doesn't know. */
type Strange = Pick<HeldClaim, 'tagId' | 'revision' | 'kind'>
const Tag = z.object({ tag_id: TagId })
const Slice = z.object({ oldest: z.number().nullable(), latest: z.number().nullable() })

/** What the hub should hold of a key, by what this station has saved. `own`, also of a wish: what it may still hold. */
type Truth =
  // `before`: it came back before it was sold or scanned again.
  | { of: 'claim'; wish: ClaimWish; before: Release | null }
  | { of: 'release'; release: Release }
  | { of: 'order'; orderId: string; at: number }
  | { of: 'nothing'; tagId: TagId | null; own: OwnBefore }

export type OwnClaims = ReturnType<typeof createOwnClaims>

/** What this station knows of an item: the claim that it was granted, or the station that holds it. */
interface KnownClaim {
  revision: number | null
  heldBy: Pick<ClaimedBy, 'stationId'> | null
}

/**
 * Whether an item that another station holds is news for both. It isn't if that is known, or if a person there took over the
 * claim that this station had: `takenAt` is the newest revision of such a takeover.
 */
export const isCollision = (
  before: KnownClaim | undefined,
  by: Pick<ClaimHolder, 'stationId'>,
  takenAt: number | null,
): boolean => {
  if (before?.heldBy?.stationId === by.stationId) return false
  return before?.revision == null || takenAt === null || takenAt < before.revision
}

/** Whether a takeover is over: this station was granted the item since. */
export const isTakenBack = (before: KnownClaim | undefined, takenAt: number): boolean =>
  before?.revision != null && before.revision > takenAt

/** The station that holds an item, as a screen names it. */
export const claimedBy = ({ stationName, stationId, orderId, since, kind, revision }: ClaimHolder): ClaimedBy => ({
  station: stationName,
  stationId,
  orderId,
  since: iso(since),
  isSold: kind === 'sale',
  revision,
})

/**
 * Keeps the hub level with this station's orders and sales. What the hub should hold is read from the store each time it is
 * told: it is kept nowhere else. What could not be told stays noted. Every claim is known by its revision, so that an answer
 * that comes late undoes nothing newer.
 */
export function createOwnClaims(parts: OwnClaimsParts) {
  const { db, settings, log, now, refusesHeld, isSold, onMarks, onNotices, letGo, loseHeld } = parts
  const { claims, notices, stationId: ownId } = parts.hub
  const from = ownFrom(settings)
  let lastChange = z.number().parse(db.prepare('SELECT coalesce(max(change), 0) FROM hub_due').pluck().get())
  db.function('hub_change', () => ++lastChange)
  db.exec(triggers)
  const selectDirty = db.prepare('SELECT key, change FROM hub_due LIMIT ?')
  const noteDirty = db.prepare(`INSERT INTO hub_due VALUES (?, hub_change()) ${due}`)
  const noteAllDirty = db.prepare(`
    INSERT INTO hub_due SELECT key, hub_change() FROM operation_key JOIN operation USING (seq)
    WHERE kind IN ${sales} AND performed_at_raw >= ? AND seq > ${from} AND ${isSharedKey('key')} ${due}`)
  const newestBefore = `SELECT seq, at FROM sale_entry WHERE seq < ? AND seq > ${from} ORDER BY seq DESC LIMIT ${announcedAgain}`
  const selectSlice = db.prepare(`SELECT min(seq) AS oldest, max(at) AS latest FROM (${newestBefore})`)
  const noteSliceDirty = db.prepare(`
    INSERT INTO hub_due SELECT key, hub_change() FROM operation_key JOIN (${newestBefore}) USING (seq)
    WHERE ${isSharedKey('key')} ${due}`)
  const selectChange = db.prepare('SELECT change FROM hub_due WHERE key = ?').pluck()
  const settleDirty = db.prepare('DELETE FROM hub_due WHERE key = ? AND change = ?')
  const dropDirty = db.prepare('DELETE FROM hub_due WHERE key = ?')
  const selectOrder = db.prepare(`
    SELECT order_id, held_at FROM open_order_item JOIN open_order ON open_order.id = open_order
    WHERE tag_id = +? AND mode = 'sale'`)
  const selectReports = db.prepare(`
    SELECT kind, state, performed_at_raw + clock_offset AS at, CASE WHEN json_valid(payload) THEN payload ->> '$.orderId' END AS order_id
    FROM operation_key JOIN operation USING (seq)
    WHERE key = +? AND kind IN ${sales} AND state <> 'cancelled' AND seq > ${from} ORDER BY seq DESC`)
  const selectMade = db.prepare(`
    SELECT 1 FROM operation_key JOIN operation USING (seq) WHERE key = +? AND kind IN ${sales} AND seq > ${from} LIMIT 1`)
  const selectIsDirty = db.prepare('SELECT 1 FROM hub_due WHERE key = ?')
  const selectNewest = db.prepare('SELECT performed_at_raw + clock_offset FROM operation ORDER BY seq DESC LIMIT 1')
  const selectWas = db.prepare(`
    SELECT max(detail ->> '$.was') FROM operation_key JOIN journal ON operation_seq = operation_key.seq
    WHERE key = +? AND what = 'dated' AND json_valid(detail)`)
  const selectLines = db.prepare(`
    SELECT tag_id FROM open_order_item JOIN open_order ON open_order.id = open_order WHERE mode = 'sale'`)
  const selectClaims = db.prepare('SELECT tag_id, revision, held_by FROM hub_claim')
  const selectClaim = db.prepare('SELECT tag_id, revision, held_by FROM hub_claim WHERE tag_id = ?')
  const upsertClaim = db.prepare(`
    INSERT INTO hub_claim VALUES (?, ?, ?)
    ON CONFLICT (tag_id) DO UPDATE SET revision = excluded.revision, held_by = excluded.held_by`)
  const deleteClaim = db.prepare('DELETE FROM hub_claim WHERE tag_id = ?')
  const selectTakeover = db
    .prepare(
      `SELECT max(revision) FROM hub_notice WHERE tag_id = ? AND station_id = ? AND body ->> '$.what' = 'taken-over'`,
    )
    .pluck()
  const insertNotice = db.prepare(`
    INSERT INTO hub_notice (tag_id, revision, station_id, at, body, is_seen) VALUES (?, ?, ?, ?, ?, ?)
    -- Scanned again without the hub, an item that was taken over by this claim collides with it.
    ON CONFLICT DO UPDATE SET at = excluded.at, body = excluded.body, is_seen = excluded.is_seen
    WHERE body ->> '$.what' = 'taken-over' AND excluded.body ->> '$.what' = 'collided'`)
  const updateNotice = db.prepare('UPDATE hub_notice SET body = ? WHERE tag_id = ? AND revision = ? AND station_id = ?')
  /** What was said of an item before is over. That it was taken over stays until a person has seen it. */
  const endNotices = (which: string) =>
    db.prepare(`
      UPDATE hub_notice SET body = json_set(body, '$.isOver', json('true')), is_seen = max(is_seen, body ->> '$.what' = 'collided')
      WHERE tag_id = ? AND revision < ? AND CASE WHEN json_valid(body)
        THEN body ->> '$.what' IN ('collided', 'taken-over') AND body ->> '$.isOver' IS NOT 1 ${which} END`)
  const endAll = endNotices('')
  const endHeldThere = endNotices(`AND body ->> '$.isHeldThere' = 1`)

  /** Items that are being claimed for a scan, whose line is not saved yet. */
  const taking = new Map<TagId, number>()
  /** Items that were asked for since the start, without an answer: what the hub may have granted then is given back. */
  const asked = new Set<TagId>()
  /** The stations that the hub doesn't know all of, as it said last: what it grants is not checked with them. */
  let awaited: string[] = []
  /** Whether the hub waits for this station to announce what it holds. */
  let isAwaited = false
  /**
   * Claims from before the start, and those that the hub didn't have when it was compared: people take items over from a
   * station that is off or apart. Until the hub confirms them, they count as not checked.
   */
  const unsure = new Set<TagId>()

  /** Since the start, the reports from this one on were announced again, and older ones follow; null before, and once all were. */
  let againFrom: number | null = null
  let isPushedAgain = false
  /** Notes the next older reports, of the span that is announced to a hub that lost them. Returns whether there are any. */
  const noteOlder = (): boolean => {
    if (againFrom === null) return false
    const { oldest, latest } = Slice.parse(selectSlice.get(againFrom))
    const isInSpan = oldest !== null && latest !== null && latest >= now() - announced
    if (isInSpan) noteSliceDirty.run(againFrom)
    againFrom = isInSpan ? oldest : null
    return isInSpan
  }

  for (const row of selectClaims.all()) {
    const { tagId, revision } = Claimed.parse(row)
    if (revision !== null) unsure.add(tagId)
  }

  const claimed = (tagId: TagId): Claimed | undefined => {
    const row = selectClaim.get(tagId)
    return row === undefined ? undefined : Claimed.parse(row)
  }
  /** When this station reported last, by the service's clock. */
  const newest = () => z.number().optional().parse(selectNewest.pluck().get()) ?? 0
  /**
   * Up to when the hub may have sales of an item that this station's data knows: a time that was corrected since may have been
   * told as it was.
   */
  const upToOf = (tagId: TagId) => {
    const was = z
      .string()
      .nullable()
      .parse(selectWas.pluck().get(tagKey(tagId)))
    return Math.max(newest(), was === null ? 0 : Date.parse(was) || 0)
  }
  const reportsOf = (key: string) => selectReports.all(key).flatMap((row) => SaleReportRow.safeParse(row).data ?? [])
  const truthOfTag = (tagId: TagId): Truth => {
    const order = OpenOrderRow.optional().parse(selectOrder.get(tagId))
    const own = { known: claimed(tagId)?.revision ?? null, upTo: upToOf(tagId) }
    const reports = reportsOf(tagKey(tagId))
    // A void says nothing of sales in other orders: its order is told by itself.
    const back = reports.find(({ kind, state }) => kind === 'return' && state === 'accepted')
    const before = back ? { tagId, at: back.at } : null
    if (order) {
      const kind = order.held_at === null ? 'cart' : 'held'
      return { of: 'claim', wish: { tagId, kind, orderId: order.order_id, at: 0, own }, before }
    }
    for (const { kind, state, at, order_id: orderId } of reports) {
      if (kind === 'complete') return { of: 'claim', wish: { tagId, kind: 'sale', orderId, at, own }, before }
      // Until the service has it, the item is not for sale elsewhere.
      if (state === 'accepted') break
    }
    return before ? { of: 'release', release: { ...before, own } } : { of: 'nothing', tagId, own }
  }
  const truthOf = (key: string): Truth => {
    const tagId = key.startsWith(tagKey('')) ? TagId.safeParse(key.slice(tagKey('').length)).data : undefined
    if (tagId !== undefined) return truthOfTag(tagId)
    const done = reportsOf(key).find(({ kind, state }) => kind === 'void' && state === 'accepted')
    return done?.order_id == null
      ? { of: 'nothing', tagId: null, own: { known: null, upTo: 0 } }
      : { of: 'order', orderId: done.order_id, at: done.at }
  }

  /** Tells the hub all of these; undefined if it didn't answer. */
  const push = async (truths: Truth[]): Promise<Map<TagId, ClaimAnswer> | undefined> => {
    const wishes = truths.flatMap((one) => (one.of === 'claim' ? [one.wish] : []))
    const releases = truths.flatMap((one) =>
      one.of === 'release' ? [one.release] : one.of === 'claim' ? (one.before ?? []) : [],
    )
    const free = truths.flatMap((one) =>
      one.of === 'nothing' && one.tagId !== null
        ? [{ tagId: one.tagId, revision: one.own.known ?? 0, upTo: one.own.upTo }]
        : [],
    )
    if (free.length > 0 && !(await claims.free(free))) return undefined
    if (releases.length > 0 && !(await claims.released(releases))) return undefined
    for (const one of truths)
      if (one.of === 'order' && !(await claims.releasedOrder(one.orderId, one.at))) return undefined
    return wishes.length > 0 ? await claims.announce(wishes) : new Map()
  }

  /** The station that holds an item, if both stations must be told that. */
  const collisionIn = (wish: ClaimWish, answer: ClaimAnswer | undefined): ClaimHolder | undefined => {
    if (answer?.kind !== 'held' || answer.by.stationId === ownId) return undefined
    const { tagId, stationId } = answer.by
    const takenAt = z.number().nullable().parse(selectTakeover.get(tagId, stationId))
    return isCollision(claimed(wish.tagId), answer.by, takenAt) ? answer.by : undefined
  }

  /** Notices have ended, and that wasn't shown yet. */
  let hasEnded = false
  const showEnded = () => {
    if (hasEnded) onNotices()
    hasEnded = false
  }
  /** The hub granted an item to this station: that another one held it before is over. */
  const granted = (tagId: TagId, revision: number) => {
    if (endHeldThere.run(tagId, revision).changes > 0) hasEnded = true
  }

  const hasChanged = (key: string, change: number) => selectChange.get(key) !== change
  /** Saves what the hub answered, and that it was told. What has changed meanwhile stays noted. Returns changed marks. */
  const settle = db.transaction(
    (told: { key: string; change: number; truth: Truth }[], answers: ReadonlyMap<TagId, ClaimAnswer>) => {
      const changed: TagId[] = []
      for (const { key, change, truth } of told) {
        if (truth.of === 'claim') {
          const { tagId, kind } = truth.wish
          const answer = answers.get(tagId)
          if (!answer || answer.kind === 'offline') continue
          // The line may have left meanwhile: asked again, the hub says the same of one that is still there.
          if (answer.kind === 'held' && hasChanged(key, change)) continue
          const by = collisionIn(truth.wish, answer)
          if (by) keepNotice({ ...by, what: 'collided', because: null, at: now() }, true)
          if (kind === 'sale' && answer.kind === 'granted') granted(tagId, answer.revision)
          if (answer.kind === 'over' || (kind === 'sale' && answer.kind === 'granted'))
            forget(tagId, truth.wish.own?.known)
          // Compared again and again: the other station's sale may be withdrawn.
          else if (kind === 'sale') keepAnswer(tagId, answer)
          else if (keepAnswer(tagId, answer)) changed.push(tagId)
        } else if (truth.of === 'release') forget(truth.release.tagId, truth.release.own?.known)
        else if (truth.of === 'nothing' && truth.tagId !== null) forget(truth.tagId, truth.own.known)
        settleDirty.run(key, change)
      }
      return changed
    },
  )
  /** Notes of whom the hub doesn't know all. Returns whether a claim that it granted counts as not checked therefore. */
  const isGrantedAlone = (tagId: TagId, without: string[] = []) => {
    awaited = without
    if (without.length > 0) unsure.add(tagId)
    return without.length > 0
  }
  /** An item that is in no open sale, unless it was granted to one since: then that counts. */
  const forget = (tagId: TagId, known: number | null = null) => {
    if ((claimed(tagId)?.revision ?? null) === known) deleteClaim.run(tagId)
  }
  /** Returns whether the item's mark is another one now. */
  const keepAnswer = (tagId: TagId, answer: Extract<ClaimAnswer, { kind: 'granted' | 'held' }>): boolean => {
    const before = claimed(tagId)
    const revision = answer.kind === 'granted' ? answer.revision : answer.by.revision
    // Granted again, by a scan, since this was asked.
    if (before?.revision != null && before.revision > revision) return false
    const wasUnsure = unsure.delete(tagId)
    if (answer.kind === 'granted') {
      upsertClaim.run(tagId, revision, null)
      granted(tagId, revision)
      const isUnsure = isGrantedAlone(tagId, answer.awaited)
      return wasUnsure !== isUnsure || before?.revision == null
    }
    const heldBy = claimedBy(answer.by)
    upsertClaim.run(tagId, null, JSON.stringify(heldBy))
    return JSON.stringify(before?.heldBy) !== JSON.stringify(heldBy)
  }
  /**
   * Returns whether a person must see it, and how to show what it changed here. `isHeldThere`: the hub has the item as the other
   * station's, not as this one's.
   */
  const keepNotice = (notice: HubNotice, isHeldThere: boolean): { isNew: boolean; show?: (() => void) | undefined } => {
    const { tagId, revision, stationId, at, what, stationName, orderId, because } = notice
    const own = ownOrder(tagId)
    const before = claimed(tagId)
    const isOver = what === 'taken-over' && isTakenBack(before, revision)
    const bodyOf = (hasLeft: boolean) =>
      JSON.stringify({ what, station: stationName, orderId, because, ...own, hasLeft, isHeldThere, isOver })
    const key = [tagId, revision, stationId] as const
    const isNew = insertNotice.run(...key, Math.round(at), bodyOf(false), Number(isOver)).changes > 0
    if (!isNew || isOver || what !== 'taken-over') return { isNew: isNew && !isOver }
    const show = letGo(tagId)
    if (!show) return { isNew }
    updateNotice.run(bodyOf(true), ...key)
    endAll.run(tagId, revision)
    return { isNew, show }
  }
  /** The order of this station that an item is in, or was sold in. */
  const ownOrder = (tagId: TagId): { ownOrderId: string | null; isSoldHere: boolean } => {
    const truth = truthOfTag(tagId)
    const wish = truth.of === 'claim' ? truth.wish : undefined
    return { ownOrderId: wish?.orderId ?? null, isSoldHere: wish?.kind === 'sale' }
  }

  /** Saves what other stations say of this station's items, and lets go of those that were taken over. */
  const readNotices = async () => {
    const told = await notices.read()
    if (!told || told.length === 0) return
    const kept = db.transaction(() => told.map((one) => keepNotice(one, one.what === 'taken-over'))).immediate()
    for (const { show } of kept) show?.()
    if (kept.some(({ isNew }) => isNew)) onNotices()
    await notices.done(told)
    if (kept.some(({ show }) => show !== undefined)) pushing.ask()
  }

  const pushAll = async () => {
    /** Keys without an answer: they are asked for with the next change, and hold up no other one. */
    const unanswered = new Set<string>()
    for (;;) {
      const rows = selectDirty.all(atOnce + taking.size + unanswered.size).map((row) => DirtyItem.parse(row))
      const told = rows
        .filter(({ key }) => !unanswered.has(key))
        .map(({ key, change }) => ({ key, change, truth: truthOf(key) }))
        .filter(({ truth }) => truth.of !== 'nothing' || truth.tagId === null || !taking.has(truth.tagId))
      showEnded()
      if (told.length === 0 && unanswered.size === 0 && noteOlder()) continue
      if (told.length === 0) {
        if (isAwaited && unanswered.size === 0 && (await claims.announced())) isAwaited = false
        return
      }
      const answers = await push(told.map(({ truth }) => truth))
      if (!answers) return
      // Whether a person took it over is known from that person's notice; or its order, by the order.
      if ([...answers.values()].some(({ kind }) => kind === 'held')) {
        await readNotices()
        await loseHeld()
      }
      // Told before it is saved here: told again after a crash, it is still one notice.
      const collisions = told.flatMap(({ key, change, truth }) => {
        if (hasChanged(key, change)) return []
        const by = truth.of === 'claim' ? collisionIn(truth.wish, answers.get(truth.wish.tagId)) : undefined
        if (truth.of !== 'claim' || !by) return []
        const { tagId, orderId } = truth.wish
        return {
          to: by.stationId,
          notice: { tagId, revision: by.revision, what: 'collided' as const, orderId, because: null },
        }
      })
      if (collisions.length > 0 && !(await notices.push(collisions))) return
      const changed = settle.immediate(told, answers)
      if (changed.length > 0) {
        onMarks(
          changed,
          changed.some((tagId) => answers.get(tagId)?.kind === 'held'),
        )
      }
      if (collisions.length > 0) onNotices()
      for (const { key, truth } of told)
        if (truth.of === 'claim' && (answers.get(truth.wish.tagId)?.kind ?? 'offline') === 'offline')
          unanswered.add(key)
    }
  }
  const pushing = singleFlight(pushAll, (cause) => {
    log.error('the hub could not be told', { cause })
  })

  const allClaimed = () =>
    new Map(
      selectClaims
        .all()
        .map((row) => Claimed.parse(row))
        .map((one) => [one.tagId, one]),
    )
  /**
   * Notes what the hub holds and this station doesn't know of, and the other way around. `before`: the claims when the hub was
   * asked. Returns those that it confirmed, and those that it doesn't have.
   */
  const noteDifferences = db.transaction(
    (
      { hubId, newest, claims: held }: NonNullable<Awaited<ReturnType<typeof claims.own>>>,
      before: ReadonlyMap<TagId, Claimed>,
      upTo: number,
    ) => {
      const seen = settings.read(seenSetting, ComparedHub)
      // A hub that knows less than it did, or another one: it lost what this station told.
      if (seen?.hubId !== hubId || newest < seen.newest) noteAllDirty.run(now() - announced)
      if (seen?.hubId !== hubId || seen.newest !== newest || seen.upTo !== upTo)
        settings.write(seenSetting, { hubId, newest, upTo })
      const known = allClaimed()
      const atHub = new Set(held.flatMap(({ tagId, kind }) => (kind === 'sale' ? [] : [tagId])))
      const sure: TagId[] = []
      const strange: Strange[] = []
      for (const { tagId, revision, kind, orderId } of held) {
        const isKnown = known.get(tagId)?.revision === revision
        if (kind !== 'sale' && isKnown && unsure.has(tagId) && awaited.length === 0) sure.push(tagId)
        if (kind === 'sale') {
          const truth = truthOfTag(tagId)
          // Told, and withdrawn before that reached the hub.
          const isSoldHere = truth.of === 'claim' && truth.wish.kind === 'sale' && truth.wish.orderId === orderId
          if (isSoldHere) continue
          if (isMade(tagId, orderId)) noteDirty.run(tagKey(tagId))
          else strange.push({ tagId, revision, kind })
          continue
        }
        const order = OpenOrderRow.optional().parse(selectOrder.get(tagId))
        const isOther = order && (order.order_id !== orderId || (order.held_at === null ? 'cart' : 'held') !== kind)
        // A scan's claim that reached the hub late names the order as it was then.
        if (order && isKnown && !isOther) continue
        if (!order && !isKnown && !asked.has(tagId)) {
          if (!taking.has(tagId)) strange.push({ tagId, revision, kind })
          continue
        }
        // The answer that granted it was lost, or that freed it. Without a line it is freed by this revision.
        if (!taking.has(tagId) && !order) upsertClaim.run(tagId, revision, null)
        noteDirty.run(tagKey(tagId))
      }
      const lacking = [...known.values()].filter(({ tagId }) => !atHub.has(tagId))
      for (const { tagId } of lacking) noteDirty.run(tagKey(tagId))
      for (const row of selectLines.all()) {
        const { tag_id: tagId } = Tag.parse(row)
        if (!known.has(tagId)) noteDirty.run(tagKey(tagId))
      }
      // What was granted since the hub was asked isn't in its answer.
      const isOld = ({ tagId, revision }: Claimed) => revision !== null && before.get(tagId)?.revision === revision
      return { sure, strange, lost: lacking.filter(isOld).map(({ tagId }) => tagId) }
    },
  )

  /** A report of this station with this item or order, also one that was withdrawn, or that is being told. */
  const isMade = (tagId: TagId, orderId: string | null) =>
    selectIsDirty.get(tagKey(tagId)) !== undefined ||
    selectMade.get(orderId === null ? tagKey(tagId) : orderKey(orderId)) !== undefined

  /**
   * What the hub holds in this station's name, and this station has no word of: it stopped between the hub's answer and its commit,
   * or another copy of its data was here. A sale is the other copy's; of the rest the service is asked first.
   */
  const settleStrange = async (strange: Strange[]) => {
    const others: Strange[] = []
    for (const one of strange) {
      const isSoldThere = one.kind === 'sale' ? true : await isSold(one.tagId)
      if (isSoldThere) others.push(one)
      // Scanned, or being scanned, meanwhile: the line and its claim count.
      else if (isSoldThere === false && !taking.has(one.tagId) && claimed(one.tagId) === undefined)
        keepWithoutLine(one.tagId, one.revision)
    }
    if (others.length === 0) return
    log.warn('the store hub knows sales of this station that its data lacks', { count: others.length })
    await claims.disown(others)
  }

  const comparing = singleFlight(
    async () => {
      const before = allClaimed()
      const upTo = newest()
      const own = await claims.own(settings.read(seenSetting, ComparedHub)?.upTo ?? 0)
      if (!own) return
      awaited = own.awaited
      isAwaited = own.isAwaited
      const { sure, lost, strange } = noteDifferences.immediate(own, before, upTo)
      await settleStrange(strange)
      for (const tagId of sure) unsure.delete(tagId)
      for (const tagId of lost) unsure.add(tagId)
      if (sure.length + lost.length > 0) onMarks([...sure, ...lost], false)
      pushing.ask()
      await readNotices()
    },
    (cause) => {
      log.error('what the hub holds could not be compared', { cause })
    },
  )

  /** A claim whose scan got no line, or was the second of the same item. */
  const keepWithoutLine = (tagId: TagId, revision: number) => {
    if ((claimed(tagId)?.revision ?? 0) >= revision) return
    try {
      upsertClaim.run(tagId, revision, null)
      noteDirty.run(tagKey(tagId))
    } catch (cause) {
      // The next comparison finds it.
      log.warn('a claim could not be given back', { cause })
    }
  }

  const unprotect = (tagId: TagId) => {
    const others = (taking.get(tagId) ?? 1) - 1
    if (others > 0) taking.set(tagId, others)
    else taking.delete(tagId)
  }

  /** Claims an item by `ask`. Until `put` returns, the claim is not given back as one without a line. */
  const taken = async <T>(
    tagId: TagId,
    ask: () => Promise<ClaimAnswer>,
    put: (answer: ClaimAnswer) => T,
  ): Promise<T> => {
    taking.set(tagId, (taking.get(tagId) ?? 0) + 1)
    try {
      const answer = await ask()
      if (answer.kind === 'offline') asked.add(tagId)
      if (answer.kind === 'granted') awaited = answer.awaited ?? []
      const done = put(answer)
      showEnded()
      if (answer.kind === 'granted') keepWithoutLine(tagId, answer.revision)
      return done
    } finally {
      unprotect(tagId)
      pushing.ask()
    }
  }

  return {
    /** Tells the hub what is noted. Call after a commit that changed orders or reports. Never rejects. */
    push: () => {
      pushing.ask()
    },
    /** Compares with what the hub holds, after a start or an outage, and reads what other stations tell. Never rejects. */
    compare: () => {
      comparing.ask()
    },
    /** Claims an item for a scan. `put` saves its line, and with `keep` its claim, in one commit. */
    take: <T>(wish: ClaimWish, put: (answer: ClaimAnswer) => T): Promise<T> =>
      taken(
        wish.tagId,
        () => claims.take({ ...wish, own: { known: claimed(wish.tagId)?.revision ?? null, upTo: upToOf(wish.tagId) } }),
        put,
      ),
    /** Takes an item over from another station. `put` as for `take`. */
    takeOver: <T>(
      wish: ClaimWish,
      from: Pick<ClaimHolder, 'stationId' | 'revision'>,
      because: string | null,
      put: (answer: ClaimAnswer) => T,
    ): Promise<T> => taken(wish.tagId, () => claims.takeOver(wish, from, because), put),
    /**
     * Saves a granted claim, after its line and in the same transaction. `isLevel`: the hub knows the order as it is now. Throws
     * when the disk refuses.
     */
    keep(tagId: TagId, { revision, isInSync }: { revision: number; isInSync: boolean }) {
      if (!isGrantedAlone(tagId, awaited)) unsure.delete(tagId)
      upsertClaim.run(tagId, revision, null)
      granted(tagId, revision)
      if (isInSync) dropDirty.run(tagKey(tagId))
      else noteDirty.run(tagKey(tagId))
    },
    /** Items whose lines are saved soon: until `work` ends, their claims are not given back as ones without a line. */
    async protect<T>(tagIds: TagId[], work: () => Promise<T>): Promise<T> {
      for (const tagId of tagIds) taking.set(tagId, (taking.get(tagId) ?? 0) + 1)
      try {
        return await work()
      } finally {
        for (const tagId of tagIds) unprotect(tagId)
        pushing.ask()
      }
    },
    /**
     * These items may be another station's by now: they are marked until the hub says. What was known of them stays, so that
     * a takeover isn't told once more as a collision. Throws when the disk refuses.
     */
    doubt(tagIds: TagId[]) {
      for (const tagId of tagIds) {
        if (claimed(tagId)?.revision != null) unsure.add(tagId)
        noteDirty.run(tagKey(tagId))
      }
    },
    /** A line that was scanned without an answer: what is known of an earlier line doesn't count. Throws when the disk refuses. */
    keepUnchecked(tagId: TagId) {
      deleteClaim.run(tagId)
      noteDirty.run(tagKey(tagId))
    },
    /**
     * Tells the newest reports again, at each new connection: a hub that fell back by seconds lacks them. At the first one after a
     * start, those of seven days. Never rejects.
     */
    pushAgain() {
      try {
        noteSliceDirty.run(Number.MAX_SAFE_INTEGER)
        if (!isPushedAgain) againFrom = Slice.parse(selectSlice.get(Number.MAX_SAFE_INTEGER)).oldest
        isPushedAgain = true
      } catch (cause) {
        log.warn('the newest reports could not be noted', { cause })
      }
      pushing.ask()
    },
    /** Another process works as this station, and may let go of whatever this one holds: nothing counts as checked. */
    doubtAll() {
      const doubted = [...allClaimed().values()].filter(
        ({ tagId, revision }) => revision !== null && !unsure.has(tagId),
      )
      for (const { tagId } of doubted) unsure.add(tagId)
      if (doubted.length > 0)
        onMarks(
          doubted.map(({ tagId }) => tagId),
          false,
        )
    },
    /** What a screen says of the claim of an item in a sale; null if the hub has granted it. */
    markOf(tagId: TagId): ClaimMark | null {
      const known = claimed(tagId)
      if (known?.revision != null) {
        if (!unsure.has(tagId)) return null
        return awaited.length > 0 ? { kind: 'unchecked', awaited } : { kind: 'unchecked' }
      }
      return known?.heldBy ? { kind: 'held', by: known.heldBy, isRefused: refusesHeld() } : { kind: 'unchecked' }
    },
    /** Call when the situation has changed: what another station holds may be sold or refused now. */
    situationChanged() {
      const held = selectClaims.all().flatMap((row) => {
        const { tagId, heldBy } = Claimed.parse(row)
        return heldBy ? [tagId] : []
      })
      if (held.length > 0) onMarks(held, false)
    },
    /** Ends telling. Resolves when nothing is under way. */
    stop: async () => {
      await comparing.stop()
      await pushing.stop()
    },
  }
}
