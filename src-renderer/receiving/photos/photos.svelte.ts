import type { AppError } from '../../../src-shared/errors'
import type { DeliveryId, PhotoId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { PhotoAbout, PhotoView } from '../../../src-shared/ipc/contract/record'
import { type Result, err } from '../../../src-shared/result'
import { sendPhoto } from './send-photo'
import { shrink } from './shrink'

/** A file that was not added, and why. */
interface Problem {
  name: string
  error: AppError
}

const noAbout: PhotoAbout = { caption: '', packageUid: null, caseId: null }

/** The photos of the delivery under way, and adding others. What changes arrives by event. */
export class DeliveryPhotos {
  photos = $state.raw<PhotoView[]>([])
  /** What became of the files that were chosen last. */
  problems = $state.raw<Problem[]>([])
  /** Why the last change was refused. */
  error = $state.raw<AppError | null>(null)
  /** How many of the chosen files are done; null if none is being added. */
  progress = $state.raw<{ done: number; total: number } | null>(null)
  /** Files that were chosen and are not added yet. */
  readonly #waiting: File[] = []
  readonly #client: Client
  readonly #deliveryId: () => DeliveryId | undefined
  readonly #shrink: typeof shrink

  /** `deliveryId`: of the delivery under way, which becomes another one when it joins that of another station. */
  constructor(client: Client, deliveryId: () => DeliveryId | undefined, prepare = shrink) {
    this.#client = client
    this.#deliveryId = deliveryId
    this.#shrink = prepare
  }

  /** Follows main until the returned function is called. */
  follow(): () => void {
    const stop = this.#client.on('receiving.photos', (photos) => (this.photos = photos))
    void this.#client.call('receiving.photos', undefined).then((answer) => {
      if (answer.ok) this.photos = answer.value
      else this.error = answer.error
    })
    return stop
  }

  /**
   * Adds photos one after the other; one that can't be used doesn't hold up the others. More of them may come meanwhile: they
   * are added after those.
   */
  async add(files: File[]): Promise<void> {
    this.#waiting.push(...files)
    if (this.progress) this.progress = { ...this.progress, total: this.progress.total + files.length }
    else if (files.length > 0) await this.#addAll(files.length)
  }

  async #addAll(total: number): Promise<void> {
    this.problems = []
    this.error = null
    this.progress = { done: 0, total }
    for (let file = this.#waiting.shift(); file; file = this.#waiting.shift()) {
      const added = await this.#addOne(file)
      if (!added.ok) this.problems = [...this.problems, { name: file.name, error: added.error }]
      this.progress = { ...this.progress, done: this.progress.done + 1 }
    }
    this.progress = null
  }

  async #addOne(file: Blob): Promise<Result<null, AppError>> {
    const small = await this.#shrink(file)
    if (!small.ok) return small
    const sent = await sendPhoto(this.#client, small.value)
    if (!sent.ok) return sent
    const deliveryId = this.#deliveryId()
    if (deliveryId === undefined) return err({ code: 'receiving/no-delivery' })
    return this.#client.call('receiving.addPhoto', { deliveryId, photoId: sent.value, ...noAbout })
  }

  describe({ id }: PhotoView, about: PhotoAbout): Promise<void> {
    return this.#step(() => this.#client.call('receiving.describePhoto', { photoId: id, ...about }))
  }

  remove(photoId: PhotoId): Promise<void> {
    return this.#step(() => this.#client.call('receiving.removePhoto', { photoId }))
  }

  restore(photoId: PhotoId): Promise<void> {
    return this.#step(() => this.#client.call('receiving.restorePhoto', { photoId }))
  }

  async #step(command: () => Promise<Result<null, AppError>>): Promise<void> {
    const answer = await command()
    this.error = answer.ok ? null : answer.error
  }
}
