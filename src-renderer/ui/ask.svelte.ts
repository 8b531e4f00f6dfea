import type { AppError } from '../../src-shared/errors'
import { type Result } from '../../src-shared/result'

/** A question to main. Only the answer to the latest question is shown, regardless of the order of answers. */
export class Ask<Value> {
  /** The newest good answer. It stays while a newer question is answered or refused. */
  value = $state.raw<Value | null>(null)
  /** Why the newest question was not answered. */
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)
  #newest = 0

  /**
   * Asks. The caller gets the answer to its own question; `value` and `error` change only if no newer question was asked
   * meanwhile. `shown` runs after they have changed, for a good answer. A question of several parts may end early once a newer
   * one was asked.
   */
  async ask(
    question: (isNewest: () => boolean) => Promise<Result<Value, AppError>>,
    shown?: (value: Value) => void,
  ): Promise<Result<Value, AppError>> {
    const number = ++this.#newest
    this.isBusy = true
    const answer = await question(() => number === this.#newest)
    if (number !== this.#newest) return answer
    this.isBusy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return answer
    this.value = answer.value
    shown?.(answer.value)
    return answer
  }

  /** An event said more about the answer that is shown. */
  patch(change: (value: Value) => Value): void {
    if (this.value !== null) this.value = change(this.value)
  }

  /** Shows the error of a related command; null if it succeeded. */
  showError(error: AppError | null): void {
    this.error = error
  }

  /** Forgets the answer. One that is still on its way is not shown. */
  clear(): void {
    this.#newest += 1
    this.value = null
    this.error = null
    this.isBusy = false
  }
}
