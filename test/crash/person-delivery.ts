import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveryId } from '../../src-shared/ids'
import { jpegOf } from '../fakes/jpeg'
import type { pastOf } from './past'
import type { At, PersonParts } from './person-checkout'
import type { DeliveryDeed } from './script-shop'

/** How long a person waits for what a package holds, in ms. */
const patience = 1_500
const about = { receivedBy: 'Maya', shippedBy: 'Crash', driver: null, manifestNumber: 'M-1' }

/** What a person does who receives a delivery, up to its record. */
export function createReceiver({ teller, ledger }: PersonParts, past: Pick<ReturnType<typeof pastOf>, 'deliveryOf'>) {
  const summaryOf = async (n: number, deliveryId: DeliveryId) =>
    (await teller.ask(n, 'receiving.deliveries', undefined))?.find(({ id }) => id === deliveryId)

  /** The delivery under way; begins one with the package if there is none. */
  const deliveryOfDeed = async (n: number, packageUid: string): Promise<DeliveryId | undefined> => {
    const before = past.deliveryOf(n)
    if (before !== undefined) return before
    const act = { kind: 'receive', deliveryId: null } as const
    let open = await teller.ask(n, 'receiving.delivery', undefined)
    if (!open) {
      ledger.write({ line: 'acts', n, act })
      await Promise.race([teller.ask(n, 'receiving.addPackage', { packageUid }), pause(patience)])
      open = await teller.ask(n, 'receiving.delivery', undefined)
    }
    ledger.write({ line: 'acted', n, act: { ...act, deliveryId: open?.id ?? null }, isDone: Boolean(open) })
    return open?.id
  }

  const photograph = async (n: number, deliveryId: DeliveryId, photoId: NonNullable<DeliveryDeed['photoId']>) => {
    const act = { kind: 'photograph', deliveryId, photoId } as const
    const base64 = jpegOf({ seed: n + photoId.charCodeAt(0) }).toString('base64')
    await teller.ask(n, 'receiving.sendPhoto', { photoId, start: 0, base64 })
    ledger.write({ line: 'acts', n, act })
    const filed = { deliveryId, photoId, caption: 'Pallet', packageUid: null, caseId: null }
    const done = await teller.ask(n, 'receiving.addPhoto', filed)
    ledger.write({ line: 'acted', n, act, isDone: done !== undefined })
  }

  const step = async (n: number, kind: 'finish' | 'reopen', deliveryId: DeliveryId) => {
    const act = { kind, deliveryId }
    ledger.write({ line: 'acts', n, act })
    const done =
      kind === 'finish'
        ? await teller.ask(n, 'receiving.finishDelivery', { deliveryId, about })
        : await teller.ask(n, 'receiving.reopenDelivery', { deliveryId })
    ledger.write({ line: 'acted', n, act, isDone: done !== undefined })
    return done !== undefined
  }

  return {
    async receive({ n }: At, { packageUid, photoId, isReopened, corrections }: DeliveryDeed) {
      const deliveryId = await deliveryOfDeed(n, packageUid)
      if (deliveryId === undefined) return
      const first = await summaryOf(n, deliveryId)
      if (photoId !== null && first?.finishedAt === null) await photograph(n, deliveryId, photoId)
      const wanted = isReopened ? 2 : 1
      for (;;) {
        const now = await summaryOf(n, deliveryId)
        if (!now) return
        const version = now.record?.version ?? 0
        const isOver = now.finishedAt !== null && (version >= wanted || !now.canReopen)
        if (isOver || !(await step(n, now.finishedAt === null ? 'finish' : 'reopen', deliveryId))) break
      }
      for (const text of corrections) {
        // A record keeps what was added: a person looks before adding it again.
        const record = await teller.ask(n, 'receiving.record', { deliveryId, version: null })
        if (!record || record.corrections.some(({ body }) => body?.text === text)) continue
        const act = { kind: 'correct', deliveryId, text } as const
        ledger.write({ line: 'acts', n, act })
        const done = await teller.ask(n, 'receiving.correct', { deliveryId, by: 'Maya', text, photoId: null })
        ledger.write({ line: 'acted', n, act, isDone: done !== undefined })
      }
    },
  }
}
