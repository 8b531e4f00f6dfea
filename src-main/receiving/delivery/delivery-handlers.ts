import { err, ok } from '../../../src-shared/result'
import type { HandlersOf } from '../../ipc/handlers'
import { saved } from '../../database/saved'
import type { Delivery } from './delivery'
import type { Records } from '../record/record'
import type { RecordContext } from '../record/record-context'
import type { SharedDeliveries } from './shared-deliveries'

/**
 * Calls about what is listed in a delivery, from its first package until it is finished. `deliveries`: undefined without a
 * hub.
 */
export function deliveryHandlers(
  { unread, notices, counts }: RecordContext,
  delivery: Delivery,
  deliveries: SharedDeliveries | undefined,
  records: Records,
) {
  return {
    'receiving.delivery': async () => ok(await delivery.view()),
    'receiving.addPackage': ({ packageUid, isMeant = false }) => delivery.addPackage(packageUid, isMeant),
    'receiving.addCase': ({ identifier }) => delivery.addCase(identifier),
    'receiving.unreadCases': () => ok(unread.list()),
    'receiving.forgetUnreadCase': ({ scanned }) =>
      saved(() => {
        unread.forget(scanned)
        return ok(null)
      }),
    'receiving.refresh': () => {
      delivery.refresh()
      return ok(null)
    },
    'receiving.dropPackage': ({ packageUid }) => delivery.dropPackage(packageUid),
    'receiving.dropCase': ({ caseId }) => delivery.dropCase(caseId),
    'receiving.storeDeliveries': () => ok(deliveries?.listed() ?? []),
    'receiving.joinDelivery': async ({ deliveryId }) => {
      if (!deliveries) return err({ code: 'hub/unreachable' })
      const joined = await deliveries.join(deliveryId)
      await delivery.announceNow()
      return joined
    },
    'receiving.deliveryNotices': () => ok(notices.list()),
    'receiving.seeDeliveryNotice': ({ id }) =>
      saved(() => {
        notices.see(id)
        notices.announceNow()
        return ok(null)
      }),
    'receiving.finishing': async ({ deliveryId }) => {
      const behind = (await deliveries?.behind(deliveryId)) ?? []
      return ok({
        ...records.finishing(deliveryId),
        behind,
        differences: await counts.details.openDifferences(deliveryId),
      })
    },
    'receiving.finishDelivery': async ({ deliveryId, about }) =>
      delivery.finish(deliveryId, await records.prepare(deliveryId, about)),
    'receiving.reopenDelivery': ({ deliveryId }) => delivery.reopen(deliveryId),
    'receiving.deliveries': (filter) => ok(delivery.list(filter?.text)),
  } satisfies Partial<HandlersOf<'receiving'>>
}
