import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Sound } from '../scan/sounds'
import { type FinishResult, resultOf } from './result'

const shownFor = 3_000

/** The result over a finished order: for 3 s or until the next scan, and a refused one until it is closed. */
export class ResultBanner {
  operation = $state.raw<OperationView | null>(null)
  result = $derived<FinishResult | null>(this.operation ? resultOf(this.operation) : null)
  readonly #play: (sound: Sound) => void
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(play: (sound: Sound) => void) {
    this.#play = play
  }

  show(operation: OperationView): void {
    clearTimeout(this.#timer)
    this.operation = operation
    const { sound, staysOpen } = resultOf(operation)
    this.#play(sound)
    if (!staysOpen) this.#timer = setTimeout(() => this.close(), shownFor)
  }

  /** The answer came while the result was still being shown. */
  update(operation: OperationView): void {
    if (this.operation?.id === operation.id && this.operation.state !== operation.state) this.show(operation)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.operation = null
  }
}
