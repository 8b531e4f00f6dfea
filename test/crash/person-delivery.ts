import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveryId, PhotoId } from '../../src-shared/ids'
import { jpegOf } from '../fakes/jpeg'
import type { PhotoSent } from './ledger'
import type { pastOf } from './past'
import type { At, PersonParts } from './person-checkout'
import type { DeliveryDeed, PhotoDeed } from './script-shop'

/** How long a person waits for what a package holds, in ms. */
const patience = 1_500
/** Characters of a photo's first part: a multiple of four, as base64 is. */
const firstPart = 400
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

  /** Sends a photo in two parts. */
  const send = async (n: number, { photoId, seed }: PhotoDeed): Promise<PhotoSent> => {
    const content = jpegOf({ seed })
    const base64 = content.toString('base64')
    await teller.ask(n, 'receiving.sendPhoto', { photoId, start: 0, base64: base64.slice(0, firstPart) })
    await teller.ask(n, 'receiving.sendPhoto', { photoId, start: firstPart, base64: base64.slice(firstPart) })
    return { photoId, sha256: createHash('sha256').update(content).digest('hex') }
  }

  const photograph = async (n: number, deliveryId: DeliveryId, photo: PhotoDeed) => {
    const act = { kind: 'photograph', deliveryId, ...(await send(n, photo)) } as const
    ledger.write({ line: 'acts', n, act })
    const { photoId } = photo
    const filed = { deliveryId, photoId, caption: 'Pallet', packageUid: null, caseId: null }
    const done = await teller.ask(n, 'receiving.addPhoto', filed)
    ledger.write({ line: 'acted', n, act, isDone: done !== undefined })
  }

  const change = async (
    n: number,
    kind: 'remove photo' | 'restore photo',
    deliveryId: DeliveryId,
    photoId: PhotoId,
  ) => {
    const act = { kind, deliveryId, photoId }
    const call = kind === 'remove photo' ? 'receiving.removePhoto' : 'receiving.restorePhoto'
    ledger.write({ line: 'acts', n, act })
    const done = await teller.ask(n, call, { photoId })
    ledger.write({ line: 'acted', n, act, isDone: done !== undefined })
  }

  /** Adds the photos that aren't there yet, and does with each what the deed says. */
  const arrange = async (n: number, deliveryId: DeliveryId, photos: PhotoDeed[], isAgain: boolean) => {
    const seen = async (id: PhotoId) =>
      (await teller.ask(n, 'receiving.photos', undefined))?.find((photo) => photo.id === id)
    for (const photo of photos) {
      const { photoId, fate } = photo
      // Opened again, those that were removed are gone.
      if (!isAgain && !(await seen(photoId))) await photograph(n, deliveryId, photo)
      const isToGo = isAgain ? fate === 'removed later' : fate === 'removed' || fate === 'restored'
      const now = await seen(photoId)
      if (isToGo && now?.removedAt === null) await change(n, 'remove photo', deliveryId, photoId)
      if (fate === 'restored' && (await seen(photoId))?.removedAt) await change(n, 'restore photo', deliveryId, photoId)
    }
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
    async receive({ n }: At, { packageUid, photos, isReopened, corrections }: DeliveryDeed) {
      const deliveryId = await deliveryOfDeed(n, packageUid)
      if (deliveryId === undefined) return
      const wanted = isReopened ? 2 : 1
      for (;;) {
        const now = await summaryOf(n, deliveryId)
        if (!now) return
        const version = now.record?.version ?? 0
        if (now.finishedAt === null) await arrange(n, deliveryId, photos, version > 0)
        const isOver = now.finishedAt !== null && (version >= wanted || !now.canReopen)
        if (isOver || !(await step(n, now.finishedAt === null ? 'finish' : 'reopen', deliveryId))) break
      }
      for (const { text, photo } of corrections) {
        // A record keeps what was added: a person looks before adding it again.
        const record = await teller.ask(n, 'receiving.record', { deliveryId, version: null })
        if (!record || record.corrections.some(({ body }) => body?.text === text)) continue
        const sent = photo && (await send(n, photo))
        const act = { kind: 'correct', deliveryId, text, photo: sent } as const
        ledger.write({ line: 'acts', n, act })
        const added = { deliveryId, by: 'Maya', text, photoId: sent?.photoId ?? null }
        const done = await teller.ask(n, 'receiving.correct', added)
        ledger.write({ line: 'acted', n, act, isDone: done !== undefined })
      }
    },
  }
}
