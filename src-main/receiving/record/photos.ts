import type { AppError, ResultOf } from '../../../src-shared/errors'
import type { CaseId, DeliveryId, PhotoId } from '../../../src-shared/ids'
import {
  type PhotoAbout,
  type PhotoCheck,
  type PhotoView,
  type RecordedPhoto,
  photoLimits,
} from '../../../src-shared/ipc/contract/record'
import { type Result, err, ok } from '../../../src-shared/result'
import { type ImageProblem, judgeImage } from '../../../src-shared/image-file'
import { iso } from '../../core/clock'
import { type NotSaved, saved } from '../../database/saved'
import type { DeliveryRow } from '../delivery/delivery-rows'
import type { ReceivingContext } from '../receiving-context'
import { type PhotoFiles, sha256Of } from './photo-files'
import { type PhotoRow, type PhotoRows, createPhotoRows } from './photo-rows'

/** What is printed on a case, if it is known. */
export const labelOf = (caseId: CaseId, { seen }: Pick<ReceivingContext, 'seen'>): string | null =>
  seen.caseInBrief(caseId)?.value.identifier ?? null

/** Photos of a delivery with those that were removed: they are kept without their files. */
const mostRows = photoLimits.perDelivery * 4
/** Photos that are on their way from the page; an older one is given up. */
const mostSent = 3
/** Base64 needs four characters for three bytes. */
const mostCharacters = Math.ceil(photoLimits.bytes / 3) * 4
const noAbout: PhotoAbout = { caption: '', packageUid: null, caseId: null }

/** A photo that was sent, before it is filed. */
type Received = Omit<PhotoRow, 'delivery' | 'correction' | 'removedAt' | keyof PhotoAbout> & { content: Buffer }

/**
 * Photos of a delivery. They can be added, described and removed while it is under way, also when it was reopened; once it is
 * finished, its record names each by its SHA-256. Rules: receiving.md.
 */
export class Photos {
  readonly #context: ReceivingContext
  readonly #rows: PhotoRows
  readonly #files: PhotoFiles
  /** Sent in part or whole, as base64; the oldest first. */
  readonly #sent = new Map<PhotoId, string>()
  readonly #gone = err({ code: 'receiving/photo-gone' } as const)
  readonly #full = err({ code: 'receiving/record-full', of: 'photos', most: photoLimits.perDelivery } as const)

  constructor(context: ReceivingContext, files: PhotoFiles) {
    this.#context = context
    this.#rows = createPhotoRows(context.db)
    this.#files = files
    // The page shows the photos of the delivery under way: another one is, or none.
    for (const name of ['delivery.finished', 'delivery.opened'] as const)
      context.events.on(name, 'receiving/record/photos.ts', () => {
        this.sweep()
        this.#announceNow()
      })
  }

