import type { AppError } from '../../../src-shared/errors'
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
import { type Clock, iso } from '../../core/clock'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import type { AtStep } from '../../core/steps'
import { saved } from '../../database/saved'
import type { DeliveryRow, DeliveryRows } from '../delivery/delivery-rows'
import { type PhotoFiles, sha256Of } from './photo-files'
import type { PhotoRow, PhotoRows } from './photo-rows'

interface PhotosParts {
  rows: PhotoRows
  files: PhotoFiles
  deliveries: Pick<DeliveryRows, 'open'>
  /** What is printed on a case, if it is known. */
  identifierOf: (caseId: CaseId) => string | null
  clock: Clock
  log: Log
  events: Pick<MainEvents, 'emit' | 'on'>
  atStep?: AtStep | undefined
}

/** Photos of a delivery with those that were removed: they are kept without their files. */
const mostRows = photoLimits.perDelivery * 4
/** Photos that are on their way from the page; an older one is given up. */
const mostSent = 3
/** Base64 needs four characters for three bytes. */
const mostCharacters = Math.ceil(photoLimits.bytes / 3) * 4
const noAbout: PhotoAbout = { caption: '', packageUid: null, caseId: null }

/** A photo that was sent, before it is filed. */
type Received = Omit<PhotoRow, 'delivery' | 'correction' | 'removedAt' | keyof PhotoAbout> & { content: Buffer }

export type Photos = ReturnType<typeof createPhotos>

/**
 * Photos of a delivery. They can be added, described and removed while it is under way, also when it was reopened; once it is
 * finished, its record names each by its SHA-256. Rules: receiving.md.
 */
