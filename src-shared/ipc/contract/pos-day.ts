import { z } from 'zod'
import { OrderId } from '../../ids'
import { call, done } from './call'

/** What the POS calls a product. Null where its file doesn't say. */
const ProductText = z.string().trim().min(1).max(100).nullable()
const productTexts = { posProductId: ProductText, sku: ProductText, productName: ProductText }
const count = z.number().int().nonnegative()

/** The lines of one order and product in a file of the POS's sales, added up. `line`: the first of them, from 1. */
export const PosLine = z.object({
  line: z.number().int().positive(),
  orderId: OrderId,
  ...productTexts,
  isVoided: z.boolean(),
  /** In thousandths; below zero if more came back than was sold. */
  count: z.number().int().min(-1e12).max(1e12),
})
export type PosLine = z.infer<typeof PosLine>
/** Before it is checked. */
export type PosLineInput = z.input<typeof PosLine>

/** Rows in one part of a file; main accepts no more. */
export const mostPosLines = 500

export const PosFile = z.object({
  fileName: z.string().trim().min(1).max(300),
  /** Lines of the day. */
  lines: count,
  /** Lines of other days, lines whose status leaves them out, and lines that could not be read. */
  otherDays: count,
  skipped: count,
  faulty: count,
  /** False if no column of a product was matched: then only the number of items is compared. */
  hasProducts: z.boolean(),
})
export type PosFile = z.infer<typeof PosFile>

/**
 * A file is sent in parts, in order; `start` rows were sent before. The last part replaces the day's earlier file. Rows of
 * columns that a person didn't match are never sent.
 */
export const PosDayPart = z.object({
  day: z.iso.date(),
  file: PosFile,
  start: count,
  rows: z.array(PosLine).max(mostPosLines),
  isLast: z.boolean(),
})
export type PosDayPart = z.infer<typeof PosDayPart>

/**
 * How an order differs. `only-pos`, `only-here`: the other side has nothing of it on the day; `count`: other products or
 * numbers of items; `voided-pos`, `voided-here`: voided on one side, not on the other.
 */
export const PosDifferenceKind = z.enum(['only-pos', 'only-here', 'count', 'voided-pos', 'voided-here'])
export type PosDifferenceKind = z.infer<typeof PosDifferenceKind>

/** Stations that are named with a difference or a day. */
export const mostPosStations = 60

const Reason = z.string().trim().min(1).max(300)

export const PosDifference = z.object({
  /** As the POS writes it; as reported if only this station has it. */
  orderId: OrderId,
  kind: PosDifferenceKind,
  /** The number under which the order was reported; null if it wasn't. */
  hereId: OrderId.nullable(),
  /** The products whose numbers differ: items sold less items returned. `name`: null for an item that isn't known yet. */
  lines: z.array(z.object({ name: z.string().nullable(), pos: z.number(), here: z.number() })).max(200),
  /** How many more products differ. */
  moreLines: count,
  /** An order on the other side with almost the same number, which was not taken for this one. */
  similar: z.string().nullable(),
  /** The other stations that reported the order, and whether this one did. */
  stations: z.array(z.string()).max(mostPosStations),
  isOwn: z.boolean(),
  /** Only in the POS, while reports of other stations may be missing: it isn't called a difference before they are known. */
  isPending: z.boolean(),
  /** What can be scanned to settle it. */
  scan: z.enum(['sale', 'return']).nullable(),
  /** Stands for the difference as it is: a reason is given for it, and counts until it changes. */
  mark: z.string().max(100),
  /** Why it stays. Not current if the difference has changed since. */
  reason: z.object({ text: z.string(), at: z.iso.datetime(), isCurrent: z.boolean() }).nullable(),
})
export type PosDifference = z.infer<typeof PosDifference>

/** A product of the POS that no product of this store is known by, or that isn't compared. */
export const PosProduct = z.object({
  id: z.number().int().positive(),
  ...productTexts,
  /** Items and orders of the day. */
  items: z.number(),
  orders: count,
})
export type PosProduct = z.infer<typeof PosProduct>

/** More products than these are not listed. */
export const mostPosProducts = 100

/** A station of the store in a comparison. `status`: as in the day of the store. */
const PosStation = z.object({
  name: z.string(),
  isThis: z.boolean(),
  status: z.enum(['answered', 'off', 'silent', 'left']),
  /** When it was heard last; null if it left. */
  seenAt: z.iso.datetime().nullable(),
  /** Its reports that the store hub didn't have. */
  untold: count,
  /** Reports of it may be missing. */
  isMissing: z.boolean(),
})

