import { ShelfCounts } from '../counting/shelf/counts'
import { DroppedCounts } from '../counting/shelf/dropped'
import { LookingAgain } from '../counting/shelf/looking-again'
import { SharedShelves } from '../counting/shelf/shared-shelves'
import type { Gates } from '../security/gates'
import { stockHandlers } from '../stock/handlers'
import { Ledger } from '../stock/ledger'
import { LedgerView } from '../stock/ledger-view'
import { Refresh } from '../stock/refresh'
import type { StockContext } from '../stock/stock-context'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'

/** What should be on the shelf, and counts of it. */
export function createStockParts(
  context: CoreContext,
  { connection, v12 }: Network,
  { seen, lookup }: LookupParts,
  gates: Gates,
) {
  const { hub, profile, events, log } = context
  const shelf: StockContext = {
    ...{ ...context, seen, lookup, connection },
    client: v12,
    ownDispensaryId: profile.dispensaryId,
  }
  const ledger = new Ledger(shelf)
  const refresh = new Refresh(shelf, ledger)
  const view = new LedgerView({ ledger, refresh, events, log })
  const counts = new ShelfCounts({
    ...{ ...context, ledger, seen },
    identify: (tagId) => {
      refresh.identify(tagId)
    },
    stationName: () => hub.view().station ?? undefined,
  })
  const looking = new LookingAgain(context, counts)
  const dropped = new DroppedCounts(context)
  dropped.ask()
  const shared = hub.isSetUp ? new SharedShelves({ ...context, counts }) : undefined

  return {
    ledger,
    refresh,
    handlers: stockHandlers(shelf, gates, counts, refresh, view, shared),
    /** What stations of a store share; nothing without a hub. */
    store: {
      /** How many scans of counts the store has not been told. */
      scansUntold: () => shared?.pending() ?? 0,
    },
    async stop(): Promise<void> {
      view.stop()
      // The ledger at once: it ends what looks at counts again.
      await Promise.all([refresh.stop(), ledger.stop(), looking.stop(), dropped.stop(), shared?.stop()])
      view.stop()
    },
  }
}
