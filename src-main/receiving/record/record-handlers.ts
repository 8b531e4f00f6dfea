import { ok } from '../../../src-shared/result'
import type { HandlersOf } from '../../ipc/handlers'
import type { ReceivingHistory } from './history'
import type { Photos } from './photos'
import type { Records } from './record'
import type { DeliveryReports } from './report'

/** Calls about what is kept of deliveries: reports, records, photos, the history. */
export function recordHandlers(report: DeliveryReports, records: Records, photos: Photos, history: ReceivingHistory) {
  return {
    'receiving.report': ({ deliveryId }) => report.make(deliveryId),
    'receiving.record': ({ deliveryId, version }) => records.view(deliveryId, version),
    'receiving.correct': ({ deliveryId, ...what }) => records.correct(deliveryId, what),
    'receiving.sendPhoto': ({ photoId, start, base64 }) => photos.receive(photoId, start, base64),
    'receiving.addPhoto': ({ deliveryId, photoId, ...about }) => photos.add(deliveryId, photoId, about),
    'receiving.describePhoto': ({ photoId, ...about }) => photos.describe(photoId, about),
    'receiving.removePhoto': ({ photoId }) => photos.remove(photoId),
    'receiving.restorePhoto': ({ photoId }) => photos.restore(photoId),
    'receiving.photos': () => ok(photos.list()),
    'receiving.photo': ({ photoId }) => ok({ dataUrl: photos.picture(photoId) }),
    'receiving.history': ({ filter, before }) => ok(history.page(filter, before)),
    'receiving.exportHistory': async ({ filter }) => ok(await history.export(filter)),
  } satisfies Partial<HandlersOf<'receiving'>>
}