  list(): PhotoView[] {
    const open = this.#context.deliveries.open()
    // A photo that was removed before the delivery was reopened has no file to bring back.
    const shown = open
      ? this.#rows.ofDelivery(open.seq).filter((row) => row.removedAt === null || this.#files.has(row.sha256))
      : []
    return shown.map((row) => this.#viewOf(row))
  }

  /** Its row is saved. */
  filed(id: PhotoId) {
    const row = this.#rows.byId(id)
    if (row) this.#files.filed(row.sha256)
    this.#sent.delete(id)
  }

  /**
   * Deletes the files of removed photos, once their delivery is finished, and of those whose row was never saved. At the start
   * too: a crash may have prevented it.
   */
  sweep() {
    try {
      this.#files.deleteHalves()
      // Only files of which is noted that this database has no row: those of a database that lost rows are evidence.
      for (const sha256 of this.#files.unfiled()) {
        if (!this.#rows.hasFile(sha256)) {
          this.#context.atStep('photo.sweeping')
          this.#files.delete(sha256)
          this.#context.atStep('photo.swept')
        }
        this.#files.filed(sha256)
      }
      for (const sha256 of this.#rows.removedFiles()) {
        if (!this.#files.has(sha256)) continue
        this.#context.atStep('photo.sweeping')
        this.#files.delete(sha256)
        this.#context.atStep('photo.swept')
      }
    } catch (cause) {
      this.#context.log.warn('the file of a photo that is no longer needed could not be deleted', { cause })
    }
  }

  /** Takes the next part. */
  receive(
    id: PhotoId,
    start: number,
    base64: string,
  ): ResultOf<null, 'receiving/photo-gone' | 'receiving/photo-unusable'> {
    const before = start === 0 ? '' : this.#sent.get(id)
    if (before?.length !== start) return this.#gone
    this.#sent.delete(id)
    if (start + base64.length > mostCharacters) return this.#unusable('size')
    this.#sent.set(id, before + base64)
    for (const [oldest] of this.#sent) {
      if (this.#sent.size <= mostSent) break
      this.#sent.delete(oldest)
    }
    this.#context.atStep('photo.received')
    return ok(null)
  }

  add(
    deliveryId: DeliveryId,
    id: PhotoId,
    about: PhotoAbout,
  ): ResultOf<
    null,
    NotSaved | 'receiving/no-delivery' | 'receiving/photo-gone' | 'receiving/photo-unusable' | 'receiving/record-full'
  > {
    const added = saved(
      (): ResultOf<
        null,
        'receiving/no-delivery' | 'receiving/photo-gone' | 'receiving/photo-unusable' | 'receiving/record-full'
      > => {
        const open = this.#context.deliveries.open()
        if (open?.id !== deliveryId) return err({ code: 'receiving/no-delivery' })
        // Asked again after a lost answer.
        if (this.#rows.byId(id)?.delivery === open.seq) return ok(null)
        if (this.#isFull(open) || this.#rows.ofDelivery(open.seq).length >= mostRows) return this.#full
        const photo = this.#received(id)
        if (!photo.ok) return photo
        const { content, ...facts } = photo.value
        // The file first, so that no row is without one.
        this.#files.write(facts.sha256, content)
        const { caption, packageUid, caseId } = about
        this.#rows.insert({ ...facts, delivery: open.seq, correction: null, caption, packageUid, caseId })
        return ok(null)
      },
    )
    if (!added.ok) return added
    this.#context.atStep('photo.saved')
    this.filed(id)
    this.#announceNow()
    return added
  }

  /** What a correction with this photo says of it. */
  look(
    id: PhotoId,
  ): ResultOf<RecordedPhoto, 'receiving/photo-gone' | 'receiving/photo-unusable' | 'receiving/record-full'> {
    const photo = this.#received(id)
    if (!photo.ok) return photo
    const { content: _content, ...facts } = photo.value
    return ok({ ...facts, ...noAbout, identifier: null, addedAt: iso(facts.addedAt) })
  }

  /** Files the photo of a correction, in its commit; call `filed` after it. Throws if the disk refuses. */
  addTo(delivery: number, correction: number, { identifier: _label, ...photo }: RecordedPhoto): void {
    this.#files.write(photo.sha256, Buffer.from(this.#sent.get(photo.id) ?? '', 'base64'))
    this.#rows.insert({ ...photo, delivery, correction, addedAt: Date.parse(photo.addedAt) })
  }

  describe(id: PhotoId, about: PhotoAbout) {
    return this.#ofOpen(id, () => {
      this.#rows.describe(id, about)
      return ok(null)
    })
  }

  remove(id: PhotoId) {
    return this.#ofOpen(id, ({ removedAt }) => {
      this.#rows.remove(id, removedAt ?? this.#context.clock.now())
      this.#context.atStep('photo.removed')
      return ok(null)
    })
  }

  /** Undoes a removal. */
  restore(id: PhotoId) {
    return this.#ofOpen(id, ({ removedAt, sha256 }, open) => {
      if (removedAt !== null && this.#isFull(open)) return this.#full
      if (!this.#files.has(sha256)) return this.#gone
      this.#rows.remove(id, null)
      this.#context.atStep('photo.restored')
      return ok(null)
    })
  }

  /** For the record of a delivery. */
  recordedOf(delivery: number): RecordedPhoto[] {
    return this.#rows.ofDelivery(delivery).flatMap((row) => (row.removedAt === null ? this.#recorded(row) : []))
  }

  /** Whether a photo that a record names is the one that was saved. */
  checkOf({ id, sha256 }: Pick<RecordedPhoto, 'id' | 'sha256'>): PhotoCheck {
    const found = this.#files.read(sha256)
    if (typeof found !== 'string') return 'intact'
    return typeof this.#rows.byId(id)?.removedAt === 'number' ? 'removed' : found
  }

  /** A `data:` URL; null if its file is missing or another one. */
  picture(id: PhotoId): string | null {
    const row = this.#rows.byId(id)
    const content = row && this.#files.read(row.sha256)
    return content instanceof Buffer ? `data:image/jpeg;base64,${content.toString('base64')}` : null
  }

  #unusable(reason: ImageProblem | 'size') {
    return err({ code: 'receiving/photo-unusable', reason } as const)
  }

