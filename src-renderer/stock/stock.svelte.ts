import type { AppError } from '../../src-shared/errors'
import type { CountId, TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type {
  ShelfCount,
  ShelfLedger,
  ShelfProgress,
  ShelfScan,
  ShelfScope,
  StoreShelfCount,
} from '../../src-shared/ipc/contract/stock'
import { type ScanOutcome, refusal } from '../scan/strip.svelte'
import { Ask } from '../ui/ask.svelte'
import { type ScopeKind, ShelfChoice } from './shelf-choice.svelte'
import { ShelfResult } from './shelf-result.svelte'
import { scanOutcome } from './stock-text'

/** Scans that are listed under the last one. */
const mostRecent = 20
/** Steps of a count that answer with their outcome only. */
type CountCommand = 'stock.pause' | 'stock.resume' | 'stock.finish' | 'stock.drop' | 'stock.recount'

const isOver = ({ state }: ShelfCount) => state === 'signed' || state === 'dropped'

/** The Stock screen: what is expected here, the counts that are open, and the one in front. */
export class Stock {
  ledger = $state.raw<ShelfLedger | null>(null)
  /** Counts that are neither signed nor given up, oldest first; null until they are read. */
  counts = $state.raw<ShelfCount[] | null>(null)
  /** Counts under way at other stations of the store that this one doesn't count along. */
  elsewhere = $state.raw<StoreShelfCount[]>([])
  /** The other stations that may have scans of the count that is about to be finished. */
  behind = $state.raw<string[]>([])
  /** The count in front; null: a person chooses one, or starts one. */
  count = $state.raw<ShelfCount | null>(null)
  /** Scans of the count in front, newest first. */
  recent = $state.raw<ShelfScan[]>([])
  /** The differences of the count in front, once it is finished. */
  result = $state.raw<ShelfResult | null>(null)
  /** The station that gave up the count that was in front. */
  droppedBy = $state<string | null>(null)
  isHistoryOpen = $state(false)
  isStarting = $state(false)
  /** The step that the person is asked about. */
  asking = $state<'finish' | 'drop' | null>(null)
  readonly choice: ShelfChoice
  readonly #client: Client
  readonly #ended: () => void
  readonly #loading = new Ask<ShelfCount[]>()
  readonly #step = new Ask<unknown>()
  /** A count that is being started, joined or opened: a scan waits, and counts into it. */
  #coming: Promise<void> | null = null

  /** Why no count can be started; null if one can, or if that isn't known yet. */
  nothing = $derived.by((): 'unknown' | 'unread' | 'sold-out' | null => {
    const { ledger } = this
    if (!ledger || ledger.items > 0 || ledger.isCatchingUp) return null
    if (ledger.asOf.unread > 0) return 'unread'
    return ledger.isKnown ? 'sold-out' : 'unknown'
  })
  error = $derived(this.#step.error)
  loadError = $derived(this.#loading.error)
  isBusy = $derived(this.#step.isBusy)

  /** `ended`: scans of the count in front can't be taken back any more. */
  constructor(client: Client, ended: () => void) {
    this.#client = client
    this.#ended = ended
    this.choice = new ShelfChoice(client)
  }

  /** Follows main, until the returned function is called. */
  start(): () => void {
    const stops = [
      this.#client.on('stock.count', (count) => this.#changed(count)),
      this.#client.on('stock.progress', (progress) => this.#progressed(progress)),
      this.#client.on('stock.ledger', (ledger) => (this.ledger = ledger)),
      this.#client.on('stock.storeCounts', (list) => (this.elsewhere = list)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Reads what the screen shows; later changes come by event. */
  async load(): Promise<void> {
    const [ledger, elsewhere] = await Promise.all([
      this.#client.call('stock.ledger', undefined),
      this.#client.call('stock.storeCounts', undefined),
      this.#loading.ask(
        () => this.#client.call('stock.open', undefined),
        (counts) => (this.counts = counts),
      ),
    ])
    if (elsewhere.ok) this.elsewhere = elsewhere.value
    if (ledger.ok) this.ledger = ledger.value
    else this.#step.showError(ledger.error)
    const { count } = this
    if (count) await this.open(count.id)
  }

  /** Reads all cases of this store from the service, or ends that. */
  async readBack(isOn: boolean): Promise<void> {
    await this.#step.ask(() => this.#client.call(isOn ? 'stock.refresh' : 'stock.stopRefresh', undefined))
  }

  /** Shows a count: to scan, or its differences. */
  open(countId: CountId): Promise<void> {
    return this.#bring(this.#open(countId))
  }

  async #bring(work: Promise<void>): Promise<void> {
    this.#coming = work
    await work
    if (this.#coming === work) this.#coming = null
  }

  async #open(countId: CountId): Promise<void> {
    this.isHistoryOpen = false
    const [count, recent] = await Promise.all([
      this.#client.call('stock.count', { countId }),
      this.#client.call('stock.recent', { countId }),
    ])
    this.#step.showError(count.ok ? null : count.error)
    if (!count.ok) {
      if (count.error.code === 'stock/no-count' && this.count?.id === countId) this.#leave()
      return
    }
    if (this.count?.id !== countId) this.asking = null
    this.droppedBy = null
    this.recent = recent.ok ? recent.value : []
    this.#show(count.value)
  }

  /** Back to the list of counts; the count stays as it is. */
  close(): void {
    this.#step.clear()
    this.#leave()
  }

  #leave(): void {
    this.count = this.result = this.asking = null
    this.recent = []
  }

  /** Esc. False if there is nothing to leave. */
  back(): boolean {
    if (this.isHistoryOpen) this.isHistoryOpen = false
    else if (this.count) this.close()
    else return false
    return true
  }

  /** Starts a count of what is chosen. */
  async begin(): Promise<void> {
    const { scope } = this.choice
    if (!scope || this.isStarting || this.nothing) return
    this.isStarting = true
    await this.#bring(this.#begin(scope))
  }

  async #begin(scope: ShelfScope): Promise<void> {
    const answer = await this.#client.call('stock.start', { scope })
    this.isStarting = false
    this.#step.showError(answer.ok ? null : answer.error)
    if (!answer.ok) return
    this.choice.choose('all')
    await this.#open(answer.value.id)
  }

  /** Counts along with another station. */
  async join(countId: CountId): Promise<void> {
    if (this.isBusy) return
    await this.#bring(this.#join(countId))
  }

  async #join(countId: CountId): Promise<void> {
    const answer = await this.#step.ask(() => this.#client.call('stock.join', { countId }))
    if (answer.ok) await this.#open(countId)
  }

  /** Chooses another kind of what to count. */
  choose(kind: ScopeKind): void {
    this.#step.clear()
    this.choice.choose(kind)
  }

  /** The step that Ctrl+Enter takes. */
  async primary(): Promise<void> {
    if (this.isHistoryOpen) return
    if (!this.count) await this.begin()
    else if (this.count.state === 'counting') await this.finish()
    else if (this.count.state === 'paused') await this.take('stock.resume')
    else if (this.count.state === 'finished') await this.result?.sign()
  }

  /** Asks once, then ends the count. */
  async finish(): Promise<void> {
    if (this.asking !== 'finish') {
      this.asking = 'finish'
      void this.#askBehind()
      return
    }
    await this.take('stock.finish')
  }

  async #askBehind(): Promise<void> {
    this.behind = []
    const countId = this.count?.id
    const answer = countId && (await this.#client.call('stock.behind', { countId }))
    if (answer?.ok && this.count?.id === countId) this.behind = answer.value
  }

  /** Takes a step of the count in front. */
  async take(step: CountCommand): Promise<void> {
    const { count } = this
    this.asking = null
    if (!count || this.isBusy) return
    await this.#step.ask(() => this.#client.call(step, { countId: count.id }))
  }

  /** Counts an item; gives the result for the scan strip. */
  async scan(tagId: TagId): Promise<ScanOutcome> {
    if (this.#coming) await this.#coming
    // The first scan starts the count, where only one can be meant.
    if (this.#isOneMeant()) await this.begin()
    const { count } = this
    if (!count)
      return { tone: 'attention', what: { key: 'stock.scan.none' }, detail: { key: 'stock.scan.none.detail' } }
    // A person who goes on scanning has not finished, and counts into what is in front.
    this.asking = null
    this.isHistoryOpen = false
    const answer = await this.#client.call('stock.scan', { countId: count.id, tagId })
    if (!answer.ok) return refusal(answer.error)
    const undo = answer.value.kind === 'counted' ? () => this.#unscan(count.id, tagId) : null
    return { ...scanOutcome(answer.value), ...(undo && { undo }) }
  }

  /** No count is open in the store, and what to count is chosen and known. */
  #isOneMeant(): boolean {
    const { count, counts, elsewhere, ledger, choice, nothing } = this
    const isOther = count !== null || counts?.length !== 0 || elsewhere.length > 0
    return !isOther && ledger !== null && !ledger.isCatchingUp && nothing === null && choice.scope !== null
  }

  /** A case that is scanned before a count begins is what to count. */
  scanCase(identifier: string): Promise<ScanOutcome> {
    if (this.count) {
      const error: AppError = { code: 'scan/wrong-place', found: 'case', expected: 'tag' }
      return Promise.resolve(refusal(error, [], 'attention'))
    }
    this.isHistoryOpen = false
    this.#step.clear()
    return this.choice.scanCase(identifier)
  }

  /** Takes a scan of the list back. */
  async unscan(tagId: TagId): Promise<void> {
    const { count } = this
    if (!count) return
    await this.#step.ask(() => this.#client.call('stock.unscan', { countId: count.id, tagId }))
  }

  async #unscan(countId: CountId, tagId: TagId): Promise<ScanOutcome> {
    const answer = await this.#client.call('stock.unscan', { countId, tagId })
    return answer.ok ? { tone: 'good', what: { key: 'stock.scan.undone' } } : refusal(answer.error)
  }

  #changed(count: ShelfCount): void {
    const counts = this.counts ?? []
    const isListed = counts.some(({ id }) => id === count.id)
    if (isOver(count)) this.counts = counts.filter(({ id }) => id !== count.id)
    else this.counts = isListed ? counts.map((one) => (one.id === count.id ? count : one)) : [...counts, count]
    if (this.count?.id === count.id) this.#show(count)
  }

  #show(count: ShelfCount): void {
    if (count.state === 'dropped') {
      if (this.count?.id === count.id) this.droppedBy = count.finishedBy
      this.#leave()
      return
    }
    if (this.count?.id === count.id && this.count.state === 'counting' && count.state !== 'counting') this.#ended()
    this.count = count
    const isFinished = count.state === 'finished' || count.state === 'signed'
    if (!isFinished) this.result = null
    else if (this.result?.count.id === count.id) this.result.changed(count)
    else {
      this.result = new ShelfResult(this.#client, count)
      void this.result.load()
    }
  }

  #progressed({ countId, scanned, stations, last, undone }: ShelfProgress): void {
    const patched = (one: ShelfCount) => (one.id === countId ? { ...one, scanned, stations } : one)
    this.counts = this.counts?.map(patched) ?? null
    if (this.count?.id !== countId) return
    this.count = patched(this.count)
    const moved = undone ?? last?.tagId
    const others = this.recent.filter(({ tagId }) => tagId !== moved)
    // What an item is may be known only after its scan: it keeps its place.
    if (last && undone === null && others.length < this.recent.length)
      this.recent = this.recent.map((one) => (one.tagId === last.tagId ? last : one))
    else this.recent = (last && undone === null ? [last, ...others] : others).slice(0, mostRecent)
  }
}
