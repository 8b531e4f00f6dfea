import { z } from 'zod'
import { CaseId, DeliveryId, OrderId, PackageUid, ShortUuid, TagId } from '../../src-shared/ids'
import { OperationState } from '../../src-shared/ipc/contract/outbox'
import { ShelfResults } from '../../src-shared/ipc/contract/stock'
import { KeptScope } from '../counting/shelf/scope'
import { ScannedAs } from '../stock/shelf-status'

/** Bounds of what another station may have written: a longer list is not a list of ours. */
const mostItems = 2_000
const longestText = 20_000
/** The end of the year 9999, in ms since 1970: a later moment has no date that a screen can show. */
export const latestMoment = 253_402_300_799_999
const moment = z.number().int().min(0).max(latestMoment)
const mostCounted = 100_000

/** An order on hold without its customer. `found`: what was known of an item, as its station stored it. Times in ms since 1970. */
export const HeldBody = z.object({
  orderId: OrderId.nullable(),
  budtenderId: z.string().max(100).nullable(),
  items: z
    .array(z.object({ tagId: TagId, scannedAt: moment, found: z.string().max(longestText).nullable() }))
    .max(mostItems),
  /** The names of the first products, for the list. */
  products: z.array(z.string().max(500)).max(20).default([]),
  expected: z.array(z.object({ line: z.string().max(100), expected: z.number().int().min(1).max(999) })).max(mostItems),
})
export type HeldBody = z.infer<typeof HeldBody>

const count = z.number().int().nonnegative()

/**
 * What a station says of itself. `clockOffset`: the service's clock minus its own, in ms. `untold`: its reports that the hub
 * doesn't have in their newest state. `scansUntold`, `entriesUntold`, `importsUntold`: its scans of shared counts (of cases and of
 * the shelf), its packages and cases of shared deliveries, and its imports that the hub doesn't have. `manifestOf`: the
 * delivery under way that it has a manifest of. `isOff`: Countertag was closed there.
 */
export const Heartbeat = z.object({
  unsent: count,
  attention: count,
  clockOffset: z.number().int().min(-latestMoment).max(latestMoment),
  hasScannerTrouble: z.boolean(),
  untold: count,
  scansUntold: count.default(0),
  entriesUntold: count.default(0),
  importsUntold: count.default(0),
  manifestOf: DeliveryId.nullable().default(null),
  isOff: z.boolean(),
})
export type Heartbeat = z.infer<typeof Heartbeat>

const posText = z.string().max(500)

/** What the POS calls a product in a package. `at`: when it was entered, in ms since 1970. */
export const PosId = z.object({
  productId: ShortUuid,
  packageUid: z.string().max(500),
  posProductId: posText,
  posInventoryId: posText,
  sku: posText.nullable(),
  at: moment,
})
export type PosId = z.infer<typeof PosId>

/** A count: the cases, and what each held when it began. `startedAt`: ms since 1970. */
export const CountBody = z.object({
  caseId: CaseId.nullable(),
  startedAt: moment,
  cases: z
    .array(
      z.object({
        caseId: CaseId,
        identifier: z.string().max(1_000),
        productName: z.string().max(longestText).nullable(),
        tagIds: z.array(TagId).max(mostCounted),
      }),
    )
    .min(1)
    .max(mostItems),
})
export type CountBody = z.infer<typeof CountBody>

/** Cases that are named with a count of the shelf: each station reads the list whenever the counts of the store change. */
export const mostShelfCases = 500
/**
 * A count of the shelf: what is counted. `startedAt`: ms since 1970, by the clock of the station that began it. `cases`: those in which
 * the station that tells it expects something of the count.
 */
export const ShelfBody = z.object({
  scope: KeptScope,
  startedAt: moment,
  cases: z.array(CaseId).max(mostShelfCases).optional(),
})
export type ShelfBody = z.infer<typeof ShelfBody>

/**
 * What a station knew of an item of a shelf count when it scanned it. `isUnsent`: it has sold the item, and the service doesn't have
 * that sale yet.
 */
export const ShelfScanned = z.object({
  standing: ScannedAs,
  isUnsent: z.boolean().default(false),
  productId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  caseId: CaseId.nullable(),
})
export type ShelfScanned = z.infer<typeof ShelfScanned>

/**
 * How a count of the shelf ended, as the station says that finished it. Times in ms since 1970. `scanned`: items of all stations that
 * are in it; `stations`: how many each of them scanned, by name, this one too.
 */
export const ShelfEnd = z.object({
  state: z.enum(['finished', 'signed', 'dropped']),
  stationId: z.string().max(100),
  station: z.string().max(200),
  at: moment.nullable(),
  signedAt: moment.nullable(),
  signature: z.string().max(2_000).nullable(),
  results: ShelfResults.nullable(),
  scanned: z.number().int().nonnegative().optional(),
  stations: z
    .array(z.object({ station: z.string().max(200), scanned: z.number().int().nonnegative() }))
    .max(60)
    .optional(),
})
export type ShelfEnd = z.infer<typeof ShelfEnd>

/** The station that finished a delivery. */
export const Finisher = z.object({ stationId: z.string().max(100), stationName: z.string().max(200) })
export type Finisher = z.infer<typeof Finisher>

/** A package or a case of a delivery, as one text: the hub keeps both in one list. */
export const DeliveryKey = z
  .string()
  .max(600)
  .refine((key) => thingOf(key) !== undefined)
  .brand<'DeliveryKey'>()
export type DeliveryKey = z.infer<typeof DeliveryKey>

/** What a key of a delivery names; undefined for any other text. */
export function thingOf(key: string): { packageUid: PackageUid } | { caseId: CaseId } | undefined {
  const [, kind, id] = /^(package|case) (.+)$/s.exec(key) ?? []
  const uid = kind === 'package' ? PackageUid.safeParse(id).data : undefined
  if (uid !== undefined) return { packageUid: uid }
  const caseId = kind === 'case' ? CaseId.safeParse(id).data : undefined
  return caseId === undefined ? undefined : { caseId }
}

/**
 * A sale, return or void in brief. `products`: name, brand, and how many items. `itemProducts`: id and name of the product of each
 * item, in the order of `tagIds`; version 0.2 doesn't say. `ofOrder`: the order whose missing items were sold under this number.
 */
export const DayBody = z.object({
  kind: z.enum(['complete', 'return', 'void']),
  orderId: OrderId,
  state: OperationState,
  /** Refused, or a person has to say what became of it. */
  needsPerson: z.boolean(),
  budtenderId: z.string().max(100).nullable(),
  tagIds: z.array(TagId).max(mostItems),
  products: z.array(z.tuple([z.string().nullable(), z.string().nullable(), count])).max(mostItems),
  itemProducts: z
    .array(z.tuple([z.string().nullable(), z.string().nullable()]))
    .max(mostItems)
    .optional(),
  ofOrder: OrderId.optional(),
})
export type DayBody = z.infer<typeof DayBody>

/** How a day stands with a station. `inCart`: items scanned and not reported. `verified`: what reading the day back showed. */
export const DayStatus = z.object({
  unsent: count,
  attention: count,
  untold: count,
  inCart: count,
  verified: z
    .object({
      state: z.enum(['none', 'running', 'paused', 'finished']),
      total: count,
      asReported: count,
      differenceCount: count,
      isOutOfDate: z.boolean(),
    })
    .nullable(),
})
export type DayStatus = z.infer<typeof DayStatus>