  #recorded({ correction: _of, delivery: _seq, removedAt: _removed, ...row }: PhotoRow): RecordedPhoto {
    return {
      ...row,
      identifier: row.caseId && labelOf(row.caseId, this.#context),
      addedAt: iso(row.addedAt),
    }
  }

  #viewOf(row: PhotoRow): PhotoView {
    const { sha256: _file, ...photo } = this.#recorded(row)
    return { ...photo, removedAt: row.removedAt === null ? null : iso(row.removedAt) }
  }

  #announceNow() {
    this.#context.events.emit('receiving.photos', this.list())
  }

  /** The bytes of a photo that was sent, and what they are; only a JPEG as the page makes it is taken. */
  #received(
    id: PhotoId,
  ): ResultOf<Received, 'receiving/photo-gone' | 'receiving/photo-unusable' | 'receiving/record-full'> {
    const base64 = this.#sent.get(id)
    if (base64 === undefined) return this.#gone
    const content = Buffer.from(base64, 'base64')
    const judged = judgeImage(content, photoLimits.side * photoLimits.side)
    if (!judged.ok) return this.#unusable(judged.error)
    const facts = judged.value
    // The page draws every photo anew, which leaves out where and by which phone it was taken.
    if (facts.type !== 'jpeg' || facts.hasMetadata) return this.#unusable('type')
    if (facts.trailing > 0) return this.#unusable('damaged')
    if (content.length > photoLimits.bytes) return this.#unusable('size')
    if (Math.max(facts.width, facts.height) > photoLimits.side) return this.#unusable('pixels')
    if (this.#rows.allBytes() + content.length > photoLimits.onDisk)
      return err({ code: 'receiving/record-full', of: 'disk', most: photoLimits.onDisk / 1_000_000_000 })
    const { width, height } = facts
    return ok({
      id,
      sha256: sha256Of(content),
      bytes: content.length,
      width,
      height,
      addedAt: this.#context.clock.now(),
      content,
    })
  }

  #isFull({ seq }: DeliveryRow) {
    return this.#rows.ofDelivery(seq).filter(({ removedAt }) => removedAt === null).length >= photoLimits.perDelivery
  }

  #ofOpen<Done extends Result<null, AppError>>(id: PhotoId, change: (row: PhotoRow, open: DeliveryRow) => Done) {
    const changed = saved(() => {
      const open = this.#context.deliveries.open()
      if (!open) return err({ code: 'receiving/no-delivery' })
      const row = this.#rows.byId(id)
      if (row?.delivery !== open.seq || row.correction !== null) return this.#gone
      return change(row, open)
    })
    if (changed.ok) this.#announceNow()
    return changed
  }
}
