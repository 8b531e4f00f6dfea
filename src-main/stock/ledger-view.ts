import type { ShelfLedger } from '../../src-shared/ipc/contract/stock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { Ledger } from './ledger'
import type { Refresh } from './refresh'

interface LedgerViewContext {
  ledger: Pick<Ledger, 'rows' | 'asOf' | 'isCaughtUp'>
  refresh: Pick<Refresh, 'view'>
  events: Pick<MainEvents, 'emit' | 'isHeard' | 'on'>
  log: Pick<Log, 'warn'>
}

/** Shortest time between two announcements of the ledger, in ms. */
const betweenViews = 200

/** What should be on the shelf, as screens see it: announced to them while one is open, not more often than they can show it. */
export class LedgerView {
  readonly #context: LedgerViewContext
  #timer: NodeJS.Timeout | undefined

  constructor(context: LedgerViewContext) {
    this.#context = context
    context.events.on('shelf.changed', 'stock/ledger-view.ts', () => {
      this.#timer ??= setTimeout(() => {
        this.#announce()
      }, betweenViews).unref()
    })
  }

  view(): ShelfLedger {
    const { ledger, refresh } = this.#context
    return {
      items: ledger.rows.here(),
      isKnown: ledger.rows.hasItems(),
      asOf: ledger.asOf(),
      unread: ledger.rows.unread(),
      isCatchingUp: !ledger.isCaughtUp(),
      refresh: refresh.view(),
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #announce(): void {
    const { events, log } = this.#context
    this.#timer = undefined
    try {
      if (events.isHeard()) events.emit('stock.ledger', this.view())
    } catch (cause) {
      log.warn('the shelf could not be announced', { cause })
    }
  }
}
