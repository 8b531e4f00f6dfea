import type { ShelfLedger } from '../../src-shared/ipc/contract/stock'
import { singleFlight } from '../core/async'
import type { Gates } from '../security/gates'
import { createShelfCounts } from '../counting/shelf/counts'
import { createDropped } from '../counting/shelf/dropped'
import { stockHandlers } from '../stock/handlers'
import { createLedger } from '../stock/ledger'
import { createRefresh } from '../stock/refresh'
import { createSharedShelves } from '../counting/shelf/shared-shelves'
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
  const view = (): ShelfLedger => ({
    items: ledger.rows.here(),
    isKnown: ledger.rows.hasItems(),
    asOf: ledger.asOf(),
    isCatchingUp: !ledger.isCaughtUp(),
    refresh: refresh.view(),
  })

  return {
    ledger,
    refresh,
    handlers: stockHandlers({ events, gates, counts, refresh, shared, view }),
    /** What stations of a store share; nothing without a hub. */
    store: {
      /** How many scans of counts the store has not been told. */
      scansUntold: () => shared?.pending() ?? 0,
    },
    async stop(): Promise<void> {
      clearTimeout(timer)
      // The ledger at once: it ends what looks at counts again.
      await Promise.all([refresh.stop(), ledger.stop(), looking.stop(), dropped.stop(), shared?.stop()])
      clearTimeout(timer)
    },
  }
}
