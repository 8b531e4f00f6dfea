import type { Client } from '../../src-shared/ipc/client'
import { PosPair } from '../../src-shared/ipc/pos-view'
import type { PosIdsBook } from './pos-ids-book'

/** `receiving.prefills` takes so many at once. */
const mostAtOnce = 500

/** A pair that was asked for, and in which asking the last time. */
interface Asked {
  pair: PosPair
  asking: number
}

/** Asks main once for what is remembered of each product in each package. */
export class Prefills {
  readonly #client: Client
  readonly #book: PosIdsBook
  readonly #asked = new Map<string, Asked>()
  #askings = 0

  constructor(client: Client, book: PosIdsBook) {
    this.#client = client
    this.#book = book
  }

  /** Asks for those that were not asked for; a package that can't be one is asked for once it is. */
  async need(wanted: { productId: string; packageUid: string }[]): Promise<void> {
    const pairs = wanted.flatMap((one) => {
      const pair = PosPair.safeParse(one)
      return pair.success && !this.#asked.has(keyOf(pair.data)) ? [pair.data] : []
    })
    await this.#ask([...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()])
  }

  /** Asks again for all: the catalogue is another one, or none. */
  async again(): Promise<void> {
    await this.#ask([...this.#asked.values()].map(({ pair }) => pair))
  }

  forget(): void {
    this.#asked.clear()
  }

  async #ask(pairs: PosPair[]): Promise<void> {
    const asking = ++this.#askings
    // Of two answers about a pair the one that was asked for last counts.
    const isNewest = (pair: PosPair) => this.#asked.get(keyOf(pair))?.asking === asking
    for (const pair of pairs) this.#asked.set(keyOf(pair), { pair, asking })
    for (let start = 0; start < pairs.length; start += mostAtOnce) {
      const part = pairs.slice(start, start + mostAtOnce)
      const answer = await this.#client.call('receiving.prefills', { pairs: part })
      if (answer.ok) {
        for (const prefill of answer.value.filter(isNewest)) {
          this.#book.of(prefill.productId, prefill.packageUid).offer(prefill)
        }
      } else {
        // What was suggested may be wrong by now. Without it a clerk types; the next look asks again.
        for (const pair of part.filter(isNewest)) {
          this.#asked.delete(keyOf(pair))
          this.#book.of(pair.productId, pair.packageUid).withdraw()
        }
      }
    }
  }
}

const keyOf = ({ productId, packageUid }: PosPair) => `${productId}/${packageUid}`
