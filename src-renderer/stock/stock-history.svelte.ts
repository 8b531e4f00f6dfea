import type { Client } from '../../src-shared/ipc/client'
import type { ShelfCount, ShelfPast } from '../../src-shared/ipc/contract/stock'
import { ok } from '../../src-shared/result'
import { PagedList } from '../ui/paged-list.svelte'

/** Finished and signed counts, newest first. */
export class StockHistory extends PagedList<ShelfPast> {
  /** Signed counts with an accuracy, oldest first: what the plot shows. */
  plotted = $derived((this.rows ?? []).filter(({ state }) => state === 'signed').toReversed())

  constructor(client: Client) {
    super(async (before) => {
      const answer = await client.call('stock.history', { before })
      return answer.ok ? ok({ rows: answer.value.counts, next: answer.value.next, head: null }) : answer
    })
  }

  /** A count was finished, signed, or has other figures. */
  changed({ id, state, results, signedAt }: ShelfCount): void {
    const known = this.rows?.find((one) => one.id === id)
    if (known?.state === state)
      this.patch((rows) => rows.map((one) => (one.id === id ? { ...one, results, signedAt } : one)))
    else if (known || state === 'finished') void this.reload()
  }
}
