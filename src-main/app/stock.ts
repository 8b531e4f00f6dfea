import type { AppError } from '../../src-shared/errors'
import type { CountId } from '../../src-shared/ids'
import type { ShelfLedger } from '../../src-shared/ipc/contract/stock'
import { type Result, err, ok } from '../../src-shared/result'
import { singleFlight } from '../async'
import type { HandlersOf } from '../ipc/handlers'
import type { Gates } from '../security/gates'
import { createShelfCounts } from '../stock/counts'
import { createDropped } from '../stock/dropped'
import { createLedger } from '../stock/ledger'
import { createRefresh } from '../stock/refresh'
import { createSharedShelves } from '../stock/shared-shelves'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'

/** Shortest time between two announcements of the ledger, in ms. */
const betweenViews = 200

/** What should be on the shelf, and counts of it. */
export function createStockParts(
  { db, hub, profile, events, clock, log, atStep }: CoreContext,
  { connection, v12 }: Network,
  { seen, lookup }: LookupParts,
  gates: Gates,
) {
  let timer: NodeJS.Timeout | undefined
  const announceLedger = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      try {
        if (events.isHeard()) events.emit('stock.ledger', view())
      } catch (cause) {
        log.warn('the shelf could not be announced', { cause })
      }
    }, betweenViews).unref()
  }
  const ledger = createLedger({
    db,
    events,
    seen,
    ownDispensaryId: profile.dispensaryId,
    log,
  })
  const refresh = createRefresh({
    ledger,
    lookup,
    client: v12,
    seen,
    connection,
    ownDispensaryId: profile.dispensaryId,
    clock,
    log,
    events,
  })
  const counts = createShelfCounts({
    db,
    events,
    ledger,
    seen,
    identify: (tagId) => {
      refresh.identify(tagId)
    },
    clock,
    atStep,
    stationName: () => hub.view().station ?? undefined,
  })
  const looking = singleFlight(
    () => counts.lookAgain(),
    (cause) => {
      // If the disk refuses, the next reading looks again.
      log.warn('the differences of counts could not be looked at again', { cause })
    },
  )
  const dropped = createDropped({ db, log })
  events.on('shelf.changed', 'app/stock.ts', announceLedger)
  for (const name of ['shelf.read', 'shelf-count.late'] as const)
    events.on(name, 'app/stock.ts', () => {
      looking.ask()
    })
  events.on('shelf.item-known', 'app/stock.ts', ({ tagId }) => {
    if (counts.learned(tagId)) looking.ask()
  })
  events.on('shelf.no-item', 'app/stock.ts', ({ tagId }) => {
    counts.isNoItem(tagId)
  })
  events.on('shelf-count.dropped', 'app/stock.ts', () => {
    dropped.ask()
  })
  dropped.ask()
  const shared = hub.isSetUp
    ? createSharedShelves({
        ...{ db, events, hub, counts, log },
      })
    : undefined
  /** A step of a count that other stations may share. */
  const told = <Answer>(answer: Answer): Answer => (shared ? shared.told(answer) : answer)
  const scanned = <Answer>(answer: Answer): Answer => {
    shared?.tell()
    return answer
  }
  const view = (): ShelfLedger => ({
    items: ledger.rows.here(),
    isKnown: ledger.rows.hasItems(),
    asOf: ledger.asOf(),
    isCatchingUp: !ledger.isCaughtUp(),
    refresh: refresh.view(),
  })
  const shown = (done: Result<null, AppError>) => {
    if (done.ok) events.emit('stock.ledger', view())
    return done
  }
  const finish = async (countId: CountId) => {
    const done = await counts.finish(countId)
    // Another till may have sold what is missing: its sales are read, and then the differences are looked at again.
    if (done.ok && hub.isSetUp) shown(refresh.start())
    return told(done)
  }
  /** What the other station expects may not be known here: it is read. */
  const join = async (countId: CountId): Promise<Result<null, AppError>> => {
    if (!shared) return err({ code: 'hub/unreachable' })
    const joined = await shared.join(countId)
    return joined.ok ? shown(refresh.start()) : joined
  }
  const drop = (countId: CountId) => {
    const done = counts.drop(countId)
    if (done.ok) events.emit('shelf-count.dropped', null)
    return told(done)
  }

  const handlers: HandlersOf<'stock'> = {
    'stock.ledger': () => ok(view()),
    'stock.refresh': () => shown(refresh.start()),
    'stock.stopRefresh': () => shown(refresh.end()),
    'stock.choices': ({ text }) => ok(counts.choices(text)),
    'stock.open': () => ok(counts.open()),
    'stock.count': ({ countId }) => counts.count(countId),
    'stock.start': ({ scope }) => (shared ? shared.start(scope) : counts.start(scope)),
    'stock.storeCounts': () => ok(shared?.listed() ?? []),
    'stock.join': ({ countId }) => join(countId),
    'stock.behind': async ({ countId }) => ok((await shared?.behind(countId)) ?? []),
    'stock.scan': ({ countId, tagId }) => scanned(counts.scan(countId, tagId)),
    'stock.unscan': ({ countId, tagId }) => scanned(counts.unscan(countId, tagId)),
    'stock.late': ({ countId, after }) => counts.late(countId, after),
    'stock.recent': ({ countId }) => counts.recent(countId),
    'stock.pause': ({ countId }) => counts.pause(countId),
    'stock.resume': ({ countId }) => counts.resume(countId),
    'stock.finish': ({ countId }) => finish(countId),
    'stock.drop': ({ countId }) => drop(countId),
    'stock.recount': ({ countId }) => (shared ? shared.recount(countId) : counts.recount(countId)),
    'stock.products': ({ countId }) => counts.products(countId),
    'stock.differences': ({ countId, filter, after }) => counts.differences(countId, filter, after),
    'stock.explain': async ({ countId, which, reason, text }) =>
      scanned(await counts.explain(countId, which, reason, text ?? null)),
    'stock.sign': ({ countId, revision, permit }) =>
      gates.pass(counts.gateOfSign(countId, revision), permit, (because) =>
        told(counts.sign(countId, revision, because)),
      ),
    'stock.export': ({ countId, after }) => counts.export(countId, after),
    'stock.history': ({ before }) => ok(counts.history(before)),
  }
  return {
    ledger,
    refresh,
    handlers,
    /** What stations of a store share; nothing without a hub. */
    store: {
      /** How many scans of counts the store has not been told. */
      scansUntold: () => shared?.untold() ?? 0,
    },
    async stop(): Promise<void> {
      clearTimeout(timer)
      // The ledger at once: it ends what looks at counts again.
      await Promise.all([refresh.stop(), ledger.stop(), looking.stop(), dropped.stop(), shared?.stop()])
      clearTimeout(timer)
    },
  }
}
