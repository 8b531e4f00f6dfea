import { SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CountId, ShortUuid, TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import { type ExportFile, mostAtOnce } from '../../src-shared/ipc/contract/call'
import {
  type DifferenceChoice,
  type DifferenceFilter,
  DifferenceKind,
  type ShelfCount,
  type ShelfDifference,
  type ShelfLate,
  type ShelfLine,
  type ShelfProduct,
  type ShelfReason,
  kindOf,
} from '../../src-shared/ipc/contract/stock'
import type { Result } from '../../src-shared/result'
import { Ask } from '../ui/ask.svelte'
import { isLeft } from '../ui/gate.svelte'
import { shelfFile } from './shelf-csv'

/** Which differences are listed. */
export const resultFilters = ['all', 'missing', 'unexpected', 'open'] as const
export type ResultFilter = (typeof resultFilters)[number]

interface FilePart {
  fileName: string
  lines: ShelfLine[]
  next: number | null
}

/** How many differences there are of a kind. */
export interface OfKind {
  kind: DifferenceKind
  count: number
}

/** The reason of all differences of a kind. `text`: what happened, in a person's words. */
export interface KindReason {
  reason: ShelfReason
  text: string
}

interface DifferencePage {
  kinds: OfKind[]
  differences: ShelfDifference[]
  total: number
  next: number | null
}

interface Explanation {
  which: DifferenceChoice
  reason: ShelfReason | null
  text?: string
}

/** Differences on paper; the file has all. */
const mostPrinted = 1_000

/** So many pages are read again after a change; further ones when they are scrolled to. */
const mostReread = 25

/** A finished count: its products, its differences page by page, their reasons, and the signature. */
export class ShelfResult {
  count: ShelfCount
  show = $state<ResultFilter>('all')
  /** Only differences of this product. Undefined: of all; null: of products that aren't known. */
  productId = $state.raw<ShortUuid | null | undefined>(undefined)
  differences = $state.raw<ShelfDifference[] | null>(null)
  total = $state(0)
  /** Of all that the filter names, also those that are not read yet. */
  #kinds = $state.raw<OfKind[]>([])
  readonly ticked = new SvelteSet<TagId>()
  /** All that are listed are chosen, also those that are not read yet. */
  isAllChosen = $state(false)
  /** The reason of the chosen differences is being asked for. */
  isAsking = $state(false)
  isBusy = $state(false)
  /** Other stations that may have scans that are not in it. */
  behind = $state.raw<string[]>([])
  /** Scans that came after the signature, newest first: as many as an answer holds, and that are known by name. */
  late = $state.raw<ShelfLate[]>([])
  readonly #products = new Ask<{ products: ShelfProduct[]; more: number }>()
  #stepError = $state.raw<AppError | null>(null)
  #listError = $state.raw<AppError | null>(null)
  #next: number | null = null
  #pages = 1
  #loads = 0
  readonly #client: Client

  products = $derived(this.#products.value?.products ?? [])
  moreProducts = $derived(this.#products.value?.more ?? 0)
  error = $derived(this.#stepError ?? this.#listError ?? this.#products.error)
  chosen = $derived(this.isAllChosen ? this.total : this.ticked.size)
  /** The chosen differences by kind: each has reasons of its own. */
  chosenKinds = $derived.by((): OfKind[] => {
    if (this.isAllChosen) return this.#kinds
    return DifferenceKind.options
      .map((kind) => ({ kind, count: this.#tickedOf(kind).length }))
      .filter(({ count }) => count > 0)
  })

  constructor(client: Client, count: ShelfCount) {
    this.#client = client
    this.count = $state.raw(count)
  }

  get #countId(): CountId {
    return this.count.id
  }

  get #filter(): DifferenceFilter {
    const { show, productId } = this
    return {
      ...((show === 'missing' || show === 'unexpected') && { result: show }),
      ...(show === 'open' && { isOpen: true as const }),
      ...(productId !== undefined && { productId }),
    }
  }

  /** Reads the products and the differences. */
  async load(): Promise<void> {
    const countId = this.#countId
    void this.#askBehind()
    void this.#askLate()
    await Promise.all([
      this.#products.ask(() => this.#client.call('stock.products', { countId })),
      this.#reload(this.#pages),
    ])
  }

  async #askBehind(): Promise<void> {
    const answer = await this.#client.call('stock.behind', { countId: this.#countId })
    if (answer.ok) this.behind = answer.value
  }

  async #askLate(): Promise<void> {
    if (this.count.late === 0) this.late = []
    else this.late = byTime((await this.#latePage(null))?.scans ?? [])
  }

  async #latePage(after: TagId | null): Promise<{ scans: ShelfLate[]; next: TagId | null } | null> {
    const answer = await this.#client.call('stock.late', { countId: this.#countId, after })
    this.#listError = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }

  /** All of them; null if they can't be read. */
  async #allLate(): Promise<ShelfLate[] | null> {
    const found: ShelfLate[] = []
    if (this.count.late === 0) return found
    let after: TagId | null = null
    do {
      const page: { scans: ShelfLate[]; next: TagId | null } | null = await this.#latePage(after)
      if (!page) return null
      found.push(...page.scans)
      after = page.next
    } while (after !== null)
    return byTime(found)
  }

  /** Main says that the count has changed. */
  changed(count: ShelfCount): void {
    const { revision, late } = this.count
    this.count = count
    if (count.revision !== revision) void this.load()
    else if (count.late !== late) void this.#askLate()
  }

  /** Lists other differences. */
  async showOnly(show: ResultFilter): Promise<void> {
    this.show = show
    await this.#filtered()
  }

  /** Lists the differences of one product, or of all again (undefined). */
  async showProduct(productId: ShortUuid | null | undefined): Promise<void> {
    this.productId = productId
    await this.#filtered()
  }

  async #filtered(): Promise<void> {
    this.#choose(null)
    await this.#reload(1)
  }

  async #reload(pages: number): Promise<void> {
    const load = ++this.#loads
    const found: ShelfDifference[] = []
    const wanted = Math.min(pages, mostReread)
    for (let next: number | null = null, read = 1; ; read++) {
      const page: DifferencePage | null = await this.#page(next)
      if (load !== this.#loads || !page) return
      found.push(...page.differences)
      ;({ next } = page)
      if (next !== null && read < wanted) continue
      this.differences = found
      this.total = page.total
      this.#kinds = page.kinds
      this.#next = next
      this.#pages = read
      return
    }
  }

  /** Reads the next page, if there is one. */
  async more(): Promise<void> {
    const next = this.#next
    if (next === null) return
    this.#next = null
    const load = this.#loads
    const page = await this.#page(next)
    if (load !== this.#loads) return
    this.#next = page ? page.next : next
    if (!page) return
    this.differences = [...(this.differences ?? []), ...page.differences]
    this.#pages += 1
  }

  async #page(after: number | null, filter = this.#filter): Promise<DifferencePage | null> {
    const answer = await this.#client.call('stock.differences', { countId: this.#countId, filter, after })
    this.#listError = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }

  /** The first differences for the paper, whatever is listed, and all late scans; null if they can't be read. */
  async toPrint(): Promise<{ lines: ShelfDifference[]; late: ShelfLate[] } | null> {
    const found: ShelfDifference[] = []
    let after: number | null = null
    do {
      const page: DifferencePage | null = await this.#page(after, {})
      if (!page) return null
      found.push(...page.differences)
      after = page.next
    } while (after !== null && found.length < mostPrinted)
    const late = await this.#allLate()
    return late && { lines: found, late }
  }

  tick(tagId: TagId): void {
    if (!this.ticked.delete(tagId)) this.ticked.add(tagId)
  }

  tickAll(): void {
    this.#choose(this.isAllChosen ? null : 'all')
  }

  #choose(which: 'all' | null): void {
    this.ticked.clear()
    this.isAllChosen = which === 'all'
  }

  #tickedOf(kind: DifferenceKind): TagId[] {
    return (this.differences ?? []).flatMap((one) =>
      this.ticked.has(one.tagId) && kindOf(one) === kind ? one.tagId : [],
    )
  }

  /** The chosen differences of a kind, in as many parts as messages need. */
  #choiceOf(kind: DifferenceKind): DifferenceChoice[] {
    if (this.isAllChosen) return [{ filter: { ...this.#filter, ...filterOf(kind) } }]
    const all = this.#tickedOf(kind)
    return all.flatMap((_, at) => (at % mostAtOnce === 0 ? [{ tagIds: all.slice(at, at + mostAtOnce) }] : []))
  }

  /** Gives the chosen differences of each kind its reason; a kind without one stays as it is. True if they have it. */
  async explain(reasons: ReadonlyMap<DifferenceKind, KindReason>): Promise<boolean> {
    return this.#explain(
      [...reasons].flatMap(([kind, { reason, text }]) => {
        const words = text.trim()
        return this.#choiceOf(kind).map((which) => ({ which, reason, ...(words !== '' && { text: words }) }))
      }),
    )
  }

  /** Takes the reason of a difference back. */
  async forget(tagId: TagId): Promise<void> {
    await this.#explain([{ which: { tagIds: [tagId] }, reason: null }])
  }

  async #explain(given: Explanation[]): Promise<boolean> {
    const countId = this.#countId
    return this.#step(async () => {
      for (const one of given) {
        const answer = await this.#client.call('stock.explain', { countId, ...one })
        if (!answer.ok) return answer.error
      }
      this.isAsking = false
      this.#choose(null)
      return null
    })
  }

  /** Signs the count as it is shown. Main asks for the PIN and a reason by policy. */
  async sign(): Promise<void> {
    const { id: countId, revision, state } = this.count
    if (state !== 'finished') return
    await this.#step(async () => {
      const answer = await this.#client.call('stock.sign', { countId, revision })
      return answer.ok || isLeft(answer.error) ? null : answer.error
    })
  }

  async #step(run: () => Promise<AppError | null>): Promise<boolean> {
    if (this.isBusy) return false
    this.isBusy = true
    this.#stepError = await run()
    this.isBusy = false
    return this.#stepError === null
  }

  /** Every item of the count as a file, and what came late; null if it can't be made. */
  async export(): Promise<ExportFile | null> {
    const countId = this.#countId
    const lines: ShelfLine[] = []
    for (let after: number | null = null; ;) {
      const part: Result<FilePart, AppError> = await this.#client.call('stock.export', { countId, after })
      this.#stepError = part.ok ? null : part.error
      if (!part.ok) return null
      lines.push(...part.value.lines)
      after = part.value.next
      if (after !== null) continue
      const late = await this.#allLate()
      return late && shelfFile(part.value.fileName, lines, late, this.count.asOf)
    }
  }
}

const filterOf = (kind: DifferenceKind): DifferenceFilter =>
  kind === 'missing' ? { result: 'missing' } : { result: 'unexpected', why: kind }

const byTime = (scans: ShelfLate[]) => scans.toSorted((one, other) => other.at.localeCompare(one.at))
