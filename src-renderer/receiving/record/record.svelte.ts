import type { AppError } from '../../../src-shared/errors'
import type { DeliveryId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { DeliveryReport } from '../../../src-shared/ipc/contract/delivery'
import type { RecordView } from '../../../src-shared/ipc/contract/record'
import { Ask } from '../../ui/ask.svelte'
import { sendPhoto } from '../photos/send-photo'
import { shrink } from '../photos/shrink'

/** A version of the record, or what is known of the delivery now. */
export type Shown = number | 'now'

/** The record of a finished delivery: which version is shown, and adding a correction. */
export class DeliveryRecord {
  /** Null until main has said which versions there are. */
  shown = $state.raw<Shown | null>(null)
  readonly #record = new Ask<RecordView>()
  readonly #report = new Ask<DeliveryReport>()
  view = $derived(this.#record.value)
  /** What is known now: shown on request, and for a delivery without a record. */
  report = $derived(this.shown === 'now' ? this.#report.value : null)
  error = $derived(this.shown === 'now' ? this.#report.error : this.#record.error)
  /** The version that is shown, with its mark. */
  version = $derived(this.view?.versions.find(({ version }) => version === this.shown) ?? null)
  body = $derived(this.shown === 'now' || this.view?.body?.version !== this.shown ? null : this.view.body)
  readonly #client: Client
  readonly #deliveryId: DeliveryId

  constructor(client: Client, deliveryId: DeliveryId) {
    this.#client = client
    this.#deliveryId = deliveryId
  }

  /** Shows the last version; what is known now if there is none. */
  async load(): Promise<void> {
    await this.#ask(null)
    if (this.view) await this.show(this.view.versions.at(-1)?.version ?? 'now')
  }

  async show(shown: Shown): Promise<void> {
    this.shown = shown
    if (shown === 'now') await this.#report.ask(() => this.#client.call('receiving.report', this.#which))
    else if (this.view?.body?.version !== shown) await this.#ask(shown)
  }

  get #which() {
    return { deliveryId: this.#deliveryId }
  }

  #ask(version: number | null) {
    return this.#record.ask(() => this.#client.call('receiving.record', { ...this.#which, version }))
  }

  /** Adds a correction, for good. Returns why it was refused, or null. */
  async correct(by: string, text: string, file: Blob | null): Promise<AppError | null> {
    let photoId = null
    if (file) {
      const small = await shrink(file)
      if (!small.ok) return small.error
      const sent = await sendPhoto(this.#client, small.value)
      if (!sent.ok) return sent.error
      photoId = sent.value
    }
    const answer = await this.#client.call('receiving.correct', { ...this.#which, by, text, photoId })
    if (!answer.ok) return answer.error
    await this.#ask(typeof this.shown === 'number' ? this.shown : null)
    return null
  }
}
