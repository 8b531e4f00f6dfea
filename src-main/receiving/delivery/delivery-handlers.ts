import { err, ok } from '../../../src-shared/result'
import type { HandlersOf } from '../../ipc/handlers'
import { saved } from '../../database/saved'
import type { CountDetails } from '../../counting/cases/count-details'
import type { Delivery } from './delivery'
import type { DeliveryNotices } from './delivery-notices'
import type { Records } from '../record/record'
import type { SharedDeliveries } from './shared-deliveries'
import type { UnreadCases } from './unread-cases'

interface DeliveryHandlersParts {
  delivery: Delivery
  unread: UnreadCases
  /** Undefined without a hub. */
  deliveries: SharedDeliveries | undefined
  notices: DeliveryNotices
  records: Records
  counts: Pick<CountDetails, 'openDifferences'>
}

/** Calls about what is listed in a delivery, from its first package until it is finished. */
export function deliveryHandlers({ delivery, unread, deliveries, notices, records, counts }: DeliveryHandlersParts) {
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
      return ok({ ...records.finishing(deliveryId), behind, differences: await counts.openDifferences(deliveryId) })
    },
    'receiving.finishDelivery': async ({ deliveryId, about }) =>
      delivery.finish(deliveryId, await records.prepare(deliveryId, about)),
    'receiving.reopenDelivery': ({ deliveryId }) => delivery.reopen(deliveryId),
    'receiving.deliveries': (filter) => ok(delivery.list(filter?.text)),
  } satisfies Partial<HandlersOf<'receiving'>>
}