/** What a comparison knows of the other stations of the store. */
export const PosStore = z.object({
  /** When they were read last; null if they weren't. */
  asOf: z.iso.datetime().nullable(),
  /** Why they could not be read since; `too-old`: the store hub doesn't have them any more. */
  trouble: z.enum(['unreachable', 'too-old']).nullable(),
  /** All stations of the store, as they stood then. */
  stations: z.array(PosStation).max(mostPosStations),
  /** Reports of other stations that this version can't read. */
  unread: count,
  /** Stations whose version doesn't say which product an item is: theirs are compared by their names. */
  byName: z.array(z.string()).max(mostPosStations),
  /** Reports may be missing that will come. */
  isIncomplete: z.boolean(),
})
export type PosStore = z.infer<typeof PosStore>

/** The comparison of a day with the POS. Main pushes it with every change. */
export const PosDayView = z.object({
  day: z.iso.date(),
  /** Grows with every change: of two views, the one with the higher number is the newer. */
  revision: count,
  /** Null if no file is loaded. */
  file: PosFile.extend({ loadedAt: z.iso.datetime(), orders: count }).nullable(),
  /** `none`: no file is loaded. `failed`: the comparison broke off; asking for the view makes it anew. */
  state: z.enum(['none', 'comparing', 'compared', 'failed']),
  /** Orders compared so far. */
  done: count,
  /** Orders that are the same on both sides. */
  matched: count,
  /** Differences without a reason, by kind; those that are pending are apart. */
  open: z.record(PosDifferenceKind, count),
  pending: count,
  /** Differences with a reason. */
  reasoned: count,
  /** Products to decide about, the most sold first; `unknownCount` counts all. */
  unknown: z.array(PosProduct).max(mostPosProducts),
  unknownCount: count,
  /** Products that are not tracked, and those that are compared although none here is known by them. */
  untracked: z.array(PosProduct).max(mostPosProducts),
  tracked: z.array(PosProduct).max(mostPosProducts),
  /** The reports of the other stations; null for a station that works alone. */
  store: PosStore.nullable(),
  /**
   * Nothing is left: no difference without a reason, none that is pending, no product to decide about, and every line of the
   * file was read.
   */
  isSettled: z.boolean(),
})
export type PosDayView = z.infer<typeof PosDayView>

/** `open`: without a reason; `reasoned`: with one. What is pending is neither open nor of its kind. */
export const PosFilter = z.union([PosDifferenceKind, z.enum(['open', 'pending', 'reasoned', 'all'])])
export type PosFilter = z.infer<typeof PosFilter>

/** Differences in the file of a day. */
export const mostPosInFile = 10_000

/** Differences in one page. */
export const posPage = 100

export const PosPage = z.object({
  day: z.iso.date(),
  revision: count,
  filter: PosFilter,
  /** Open ones first, then pending ones; by order number. */
  differences: z.array(PosDifference).max(posPage),
  total: count,
})
export type PosPage = z.infer<typeof PosPage>

const day = { day: z.iso.date() }

/** Comparing the day with the sales of the POS. The rules are in day.md. */
export const posDayCalls = {
  'posDay.view': call(z.object(day), PosDayView),
  /** Returns the view after the last part, null before. Errors: pos-day/broken, store/not-saved. */
  'posDay.load': call(PosDayPart, PosDayView.nullable()),
  /** Forgets the day's file. Reasons and products that aren't tracked stay. */
  'posDay.forget': call(z.object(day), done),
  'posDay.list': call(z.object({ ...day, filter: PosFilter, from: count }), PosPage),
  /** Why a difference stays; null takes the reason back. `mark`: as the person saw it. Errors: pos-day/changed. */
  'posDay.setReason': call(
    z.object({ ...day, orderId: OrderId, mark: PosDifference.shape.mark, reason: Reason.nullable() }),
    done,
  ),
  /** Whether a product of the POS is compared, from now on and on every day; null: as if it had never been decided. */
  'posDay.setTracked': call(
    z.object({ ...day, productId: PosProduct.shape.id, isTracked: z.boolean().nullable() }),
    done,
  ),
  /**
   * The number under which missing items of an order can be sold: the order's own or, because a number can be used once, a
   * further one, which the comparison counts for the order. Errors: pos-day/changed.
   */
  'posDay.saleNumber': call(z.object({ ...day, orderId: OrderId }), z.object({ orderId: OrderId })),
} as const

export const posDayEvents = {
  'posDay.changed': PosDayView,
} as const