export function createPhotos(parts: PhotosParts) {
  const { rows, files, deliveries, identifierOf, clock, log, events, atStep = () => undefined } = parts
  /** Sent in part or whole, as base64; the oldest first. */
  const sent = new Map<PhotoId, string>()
  const gone = err({ code: 'receiving/photo-gone' } as const)
  const unusable = (reason: ImageProblem | 'size') => err({ code: 'receiving/photo-unusable', reason } as const)

  const recorded = ({ correction: _of, delivery: _seq, removedAt: _removed, ...row }: PhotoRow): RecordedPhoto => ({
    ...row,
    identifier: row.caseId && identifierOf(row.caseId),
    addedAt: iso(row.addedAt),
  })
  const viewOf = (row: PhotoRow): PhotoView => {
    const { sha256: _file, ...photo } = recorded(row)
    return { ...photo, removedAt: row.removedAt === null ? null : iso(row.removedAt) }
  }
  const list = (): PhotoView[] => {
    const open = deliveries.open()
    // A photo that was removed before the delivery was reopened has no file to bring back.
    const shown = open ? rows.ofDelivery(open.seq).filter((row) => row.removedAt === null || files.has(row.sha256)) : []
    return shown.map(viewOf)
  }
  const announceNow = () => {
    events.emit('receiving.photos', list())
  }

  /** The bytes of a photo that was sent, and what they are; only a JPEG as the page makes it is taken. */
  const received = (id: PhotoId): Result<Received, AppError> => {
    const base64 = sent.get(id)
    if (base64 === undefined) return gone
    const content = Buffer.from(base64, 'base64')
    const judged = judgeImage(content, photoLimits.side * photoLimits.side)
    if (!judged.ok) return unusable(judged.error)
    const facts = judged.value
    // The page draws every photo anew, which leaves out where and by which phone it was taken.
    if (facts.type !== 'jpeg' || facts.hasMetadata) return unusable('type')
    if (facts.trailing > 0) return unusable('damaged')
    if (content.length > photoLimits.bytes) return unusable('size')
    if (Math.max(facts.width, facts.height) > photoLimits.side) return unusable('pixels')
    if (rows.allBytes() + content.length > photoLimits.onDisk)
      return err({ code: 'receiving/record-full', of: 'disk', most: photoLimits.onDisk / 1_000_000_000 })
    const { width, height } = facts
    return ok({ id, sha256: sha256Of(content), bytes: content.length, width, height, addedAt: clock.now(), content })
  }

  /** Its row is saved. */
  const noteFiled = (id: PhotoId) => {
    const row = rows.byId(id)
    if (row) files.filed(row.sha256)
    sent.delete(id)
  }

  const full = err({ code: 'receiving/record-full', of: 'photos', most: photoLimits.perDelivery } as const)
  const isFull = ({ seq }: DeliveryRow) =>
    rows.ofDelivery(seq).filter(({ removedAt }) => removedAt === null).length >= photoLimits.perDelivery
  const ofOpen = (
    id: PhotoId,
    change: (row: PhotoRow, open: DeliveryRow) => Result<null, AppError>,
  ): Result<null, AppError> => {
    const changed = saved((): Result<null, AppError> => {
      const open = deliveries.open()
      if (!open) return err({ code: 'receiving/no-delivery' })
      const row = rows.byId(id)
      if (row?.delivery !== open.seq || row.correction !== null) return gone
      return change(row, open)
    })
    if (changed.ok) announceNow()
    return changed
  }

  /**
   * Deletes the files of removed photos, once their delivery is finished, and of those whose row was never saved. At the start
   * too: a crash may have prevented it.
   */
  const sweep = () => {
    try {
      files.deleteHalves()
      // Only files of which is noted that this database has no row: those of a database that lost rows are evidence.
      for (const sha256 of files.unfiled()) {
        if (!rows.hasFile(sha256)) {
          atStep('photo.sweeping')
          files.delete(sha256)
          atStep('photo.swept')
        }
        files.filed(sha256)
      }
      for (const sha256 of rows.removedFiles()) {
        if (!files.has(sha256)) continue
        atStep('photo.sweeping')
        files.delete(sha256)
        atStep('photo.swept')
      }
    } catch (cause) {
      log.warn('the file of a photo that is no longer needed could not be deleted', { cause })
    }
  }
  // The page shows the photos of the delivery under way: another one is, or none.
  for (const name of ['delivery.finished', 'delivery.opened'] as const)
    events.on(name, 'receiving/record/photos.ts', () => {
      sweep()
      announceNow()
    })

  return {
    list,
    sweep,
    /** Takes the next part. Errors: receiving/photo-unusable. */
    receive(id: PhotoId, start: number, base64: string): Result<null, AppError> {
      const before = start === 0 ? '' : sent.get(id)
      if (before?.length !== start) return gone
      sent.delete(id)
      if (start + base64.length > mostCharacters) return unusable('size')
      sent.set(id, before + base64)
      for (const [oldest] of sent) {
        if (sent.size <= mostSent) break
        sent.delete(oldest)
      }
      atStep('photo.received')
      return ok(null)
    },
    /** Errors: receiving/no-delivery, -photo-unusable, -photo-gone, -record-full, store/not-saved. */
    add(deliveryId: DeliveryId, id: PhotoId, about: PhotoAbout): Result<null, AppError> {
      const added = saved((): Result<null, AppError> => {
        const open = deliveries.open()
        if (open?.id !== deliveryId) return err({ code: 'receiving/no-delivery' })
        // Asked again after a lost answer.
        if (rows.byId(id)?.delivery === open.seq) return ok(null)
        if (isFull(open) || rows.ofDelivery(open.seq).length >= mostRows) return full
        const photo = received(id)
        if (!photo.ok) return photo
        const { content, ...facts } = photo.value
        // The file first, so that no row is without one.
        files.write(facts.sha256, content)
        const { caption, packageUid, caseId } = about
        rows.insert({ ...facts, delivery: open.seq, correction: null, caption, packageUid, caseId })
        return ok(null)
      })
      if (!added.ok) return added
      atStep('photo.saved')
      noteFiled(id)
      announceNow()
      return added
    },
    /** What a correction with this photo says of it. Errors: receiving/photo-unusable, -photo-gone, -record-full. */
    look(id: PhotoId): Result<RecordedPhoto, AppError> {
      const photo = received(id)
      if (!photo.ok) return photo
      const { content: _content, ...facts } = photo.value
      return ok({ ...facts, ...noAbout, identifier: null, addedAt: iso(facts.addedAt) })
    },
    /** Files the photo of a correction, in its commit; call `filed` after it. Throws if the disk refuses. */
    addTo(delivery: number, correction: number, { identifier: _label, ...photo }: RecordedPhoto): void {
      files.write(photo.sha256, Buffer.from(sent.get(photo.id) ?? '', 'base64'))
      rows.insert({ ...photo, delivery, correction, addedAt: Date.parse(photo.addedAt) })
    },
    filed: noteFiled,
    /** Errors: receiving/no-delivery, receiving/photo-gone. */
    describe: (id: PhotoId, about: PhotoAbout) =>
      ofOpen(id, () => {
        rows.describe(id, about)
        return ok(null)
      }),
    /** Errors: receiving/no-delivery, receiving/photo-gone. */
    remove: (id: PhotoId) =>
      ofOpen(id, ({ removedAt }) => {
        rows.remove(id, removedAt ?? clock.now())
        atStep('photo.removed')
        return ok(null)
      }),
    /** Undoes a removal. Errors: receiving/no-delivery, receiving/photo-gone, receiving/record-full. */
    restore: (id: PhotoId) =>
      ofOpen(id, ({ removedAt, sha256 }, open) => {
        if (removedAt !== null && isFull(open)) return full
        if (!files.has(sha256)) return gone
        rows.remove(id, null)
        atStep('photo.restored')
        return ok(null)
      }),
    /** For the record of a delivery. */
    recordedOf: (delivery: number): RecordedPhoto[] =>
      rows.ofDelivery(delivery).flatMap((row) => (row.removedAt === null ? recorded(row) : [])),
    /** Whether a photo that a record names is the one that was saved. */
    checkOf({ id, sha256 }: Pick<RecordedPhoto, 'id' | 'sha256'>): PhotoCheck {
      const found = files.read(sha256)
      if (typeof found !== 'string') return 'intact'
      return typeof rows.byId(id)?.removedAt === 'number' ? 'removed' : found
    },
    /** A `data:` URL; null if its file is missing or another one. */
    picture(id: PhotoId): string | null {
      const row = rows.byId(id)
      const content = row && files.read(row.sha256)
      return content instanceof Buffer ? `data:image/jpeg;base64,${content.toString('base64')}` : null
    },
  }
}
