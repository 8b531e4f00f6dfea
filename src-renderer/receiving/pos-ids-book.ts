import type { Client } from '../../src-shared/ipc/client'
import { packageUidOf } from '../../src-shared/scan/packages'
import { PosPair } from '../../src-shared/ipc/contract/receiving'
import { PosIds } from './pos-ids.svelte'

/** `receiving.prefills` accepts so many pairs at once. */
const mostAtOnce = 500

/** The POS ids of every product in every package of the delivery. Asks main once for the suggestions of each pair. */
export class PosIdsBook {
  readonly #client: Client
  readonly #known = new Map<string, PosIds>()
  /** The pairs that were asked about, each with the number of its newest request. */
  readonly #asked = new Map<string, { pair: PosPair; request: number }>()
  #requests = 0

  constructor(client: Client) {
    this.#client = client
  }

  of(productId: string, packageUid: string): PosIds {
    const key = keyOf({ productId, packageUid })
    const ids = this.#known.get(key) ?? new PosIds()
    this.#known.set(key, ids)
    return ids
  }

  /** Asks about pairs that were not asked about yet. Leaves out a package that is not a valid tag. */
  async need(wanted: { productId: string; packageUid: string }[]): Promise<void> {
    const pairs = new Map<string, PosPair>()
    for (const one of wanted) {
      // Made here: what is drawn doesn't follow state that was only made while it was drawn.
      this.of(one.productId, packageUidOf(one.packageUid))
      const pair = PosPair.safeParse(one)
      if (pair.success && !this.#asked.has(keyOf(one))) pairs.set(keyOf(one), pair.data)
    }
    await this.#ask([...pairs.values()])
  }

  /** Asks about all pairs again: a catalogue was loaded or removed. */
  async again(): Promise<void> {
    await this.#ask([...this.#asked.values()].map(({ pair }) => pair))
  }

  forget(): void {
    this.#known.clear()
    this.#asked.clear()
  }

  async #ask(pairs: PosPair[]): Promise<void> {
    const request = ++this.#requests
    // A pair takes the answer to its newest request.
    const isNewest = (pair: PosPair) => this.#asked.get(keyOf(pair))?.request === request
    for (const pair of pairs) this.#asked.set(keyOf(pair), { pair, request })
    for (let start = 0; start < pairs.length; start += mostAtOnce) {
      const part = pairs.slice(start, start + mostAtOnce)
      const answer = await this.#client.call('receiving.prefills', { pairs: part })
      if (answer.ok) {
        for (const prefill of answer.value.filter(isNewest)) {
          this.of(prefill.productId, prefill.packageUid).offer(prefill)
        }
      } else {
        // Older suggestions may be wrong by now. Asked about again when they are next needed.
        for (const pair of part.filter(isNewest)) {
          this.#asked.delete(keyOf(pair))
          this.of(pair.productId, pair.packageUid).withdraw()
        }
      }
    }
  }
}

const keyOf = ({ productId, packageUid }: { productId: string; packageUid: string }) => `${productId}/${packageUid}`
