import { closeSync, existsSync, fsyncSync, readFileSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { openLines } from '../lines'
import { steps } from './kills'
import { JournalEntry, OperationView } from '../../src-shared/ipc/contract/outbox'
import { PhotoCheck, RecordCheck } from '../../src-shared/ipc/contract/record'
import { ShelfCount, ShelfDifference } from '../../src-shared/ipc/contract/stock'
import { CountId, DeliveryId, PhotoId } from '../../src-shared/ids'

/**
 * The station's answers to its user, kept outside the station: each line is synced to disk before the person continues.
 * A call's intent is written before the call, its answer after it.
 */

const texts = z.array(z.string())
const Mode = z.enum(['sale', 'return'])

/** What a call would put into the outbox, or do to an operation in it. */
export const Intent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('complete'), orderId: z.string(), tagIds: texts }),
  z.object({ kind: z.literal('return'), orderId: z.string(), tagIds: texts }),
  z.object({ kind: z.literal('void'), orderId: z.string() }),
  z.object({
    kind: z.literal('import'),
    caseId: z.string(),
    productName: z.string(),
    posInventoryId: z.string(),
  }),
  /** An import of an unseen case, by its label. */
  z.object({ kind: z.literal('blind-import'), label: z.string(), posInventoryId: z.string() }),
  /** A change of a case's contents: these items are no longer in it, or are in it now. */
  z.object({
    kind: z.literal('change'),
    how: z.enum(['remove', 'add']),
    caseId: z.string(),
    tagIds: texts,
  }),
  z.object({ kind: z.literal('undo'), operationId: z.string() }),
  z.object({ kind: z.literal('retry'), operationId: z.string() }),
  z.object({ kind: z.literal('dismiss'), operationId: z.string(), because: z.string() }),
  z.object({ kind: z.literal('reopen'), operationId: z.string(), mode: Mode }),
  z.object({ kind: z.literal('withdraw'), operationId: z.string() }),
])
export type Intent = z.infer<typeof Intent>

const ofCount = { countId: CountId }
const ofDelivery = { deliveryId: DeliveryId }
/** A difference of a count, as it was explained. */
export const Explained = ShelfDifference.pick({ tagId: true, result: true, why: true })

/** A photo and what it shows: the SHA-256 of what was sent. */
const PhotoSent = z.object({ photoId: PhotoId, sha256: z.string() })
export type PhotoSent = z.infer<typeof PhotoSent>

/** What a person does with a shelf count or a delivery. */
export const Act = z.discriminatedUnion('kind', [
  /** The number is known once it has started. */
  z.object({ kind: z.literal('start'), countId: CountId.nullable() }),
  z.object({ kind: z.literal('scan'), ...ofCount, tagId: z.string(), finding: z.string().nullable() }),
  z.object({ kind: z.enum(['pause', 'resume', 'end', 'count again', 'drop']), ...ofCount }),
  z.object({ kind: z.literal('explain'), ...ofCount, differences: z.array(Explained) }),
  /** With the results that the person saw. */
  z.object({ kind: z.literal('sign'), ...ofCount, results: ShelfCount.shape.results }),
  z.object({ kind: z.literal('receive'), deliveryId: DeliveryId.nullable() }),
  z.object({ kind: z.literal('photograph'), ...ofDelivery, ...PhotoSent.shape }),
  z.object({ kind: z.enum(['remove photo', 'restore photo']), ...ofDelivery, photoId: PhotoId }),
  z.object({ kind: z.enum(['finish', 'reopen']), ...ofDelivery }),
  z.object({ kind: z.literal('correct'), ...ofDelivery, text: z.string(), photo: PhotoSent.nullable() }),
])
export type Act = z.infer<typeof Act>

/** A shelf count with all its scans: a day's counts are short. */
const CountSight = ShelfCount.pick({ id: true, state: true, scanned: true, results: true, signature: true }).extend({
  revision: z.number(),
  isOfAll: z.boolean(),
  tagIds: texts,
  differences: z.array(Explained.extend({ reason: ShelfDifference.shape.reason })),
})
export type CountSight = z.infer<typeof CountSight>

const CheckedPhoto = PhotoSent.extend({ check: PhotoCheck })

