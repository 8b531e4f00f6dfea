import { type AppError, isUnanswered } from '../../src-shared/errors'

/** Without an answer so often in a row the reading waits until the service answers again. */
const mostUnanswered = 4
/** After so many unusable answers about one thing it is left out. */
const mostFaults = 3

/** How far a reading of the shelf has come, and what of it has to be asked again. */
export class ReadingProgress {
  readonly #faults = new Map<string, number>()
  #done = 0
  #failed = 0
  #failure: AppError | null = null
  #unanswered = 0
  #error: AppError | null = null
  #hasRead = false

  get sums() {
    return { done: this.#done, failed: this.#failed, failure: this.#failure }
  }

  /** The last failure that has to be asked about again. */
  get error(): AppError | null {
    return this.#error
  }

  /** Whether the service hasn't answered so often in a row that asking on makes no sense. */
  get isSilent(): boolean {
    return this.#unanswered >= mostUnanswered
  }

  /** Counts from nothing. */
  begin(): void {
    this.#done = 0
    this.#failed = 0
    this.#failure = null
  }

  /** The service is asked again: whether it was silent before doesn't count. */
  tryAgain(): void {
    this.#unanswered = 0
  }

  /** Whether something has to be asked again: there was no answer, or an unusable one that may be better next time. */
  isOpen(id: string, found: AppError | null): boolean {
    if (found !== null && isUnanswered(found)) {
      this.#error = found
      this.#unanswered += 1
      // Out of reach says nothing about the thing that was asked about; an unusable answer may.
      const isFault = found.code === 'service/unreadable' || found.code === 'service/failing'
      if (isFault) this.#faults.set(id, this.#faultsOf(id) + 1)
      if (this.#faultsOf(id) < mostFaults) return true
    }
    this.#unanswered = 0
    this.#faults.delete(id)
    return false
  }

  /** Counts a package or case that is not asked about again. */
  count(found: AppError | null): void {
    this.#hasRead = true
    this.#done += 1
    if (found === null) return
    this.#failed += 1
    this.#failure = found
  }

  /** Whether a package or case was read since this was asked last. */
  takeRead(): boolean {
    const hasRead = this.#hasRead
    this.#hasRead = false
    return hasRead
  }

  forgetFaults(): void {
    this.#faults.clear()
  }

  /** Nothing is left to be read. */
  end(): void {
    this.#error = null
    this.forgetFaults()
  }

  #faultsOf(id: string): number {
    return this.#faults.get(id) ?? 0
  }
}
