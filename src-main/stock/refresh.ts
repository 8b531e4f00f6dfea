import type { AppError, ResultOf } from '../../src-shared/errors'
import { CaseId, type PackageUid, type TagId } from '../../src-shared/ids'
import type { ShelfLedger } from '../../src-shared/ipc/contract/stock'
import { ok } from '../../src-shared/result'
import type { PackageCase } from '../../src-shared/service/imports'
import { type SingleFlight, singleFlight, sleep } from '../core/async'
import { type NotSaved, saved } from '../database/saved'
import { CaseReader } from './case-reader'
import type { Ledger } from './ledger'
import { ReadingProgress } from './reading-progress'
import type { StockContext } from './stock-context'

type RefreshState = ShelfLedger['refresh']['state']

/** Packages, cases or items asked about at a time, and the pause between, in ms: the counter's own questions come first. */
const lanes = 2
const betweenReads = 50
/** Unknown items that wait to be asked about. */
const mostUnknown = 500
/** How long a reading waits before it tries again by itself, in ms. */
const betweenTries = 30_000

/** Whether a case is in this store's inventory; without an own id, in any. */
const isOurs = ({ dispensary }: PackageCase, own: string | null) =>
  dispensary != null && (own === null || dispensary.uuid === own)

/**
 * Reads what belongs to this store from the service: packages, then the cases that are theirs. What is still to be read
 * is kept in the database, so it goes on after an outage and a restart. Items that a count found and that aren't in the
 * ledger are asked about beside them.
 */
export class Refresh {
  readonly #context: StockContext
  readonly #ledger: Ledger
  readonly #cases: CaseReader
  readonly #progress = new ReadingProgress()
  readonly #unknown = new Set<TagId>()
  readonly #stopping = new AbortController()
  readonly #worker: SingleFlight
  #state: RefreshState = 'idle'
  #retry: NodeJS.Timeout | undefined
  /** Aborted when a person ends the reading: answers that are still to come are left. */
  #ending = new AbortController()