/** A delivery with its records, and the photos that can be changed while it is under way. */
const DeliverySight = z.object({
  id: DeliveryId,
  isFinished: z.boolean(),
  versions: z.array(
    z.object({ version: z.number(), mark: z.string(), check: RecordCheck, photos: z.array(CheckedPhoto) }),
  ),
  corrections: z.array(z.object({ text: z.string().nullable(), check: RecordCheck, photo: CheckedPhoto.nullable() })),
  photos: z.array(z.object({ photoId: PhotoId, isRemoved: z.boolean() })),
})
export type DeliverySight = z.infer<typeof DeliverySight>

/** Everything that a person can see. */
export const Sight = z.object({
  operations: z.array(OperationView),
  carts: z.record(Mode, z.object({ orderId: z.string().nullable(), tagIds: texts })),
  unsent: z.number(),
  counts: z.array(CountSight),
  deliveries: z.array(DeliverySight),
})
export type Sight = z.infer<typeof Sight>

/** The files in the folder of photos, with the SHA-256 of what they hold. */
const PhotoFile = z.object({ name: z.string(), sha256: z.string() })
export type PhotoFile = z.infer<typeof PhotoFile>

export const Line = z.discriminatedUnion('line', [
  /** A life of the station begins: what it shows at once. */
  z.object({ line: z.literal('opened'), sight: Sight, files: z.array(PhotoFile) }),
  z.object({ line: z.literal('begins'), n: z.number(), what: z.string() }),
  z.object({ line: z.literal('done'), n: z.number() }),
  z.object({ line: z.literal('intends'), n: z.number(), call: z.number(), intent: Intent }),
  /** The call returned ok: this is what the person was told. */
  z.object({ line: z.literal('told'), n: z.number(), call: z.number(), view: OperationView.nullable() }),
  /** The same, learned by looking: an operation in the list whose call never returned. */
  z.object({ line: z.literal('found'), n: z.number(), view: OperationView }),
  z.object({
    line: z.literal('refused'),
    n: z.number(),
    name: z.string(),
    code: z.string(),
    call: z.number().nullable(),
  }),
  /** A count was started, or resumed. */
  z.object({ line: z.literal('counts'), n: z.number(), countId: z.string() }),
  /** A change of a cart: intended, then made. */
  z.object({ line: z.literal('scans'), mode: Mode, tagId: z.string() }),
  z.object({ line: z.literal('scanned'), mode: Mode, tagId: z.string() }),
  z.object({ line: z.literal('drops'), mode: Mode, tagId: z.string().nullable() }),
  z.object({ line: z.literal('dropped'), mode: Mode, tagId: z.string().nullable() }),
  z.object({ line: z.literal('reopened'), mode: Mode, tagIds: texts }),
  /** A step of a shelf count or a delivery: intended, then answered. */
  z.object({ line: z.literal('acts'), n: z.number(), act: Act }),
  z.object({ line: z.literal('acted'), n: z.number(), act: Act, isDone: z.boolean() }),
  /** Something at the service was broken or repaired. */
  z.object({ line: z.literal('knobs'), n: z.number(), what: z.string() }),
  z.object({ line: z.literal('evening') }),
  z.object({ line: z.literal('killed'), at: z.enum(steps) }),
  /** All is drained: the final lists, with every step of every operation. */
  z.object({
    line: z.literal('closed'),
    sight: Sight,
    journal: z.record(z.string(), z.array(JournalEntry)),
    files: z.array(PhotoFile),
  }),
])
export type Line = z.infer<typeof Line>

export interface Ledger {
  /** The lines in the ledger when it was opened. */
  before: readonly Line[]
  write(line: Line): void
  close(): void
}

export function openLedger(file: string): Ledger {
  const before = readLedger(file)
  const handle = openLines(file)
  return {
    before,
    write(line) {
      writeSync(handle, `${JSON.stringify(line)}\n`)
      if (isPromise(line)) fsyncSync(handle)
    },
    close: () => {
      closeSync(handle)
    },
  }
}

/** The lines written between a person and the station. The rest survives a killed process without an fsync. */
const isPromise = ({ line }: Line) => line === 'intends' || line === 'told' || line === 'found'

export function readLedger(file: string): Line[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  // A kill from outside may cut the last line short: that line doesn't count.
  return lines.slice(0, -1).map((line) => Line.parse(JSON.parse(line)))
}
