import type { OperationKind, OperationView } from '../../src-shared/ipc/contract/outbox'
import { assertNever } from '../../src-shared/result'
import type { ChipTone } from '../ui/tones'
import type { MessageKey } from '../text/en'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'
import type { Sound } from '../scan/sounds'

/** The result of a report, readable from two metres. A refused one stays until a person closes it. */
interface FinishResult {
  tone: ChipTone
  sound: Sound
  title: Text
  detail: Text | null
  staysOpen: boolean
}

/** The words for a report after waiting 2 seconds for the service. */
export function resultOf(operation: OperationView): FinishResult {
  switch (operation.state) {
    case 'accepted':
      return done(doneTitle(operation))
    case 'sending':
    case 'unknown':
      return saved(operation, { key: 'result.no-answer-yet' })
    case 'queued':
      return saved(
        operation,
        operation.waitsFor > 0
          ? { key: 'result.waits-for', values: { count: operation.waitsFor } }
          : { key: 'result.when-connected' },
      )
    case 'rejected': {
      const reason = operation.reason ? explain(operation.reason) : null
      const title: Text = reason?.what ?? { key: 'result.refused' }
      return { tone: 'bad', sound: 'bad', title, detail: reason?.means ?? null, staysOpen: true }
    }
    case 'cancelled':
      return done({ key: 'result.withdrawn', values: orderOf(operation) })
    default:
      return assertNever(operation.state)
  }
}

/** Reports of the till and of the main button in Receiving. All others show their result where they are made. */
const words: Partial<Record<OperationKind, { saved: MessageKey; done?: MessageKey }>> = {
  complete: { saved: 'result.saved.complete', done: 'result.completed' },
  return: { saved: 'result.saved.return', done: 'result.returned' },
  void: { saved: 'result.saved.void', done: 'result.voided' },
  import: { saved: 'result.saved.import' },
  'blind-import': { saved: 'result.saved.blind-import' },
}

const done = (title: Text): FinishResult => ({ tone: 'good', sound: 'good', title, detail: null, staysOpen: false })

/** Saved and not sent yet: nothing for the person to do. */
const saved = (operation: OperationView, title: Text): FinishResult => ({
  tone: 'waiting',
  sound: 'attention',
  title,
  detail: { key: words[operation.kind]?.saved ?? 'result.saved.other', values: orderOf(operation) },
  staysOpen: false,
})

const orderOf = ({ orderId, itemCount }: OperationView) => ({ orderId: orderId ?? '', count: itemCount })

function doneTitle(operation: OperationView): Text {
  const { done: key = 'result.reported' } = words[operation.kind] ?? {}
  return { key, values: orderOf(operation) }
}

/** In ms. */
const shownFor = 3_000

/** The result over a finished order: shown for 3 s or until the next scan, a refused one until it is closed. */
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

  /** Shows the service's answer if it comes while the result is still shown. */
  update(operation: OperationView): void {
    if (this.operation?.id === operation.id && this.operation.state !== operation.state) this.show(operation)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.operation = null
  }
}
