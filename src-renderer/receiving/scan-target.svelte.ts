import { type AppError, isUnanswered } from '../../src-shared/errors'
import type { CaseId } from '../../src-shared/ids'
import type { CallOutput } from '../../src-shared/ipc/contract'
import type { Client } from '../../src-shared/ipc/client'
import { type Result, ok } from '../../src-shared/result'
import { Ask } from '../ui/ask.svelte'
import type { BlindImport } from './blind-import.svelte'
import type { ImportFormState } from './import-form.svelte'

/** What a scan or an entry asks for. `isMeant`: a person adds the package although the service knows no cases in it. */
export type Target = { kind: 'package'; packageUid: string; isMeant?: true } | { kind: 'case'; identifier: string }

/** What a scan added to the delivery, which shows it already. */
export type ScanAddition =
  ({ kind: 'package' } & CallOutput<'receiving.addPackage'>) | ({ kind: 'case' } & CallOutput<'receiving.addCase'>)

/** Between two lookups of what the service refused as busy, in ms. */
const [firstPause, longestPause] = [5_000, 120_000]

/** Adds what is scanned to the delivery; the delivery itself arrives by event. */
export class ScanTarget {
  #target = $state.raw<Target | null>(null)
  #isInStrip = $state(false)
  readonly #asked = new Ask<ScanAddition>()
  /** The newest scan while it is looked up. */
  loading = $derived(this.#asked.isBusy ? this.#target : null)
  /** What could not be added, unless the scan strip says it. */
  failure = $derived.by(() => {
    const [target, { error }] = [this.#target, this.#asked]
    return target && error && !this.#isInStrip ? { target, error } : null
  })
  readonly #client: Client
  readonly #blind: BlindImport
  readonly #show: (found: ScanAddition) => void
  readonly #keep: (caseId: CaseId, typed: ImportFormState) => void
  #isAnswering = false
  #isLooking = false
  #pause = firstPause
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `show` brings what the newest scan found into sight; `keep` keeps what was typed for a case before it was found. */
  constructor(
    client: Client,
    blind: BlindImport,
    show: (found: ScanAddition) => void,
    keep: (caseId: CaseId, typed: ImportFormState) => void,
  ) {
    this.#keep = keep
    this.#client = client
    this.#blind = blind
    this.#show = show
  }

  /**
   * Adds a package or a case to the delivery. Everything that is found is added, but only the newest scan is shown, so that
   * a slow answer never takes the screen from a newer one. `isInStrip`: the scan strip says why it was not added.
   */
  async add(target: Target, isInStrip = false): Promise<Result<ScanAddition, AppError>> {
    this.#asked.clear()
    this.#target = target
    this.#isInStrip = isInStrip
    const found = await this.#asked.ask(() => this.#add(target), this.#show)
    const isNewest = this.#target === target
    if (isNewest && !found.ok && target.kind === 'case' && isUnanswered(found.error)) {
      this.#asked.clear()
      this.offer(target.identifier, found.error, null)
    }
    return found
  }

  /** Offers the import of a case that can't be looked up now (`BlindImport.offer`), and looks it up later. */
  offer(scanned: string, error: AppError, listedBy: string | null): void {
    this.#blind.offer(scanned, error, listedBy)
    this.#pause = firstPause
    this.#againLater()
  }

  /** Brings back the cases that main keeps as unread, from before this page was opened, and looks them up. */
  async restore(): Promise<void> {
    const kept = await this.#client.call('receiving.unreadCases', undefined)
    if (!kept.ok) return
    const added = kept.value.filter(({ scanned }) => !this.#blind.unseen.some((one) => one.scanned === scanned))
    for (const { scanned, error } of added) this.#blind.add(scanned, error)
    if (added.length > 0 && this.#isAnswering) void this.again()
  }

  /** The service answers, or doesn't any more. */
  answers(isAnswering: boolean): void {
    const isBack = isAnswering && !this.#isAnswering
    this.#isAnswering = isAnswering
    if (!isAnswering) this.#stop()
    if (!isBack) return
    this.#pause = firstPause
    void this.again()
  }

  /**
   * Looks up what waited for the service; `isRepeat`: only what it has not answered about. What is in view gives way to what
   * was found of it, everything else stays.
   */
  async again(isRepeat = false): Promise<void> {
    this.#stop()
    if (this.#isLooking) return
    this.#isLooking = true
    for (const { scanned } of this.#blind.unseen) {
      const unseen = this.#blind.unseen.find((one) => one.scanned === scanned)
      // Discarded, found by another scan, or being saved.
      if (!unseen || unseen.form.isBusy || (isRepeat && !isUnanswered(unseen.error))) continue
      const isInView = this.#blind.current?.scanned === scanned
      const found = await this.#add({ kind: 'case', identifier: scanned })
      if (!found.ok) this.#blind.stillUnseen(scanned, found.error)
      else if (isInView) this.#show(found.value)
    }
    this.#isLooking = false
    this.#againLater()
  }

  /** A service that is busy or failing counts as answering: its connection doesn't come back. */
  #againLater(): void {
    const isWaiting = this.#blind.unseen.some(({ error }) => isUnanswered(error))
    if (!this.#isAnswering || !isWaiting || this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.again(true), this.#pause)
    this.#pause = Math.min(this.#pause * 2, longestPause)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #add(target: Target): Promise<Result<ScanAddition, AppError>> {
    if (target.kind === 'package') {
      const { packageUid, isMeant } = target
      const answer = await this.#client.call('receiving.addPackage', { packageUid, ...(isMeant && { isMeant }) })
      return answer.ok ? ok({ kind: 'package', ...answer.value }) : answer
    }
    const answer = await this.#client.call('receiving.addCase', { identifier: target.identifier })
    if (!answer.ok) return answer
    const typed = this.#blind.unseen.find(({ scanned }) => scanned === target.identifier)?.form
    if (typed) this.#keep(answer.value.caseId, typed)
    this.#blind.forget(target.identifier)
    return ok({ kind: 'case', ...answer.value })
  }
}
