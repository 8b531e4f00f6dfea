import { setImmediate } from 'node:timers/promises'
import type { TagId } from '../../src-shared/ids'
import type { CartMode } from '../../src-shared/ipc/contract/checkout'
import type { VerdictKind } from '../../src-shared/verdict'
import type { Operation } from '../outbox/operation'
import type { Counter } from './counter'
import type { ReevaluatedItem, Reevaluation } from './reevaluation'
import { type ItemHeard, onLateAnswer } from './scan'

/** Verdicts that an import, or the removal of one, changes. */
const ofInventory: VerdictKind[] = ['sellable', 'not-imported', 'other-company', 'sister-store']

/** What becomes known of the items of open orders after their scans: late answers, imports, other stations' claims. */
export class ItemNews {
  readonly #counter: Counter
  readonly #reevaluation: Reevaluation
  #isAskingAgain = false

  constructor(counter: Counter, reevaluation: Reevaluation) {
    this.#counter = counter
    this.#reevaluation = reevaluation
    const { events } = counter
    const who = 'counter/item-news.ts'
    events.on('operation.changed', who, (operation) => {
      this.#importChanged(operation)
    })
    events.on('claims.changed', who, (changed) => {
      this.#claimsChanged(changed)
    })
    events.on('service.back', who, () => void this.askAgain())
  }

  /** Shows what the service says of an item whose scan is answered without it. Never rejects. */
  async follow(tagId: TagId, asked: Promise<ItemHeard>): Promise<void> {
    try {
      const answer = await asked
      // The scan is answered first: its notice must be there before it is updated.
      await setImmediate()
      this.#heard(tagId, answer)
    } catch (cause) {
      this.#counter.log.error('a late look-up failed', { cause })
    }
  }

  /** Asks again about the items of all open orders about which the service has not answered. Never rejects. */
  async askAgain(): Promise<void> {
    // A service that answers every other request calls this often.
    if (this.#isAskingAgain) return
    this.#isAskingAgain = true
    await this.#askAbout(this.#counter.orders.unheard())
    this.#isAskingAgain = false
  }

  /** Asks about all items of the current order: minutes or days may have passed since they were scanned. Never rejects. */
  askAboutAll(mode: CartMode): Promise<void> {
    const { orders } = this.#counter
    return this.#askAbout(orders.itemsOf(orders.front(mode)))
  }

  async #askAbout(items: readonly { tagId: TagId }[]): Promise<void> {
    const { orders, verdicts, log } = this.#counter
    try {
      for (const { tagId } of items) {
        // Taken out or sold meanwhile.
        if (orders.holderOf(tagId)) this.#heard(tagId, await verdicts.ask(tagId))
      }
    } catch (cause) {
      log.error('items could not be asked about again', { cause })
    }
  }

  #heard(tagId: TagId, answer: ItemHeard): void {
    const { orders, verdicts, rules } = this.#counter
    const order = orders.holderOf(tagId)
    const item = order && orders.itemOf(order, tagId)
    if (!order || !item) return
    const verdict = verdicts.byAnswer(order.mode, tagId, answer, order.id)
    const news = onLateAnswer(item, { answer, verdict }, rules.view())
    if (!news || !this.#reevaluation.save(order, tagId, news.saving).ok) return
    if (order.heldAt === null) this.#reevaluation.announceFlags(order.mode, news.isFlagged ? [tagId] : [])
    else this.#counter.carts.announceHeld()
  }

  /** Updates the verdicts on a case's items when its import or the removal of its import changes. */
  #importChanged({ payload }: Operation): void {
    if (payload?.kind !== 'import' && payload?.kind !== 'import-removal') return
    const { orders, lookup, verdicts } = this.#counter
    for (const order of [orders.front('sale'), ...orders.held()]) {
      const changes = orders.itemsOf(order).flatMap(({ tagId, found }): ReevaluatedItem[] => {
        if (!ofInventory.includes(found.kind)) return []
        if (lookup.cached(tagId)?.caseId !== payload.caseId) return []
        const now = verdicts.before('sale', tagId, order.id)
        return now.kind === found.kind ? [] : [{ tagId, now, permitted: null, isNews: true }]
      })
      this.#reevaluation.replace(order, changes)
    }
  }

  /** Shows what the other stations hold of open sales. */
  #claimsChanged({ tagIds, isGrave }: { tagIds: TagId[]; isGrave: boolean }): void {
    const { orders } = this.#counter
    const front = orders.front('sale')
    const shown = orders.itemsOf(front).flatMap(({ tagId }) => (tagIds.includes(tagId) ? [tagId] : []))
    if (shown.length > 0) {
      orders.raise('sale', isGrave ? 'warning' : 'news')
      this.#reevaluation.announceFlags('sale', isGrave ? shown : [])
    }
    if (shown.length < tagIds.length) this.#counter.carts.announceHeld()
  }
}
