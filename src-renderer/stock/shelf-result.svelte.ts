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
import { type Result, ok } from '../../src-shared/result'
import { Ask } from '../ui/ask.svelte'
import { Command } from '../ui/command.svelte'
import { type Page, PagedList } from '../ui/paged-list.svelte'
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

/** What was said of the whole list, and the revision of the count when it was read, or an earlier one. */
interface ListedDifferences {
  kinds: OfKind[]
  revision: number
}

type PageAnswer = Result<Page<ShelfDifference, number, OfKind[]>, AppError>

interface Explanation {
  which: DifferenceChoice
  reason: ShelfReason | null
  text?: string
}

/** Differences on paper; the file has all. */
const mostPrinted = 1_000

/** A finished count: its products, its differences page by page, their reasons, and the signature. */
export class ShelfResult {
  count: ShelfCount
  show = $state<ResultFilter>('all')
  /** Only differences of this product. Undefined: of all; null: of products that aren't known. */
  productId = $state.raw<ShortUuid | null | undefined>(undefined)
  /** What is listed. Its head: how many there are of each kind, also of those that are not read yet. */
  readonly list = new PagedList<ShelfDifference, number, ListedDifferences>((after) => this.#listed(after))
  /** The revision of the count when the first page of the list was asked for. */
  #revision: number
  /** All that were listed when the reason was asked for: those that come meanwhile are not among them. */
  #asked = $state.raw<(ListedDifferences & { total: number }) | null>(null)
  readonly ticked = new SvelteSet<TagId>()
  /** All that are listed are chosen, also those that are not read yet. */
  isAllChosen = $state(false)
  /** The reason of the chosen differences is being asked for. */
  isAsking = $state(false)
  readonly steps = new Command()
  /** Other stations that may have scans that are not in it. */
  behind = $state.raw<string[]>([])
  /** Scans that came after the signature, newest first: as many as an answer holds, and that are known by name. */
  late = $state.raw<ShelfLate[]>([])
  readonly #products = new Ask<{ products: ShelfProduct[]; more: number }>()
  #readError = $state.raw<AppError | null>(null)
  readonly #client: Client

  products = $derived(this.#products.value?.products ?? [])
  moreProducts = $derived(this.#products.value?.more ?? 0)
  error = $derived(this.steps.error ?? this.#readError ?? this.list.error ?? this.#products.error)
  chosen = $derived(this.isAllChosen ? (this.#asked?.total ?? this.list.total) : this.ticked.size)
  /** The chosen differences by kind: each has reasons of its own. */
  chosenKinds = $derived.by((): OfKind[] => {
    if (this.isAllChosen) return (this.#asked ?? this.list.head)?.kinds ?? []
    return DifferenceKind.options
      .map((kind) => ({ kind, count: this.#tickedOf(kind).length }))
      .filter(({ count }) => count > 0)
  })

  constructor(client: Client, count: ShelfCount) {
    this.#client = client
    this.count = $state.raw(count)
    this.#revision = count.revision
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
    await Promise.all([this.#products.ask(() => this.#client.call('stock.products', { countId })), this.list.reload()])
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
    this.#readError = answer.ok ? null : answer.error
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
    await this.list.load()
  }

  async #listed(after: number | null): Promise<Result<Page<ShelfDifference, number, ListedDifferences>, AppError>> {
    // A further page is of a list that began earlier.
    if (after === null) this.#revision = this.count.revision
    const revision = this.#revision
    const answer = await this.#page(after, this.#filter)
    return answer.ok ? ok({ ...answer.value, head: { kinds: answer.value.head, revision } }) : answer
  }

  async #page(after: number | null, filter: DifferenceFilter): Promise<PageAnswer> {
    const answer = await this.#client.call('stock.differences', { countId: this.#countId, filter, after })
    if (!answer.ok) return answer
    const { differences: rows, total, next, kinds: head } = answer.value
    return ok({ rows, total, next, head })
  }

  /** The first differences for the paper, whatever is listed, and all late scans; null if they can't be read. */
  async toPrint(): Promise<{ lines: ShelfDifference[]; late: ShelfLate[] } | null> {
    const found: ShelfDifference[] = []
    let after: number | null = null
    do {
      const page: PageAnswer = await this.#page(after, {})
      this.#readError = page.ok ? null : page.error
      if (!page.ok) return null
      found.push(...page.value.rows)
      after = page.value.next
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
    return (this.list.rows ?? []).flatMap((one) =>
      this.ticked.has(one.tagId) && kindOf(one) === kind ? one.tagId : [],
    )
  }

  /** Asks for the reason of the chosen differences, as they are shown now. */
  ask(): void {
    this.#hold()
    this.isAsking = true
  }

  #hold(): void {
    const { head, total } = this.list
    this.#asked = head && { ...head, total }
  }

  /** What was asked about has changed: the reason is asked for what is listed now. */
  async #holdAnew(): Promise<void> {
    this.#asked = null
    await this.list.reload()
    if (this.isAsking && this.list.head?.revision === this.count.revision) this.#hold()
  }

  /** The reason is not asked for any more. */
  stopAsking(): void {
    this.isAsking = false
    this.#asked = null
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
    return this.steps.does(async () => {
      let revision = this.#asked?.revision ?? this.list.head?.revision ?? this.count.revision
      for (const { which, ...one } of given) {
        const shown = 'filter' in which ? { ...which, revision } : which
        const answer = await this.#client.call('stock.explain', { countId, which: shown, ...one })
        if (!answer.ok) {
          if (answer.error.code === 'stock/changed') await this.#holdAnew()
          return answer
        }
        ;({ revision } = answer.value)
      }
      this.stopAsking()
      this.#choose(null)
      return ok(null)
    })
  }

  /** Signs the count as it is shown. Main asks for the PIN and a reason by policy. */
  async sign(): Promise<void> {
    const { id: countId, revision, state } = this.count
    if (state !== 'finished') return
    await this.steps.run(() => this.#client.call('stock.sign', { countId, revision }))
  }

  /** Every item of the count as a file, and what came late; null if it can't be made. */
  async export(): Promise<ExportFile | null> {
    const countId = this.#countId
    const lines: ShelfLine[] = []
    for (let after: number | null = null; ;) {
      const part: Result<FilePart, AppError> = await this.#client.call('stock.export', { countId, after })
      this.#readError = part.ok ? null : part.error
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