  constructor(context: StockContext, ledger: Ledger) {
    const { events, log } = context
    this.#context = context
    this.#ledger = ledger
    this.#cases = new CaseReader(context, ledger)
    this.#worker = singleFlight(
      () => this.#work(),
      (cause) => {
        log.error('reading the shelf was interrupted', { cause })
        this.#wait()
      },
    )
    const resume = () => {
      this.resume()
    }
    events.on('service.back', 'stock/refresh.ts', resume)
    events.on('shelf-count.new-cases', 'stock/refresh.ts', resume)
  }

  view(): ShelfLedger['refresh'] {
    const left = this.#rows.wanted()
    const { error, sums } = this.#progress
    // Items that are asked about aren't a reading of the shelf: no person began it, and it has no length.
    const state = left === 0 ? 'idle' : this.#state
    return { state, ...sums, total: sums.done + left, error: state === 'waiting' ? error : null }
  }

  /** Reads all of it. */
  start(): ResultOf<null, NotSaved> {
    return saved(() => {
      this.#begin()
      this.#rows.wantAll()
      this.#worker.ask()
      return ok(null)
    })
  }

  /** Ends the reading, in an outage too; what was read stays. */
  end(): ResultOf<null, NotSaved> {
    return saved(() => {
      this.#rows.dropWanted()
      this.#ending.abort()
      this.#ending = new AbortController()
      clearTimeout(this.#retry)
      this.#unknown.clear()
      this.#progress.forgetFaults()
      this.#begin()
      this.#worker.ask()
      return ok(null)
    })
  }

  /** Asks about an item that nothing is known of. */
  identify(tagId: TagId): void {
    if (this.#unknown.size >= mostUnknown) return
    this.#unknown.add(tagId)
    this.#worker.ask()
  }

  /** Goes on with what the last process or an outage left, or another station named. */
  resume(): void {
    if (this.#unknown.size === 0 && this.#rows.wanted() === 0) return
    this.#begin()
    this.#worker.ask()
  }

  /** Resolves once nothing is being read. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#retry)
    await this.#worker.stop()
    clearTimeout(this.#retry)
  }

  get #rows() {
    return this.#ledger.rows
  }

  /** Counts from nothing unless a reading is under way. */
  #begin(): void {
    if (this.#state === 'idle' || this.#rows.wanted() === 0) this.#progress.begin()
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping
    this.#progress.tryAgain()
    while (this.#unknown.size > 0 || this.#rows.wanted() > 0) {
      if (signal.aborted) return
      if (this.#progress.isSilent || this.#context.connection.isOutOfReach()) {
        this.#wait()
        return
      }
      const asked = this.#step()
      if (asked.length === 0) break
      this.#show('running')
      await Promise.all(asked)
      this.#sayRead()
      await sleep(betweenReads, signal)
    }
    if (signal.aborted) return
    this.#progress.end()
    this.#show('idle')
    this.#sayRead()
  }

  /** What is asked next: if items wait, one of them beside a package or case, so that neither stops the other. */
  #step(): Promise<void>[] {
    const free = this.#unknown.size > 0 ? lanes - 1 : lanes
    const packages = this.#rows.wantedPackages(free)
    const read =
      packages.length > 0
        ? packages.map((uid) => this.#readPackage(uid))
        : this.#rows.wantedCases(free).map((caseId) => this.#readCase(caseId))
    const unknown = [...this.#unknown].slice(0, lanes - read.length)
    return [...unknown.map((tagId) => this.#identify(tagId)), ...read]
  }

  #wait(): void {
    this.#show('waiting')
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      this.#worker.ask()
    }, betweenTries).unref()
  }

  #show(next: RefreshState): void {
    this.#state = next
    this.#context.events.emit('shelf.changed', null)
  }

  #sayRead(): void {
    if (this.#rows.wanted() === 0 && this.#progress.takeRead()) this.#context.events.emit('shelf.read', null)
  }

  async #readPackage(uid: PackageUid): Promise<void> {
    const { lookup, ownDispensaryId } = this.#context
    const asked = this.#ending
    const answer = await lookup.package(uid)
    if (this.#isLeft(asked, uid, answer.ok ? answer.value.unreachable : answer.error)) return
    const entries = answer.ok ? Object.entries(answer.value.value.case_ids) : []
    for (const [id, entry] of entries) {
      const caseId = CaseId.parse(id)
      if (isOurs(entry, ownDispensaryId) && !this.#rows.case(caseId)) this.#rows.wantCase(caseId)
    }
    this.#rows.dropPackage(uid)
  }

  async #readCase(caseId: CaseId): Promise<void> {
    const asked = this.#ending
    const read = await this.#cases.read(caseId)
    if (this.#isLeft(asked, caseId, read.ok ? null : read.error)) return
    if (read.ok) this.#ledger.learn(read.value)
    // The answer may name the case by another id.
    if (!read.ok || read.value.facts.caseId !== caseId) this.#rows.dropCase(caseId)
  }

  /** Whether an answer changes nothing: the reading was ended, or the same is asked again. Counts it otherwise. */
  #isLeft(asked: AbortController, id: string, found: AppError | null): boolean {
    if (this.#isEnded(asked) || this.#progress.isOpen(id, found)) return true
    this.#progress.count(found)
    if (found !== null) this.#context.log.warn('a part of the shelf could not be read', { id, code: found.code })
    return false
  }

  #isEnded(asked: AbortController): boolean {
    return this.#stopping.signal.aborted || asked.signal.aborted
  }

  async #identify(tagId: TagId): Promise<void> {
    const { lookup, events } = this.#context
    const asked = this.#ending
    const facts = await lookup.tag(tagId)
    if (this.#isEnded(asked)) return
    this.#unknown.delete(tagId)
    if (this.#progress.isOpen(tagId, facts.ok ? null : facts.error)) {
      // After the others.
      this.#unknown.add(tagId)
      return
    }
    if (!facts.ok && facts.error.code === 'scan/wrong-place') events.emit('shelf.no-item', { tagId })
    // In an inventory: whose, its case tells.
    if (!facts.ok) return
    events.emit('shelf.item-known', { tagId })
    if (facts.value.caseId === null || facts.value.isImported !== true) return
    this.#begin()
    this.#rows.wantCase(facts.value.caseId)
  }
}
