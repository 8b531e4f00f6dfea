import { z } from 'zod'
import { ClaimMark, ClaimedBy } from '../../claim'
import { CaseId, OperationId, OrderId, TagId } from '../../ids'
import { knownNameOf, plainName } from '../../names'
import { call, done, gated, nothing } from './call'
import { ManyDone, OperationIds, OperationView, PermittedChange, mostTakenOut } from './outbox'
import { Outage } from './outages'
import { PosDifference, PosStore, mostPosInFile } from './pos-day'
import { CoaVerdict } from './receiving'
import { PresetName } from '../../rule-presets'
import { Verdict, VerdictKind, VerdictLevels } from '../../verdict'

/**
 * How an item at the service differs from what this station reported. `not-sold`: reported sold, shown as not sold;
 * `still-sold`: reported returned or voided, shown as sold; `other-time`: shown as sold at another moment than ours, by a
 * service that keeps our moments; `not-shown`: nothing about it could be read.
 */
export const DifferenceKind = z.enum(['not-sold', 'still-sold', 'other-time', 'not-shown'])
export type DifferenceKind = z.infer<typeof DifferenceKind>

/** Instants are ISO 8601. */
export const ReadBackDifference = z.object({
  kind: DifferenceKind,
  tagId: TagId,
  orderId: OrderId,
  productName: z.string().nullable(),
  /** The report that decides where the item should stand. */
  reported: z.enum(['complete', 'return', 'void']),
  reportedAt: z.iso.datetime(),
  /** When the service shows it as sold; null when it shows no sale, or nothing at all. */
  shownSoldAt: z.iso.datetime().nullable(),
})
export type ReadBackDifference = z.infer<typeof ReadBackDifference>

const count = z.number().int().nonnegative()

/** At most so many differences are listed; `differenceCount` counts all. */
export const mostDifferences = 500

/** How many items of a day were read back from the service, and the result. Instants are ISO 8601. */
export const DayVerification = z.object({
  day: z.iso.date(),
  /** `none`: never verified. `paused`: it waits, see `waitsFor`. */
  state: z.enum(['none', 'running', 'paused', 'finished']),
  /**
   * Why it is paused. `person`: until a person resumes it; `connection`: until the service answers again; `sending`: while
   * operations of this station are being sent.
   */
  waitsFor: z.enum(['person', 'connection', 'sending']).nullable(),
  startedAt: z.iso.datetime().nullable(),
  /** When it was finished: the result is as of this moment. */
  asOf: z.iso.datetime().nullable(),
  /** Items that this station sold, returned or voided on the day in reports that the service accepted. */
  total: count,
  done: count,
  /** Items whose state at the service matches this station's reports. */
  asReported: count,
  /** Items with a newer report of this station that isn't settled: they can't be judged yet. */
  notSettled: count,
  /** Part of `asReported`: sold, at a time that the service chose. */
  ownTimes: count,
  /** Part of `asReported`: returned or voided here, and sold again since by another till. */
  soldSince: count,
  /** Empty until it is finished. */
  differences: z.array(ReadBackDifference).max(mostDifferences),
  differenceCount: count,
  /** The service has accepted further reports of the day since the verification began. */
  isOutOfDate: z.boolean(),
})
export type DayVerification = z.infer<typeof DayVerification>

/** The customer's number in the POS, sent to the service and to no other place. */
export const CustomerId = z.string().trim().min(1).max(100)

/** A cart being filled: what is sold, or what is brought back. */
export const CartMode = z.enum(['sale', 'return'])
export type CartMode = z.infer<typeof CartMode>

/** How long the answer to a scanned item waits for the service, in ms: customers should not wait for a look-up. */
export const lookupPatience = 800

export const CartItem = z.object({
  tagId: TagId,
  scannedAt: z.iso.datetime(),
  verdict: Verdict,
  /** Why it is sold against its verdict, as a manager permitted it; null if no approval was needed. */
  permitted: z.string().nullable(),
  /** The service will refuse it, or this counter does: the person is asked before it is reported. */
  isDoubtful: z.boolean(),
  /** Its case, if known: offered for import. */
  caseId: CaseId.nullable(),
  /** Null if no other station has it, and always in a return or without a store hub. */
  claim: ClaimMark.nullable(),
})
export type CartItem = z.infer<typeof CartItem>

/** The budtender: the text of the badge (or what was entered in Settings), and a name to show. */
export const Budtender = z.object({
  id: z.string().trim().min(1).max(100),
  name: knownNameOf(100),
})
export type Budtender = z.infer<typeof Budtender>

/** The key of the line of all items of which no product is known. */
export const unknownLine = 'unknown'

/**
 * Items of one product. `expected` is the count a person set: a line that has one stays when its last item is removed.
 * `productName` is null while the product is unknown.
 */
export const CartLine = z.object({
  key: z.string(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  items: z.array(CartItem),
  expected: z.number().int().positive().nullable(),
  /** Number of items too many; negative if some are missing. Null if no count is expected. */
  difference: z.number().int().nullable(),
})
export type CartLine = z.infer<typeof CartLine>

/** The current cart. Main pushes it with every change: the whole cart, or a `CartStep`. */
export const CartView = z.object({
  mode: CartMode,
  /** The id of this order: the cart gets another one once its order is reported, held, resumed or cleared. */
  id: z.number().int().positive(),
  /** Grows with every change: of two views, the one with the higher number is the newer. Unrelated after a restart. */
  revision: z.number().int().nonnegative(),
  orderId: OrderId.nullable(),
  budtender: Budtender.nullable(),
  customerId: CustomerId.nullable(),
  lines: z.array(CartLine),
  itemCount: z.number().int().nonnegative(),
  /** The item that was scanned last, with what is known of its certificates; `coa` is null if nothing is. */
  last: z.object({ tagId: TagId, coa: CoaVerdict.nullable() }).nullable(),
  /** A person must confirm before the order is reported: counts differ from the expected ones, or an item is doubtful. */
  mustConfirm: z.boolean(),
})
export type CartView = z.infer<typeof CartView>

/**
 * What scans and answers of the service changed in a cart since its view of revision `since`. Every other change, such as
 * an item that was removed, is pushed as a whole cart (`cart-step.ts`).
 */
export const CartStep = CartView.pick({
  mode: true,
  revision: true,
  itemCount: true,
  last: true,
  mustConfirm: true,
}).extend({
  since: CartView.shape.revision,
  /** Lines with only those of their items that are new or changed. A new line comes last. */
  changed: z.array(CartLine),
})
export type CartStep = z.infer<typeof CartStep>

/** An order on hold, to be resumed later. `products` names the first few. */
export const HeldOrder = z.object({
  /** A number if it is on hold here; of another station's order the store's id. */
  id: z.union([CartView.shape.id, z.uuid()]),
  /** The other station; null if it is on hold here. */
  station: z.string().nullable().default(null),
  orderId: OrderId.nullable(),
  budtender: Budtender.nullable(),
  itemCount: z.number().int().nonnegative(),
  products: z.array(z.string()),
  heldAt: z.iso.datetime(),
})
export type HeldOrder = z.infer<typeof HeldOrder>

/** The rules of this station's counter. */
export const CheckoutSettings = z.object({
  /** Whether items that could not be checked may be sold: the service decides when the order is reported. */
  takesUnchecked: z.boolean().default(true),
  /** No sale without a budtender. */
  requiresBudtender: z.boolean().default(false),
  budtenders: z.array(Budtender).max(200).default([]),
  /** What the counter does with items that can't be sold; without one, the usual level. */
  levels: VerdictLevels.optional(),
})
export type CheckoutSettings = z.infer<typeof CheckoutSettings>

/** The rules as a person sets them. */
const CheckoutSettingsForm = CheckoutSettings.extend({
  budtenders: z
    .array(Budtender.extend({ name: plainName(100) }))
    .max(200)
    .default([]),
})

/** The answer to a change of a cart: the revision it led to. The cart itself comes by event. */
export const CartChange = CartView.pick({ mode: true, revision: true })
export type CartChange = z.infer<typeof CartChange>

/** The saved report of an order, and the revision of the cart that was emptied. */
export const FinishedOrder = OperationView.extend(CartChange.shape)
export type FinishedOrder = z.infer<typeof FinishedOrder>

/** A refused report is back in its cart. `note`: the reason for a return; empty if none. */
export const CartReopened = CartChange.extend({ note: z.string() })
export type CartReopened = z.infer<typeof CartReopened>

/** The result of a scan into a cart: the product, and the number of items in its line and in the cart. */
const ScannedItem = CartItem.pick({ tagId: true, verdict: true, permitted: true, caseId: true, claim: true }).extend({
  productName: z.string().nullable(),
  lineCount: z.number().int().positive(),
  expected: CartLine.shape.expected,
  itemCount: z.number().int().positive(),
})
export type ScannedItem = z.infer<typeof ScannedItem>

export const ItemAdded = ScannedItem.extend(CartChange.shape)
export type ItemAdded = z.infer<typeof ItemAdded>

/** An item of a cart whose check finished after its scan was answered. */
export const FlagChange = ScannedItem.extend({ mode: CartMode, scannedAt: CartItem.shape.scannedAt })
export type FlagChange = z.infer<typeof FlagChange>

/** What this station knows of an order: its operations, oldest first, and the state of each item. */
export const OrderView = z.object({
  orderId: OrderId,
  operations: z.array(OperationView),
  items: z.array(
    z.object({
      tagId: TagId,
      productName: z.string().nullable(),
      /** Its case, if known: offered for import. */
      caseId: CaseId.nullable(),
      /** `not-reported`: in a sale that the service refused. */
      state: z.enum(['sold', 'not-reported', 'returned', 'voided', 'withdrawn']),
      /** Whether it can be sold again now; null while this order still holds it. */
      standing: Verdict.nullable(),
      /** Sold while the store hub did not answer: another station may have sold it too. */
      isUnclaimed: z.boolean(),
    }),
  ),
  /** Some of it can still be returned. */
  canReturn: z.boolean(),
  canVoid: z.boolean(),
  /** What voiding would do now: withdraw the unsent sale, wait behind unsent operations, or be reported at once. */
  voidWill: z.enum(['withdraw', 'wait', 'report']),
  budtender: Budtender.nullable(),
  /** Why it was voided or returned, as noted at the counter. Stored locally, never sent. */
  notes: z.array(z.object({ operationId: OperationId, text: z.string() })),
})
export type OrderView = z.infer<typeof OrderView>

/**
 * The state of a whole order. `unsent`: an operation waits to be sent; `attention`: an operation was refused; `reported`:
 * the service has all of them; `voided`: and one of them is a void; `withdrawn`: all were withdrawn.
 */
export const OrderState = z.enum(['unsent', 'attention', 'reported', 'voided', 'withdrawn'])
export type OrderState = z.infer<typeof OrderState>

/** An order of this station. Instants are ISO 8601. */
export const OrderSummary = z.object({
  orderId: OrderId,
  /** `seq` of its newest operation: the next page begins before it. */
  seq: z.number().int().positive(),
  firstAt: z.iso.datetime({ offset: true }),
  lastAt: z.iso.datetime({ offset: true }),
  state: OrderState,
  itemCount: z.number().int().nonnegative(),
  returnedCount: z.number().int().nonnegative(),
  budtender: Budtender.nullable(),
  /** The first few. */
  products: z.array(z.object({ name: z.string().nullable(), count: z.number().int().positive() })),
})
export type OrderSummary = z.infer<typeof OrderSummary>

/** `text` is searched for in order numbers, TagIDs, products and budtenders. */
export const OrdersFilter = z.object({
  /** The first and the last of some days, local dates (`YYYY-MM-DD`); null for all days. */
  days: z.object({ from: z.iso.date(), to: z.iso.date() }).nullable(),
  state: OrderState.nullable(),
  budtenderId: z.string().max(100).nullable(),
  text: z.string().trim().max(200),
})
export type OrdersFilter = z.infer<typeof OrdersFilter>

export const OrdersPage = z.object({
  orders: z.array(OrderSummary),
  total: z.number().int().nonnegative(),
  /** Counts by state, ignoring the filter's own state: for the filter chips. */
  byState: z.record(OrderState, z.number().int().nonnegative()),
})
export type OrdersPage = z.infer<typeof OrdersPage>

const tally = { orders: z.number().int().nonnegative(), items: z.number().int().nonnegative() }

/**
 * A station in the day of the store. `answered`: it was just asked; `off`: Countertag was closed there, and this is what it said
 * last; `silent`: it did not answer, so that newer reports of it may be missing; `left`: it is not in the store any more.
 */
export const StationOfDay = z.object({
  id: z.string(),
  name: z.string(),
  isThis: z.boolean(),
  status: z.enum(['answered', 'off', 'silent', 'left']),
  /** When it was heard last; null if it left. */
  seenAt: z.iso.datetime().nullable(),
  /** What the service has of its reports: orders completed, and items. */
  orders: z.number().int(),
  sold: z.number().int(),
  returned: z.number().int(),
  voided: z.number().int(),
  /** Its reports of all days that the service doesn't have yet, and those that need a person. */
  unsent: z.number().int().nonnegative(),
  attention: z.number().int().nonnegative(),
  /** Its reports that the store hub doesn't have in their newest state. */
  untold: z.number().int().nonnegative(),
  /** Items in its carts, not reported. */
  inCart: z.number().int().nonnegative(),
  /** Nothing is open there, and its reading back showed no difference. */
  isDone: z.boolean(),
  /** What reading the day back showed there; null if it did not say. */
  verified: z
    .object({
      ...DayVerification.pick({ state: true, total: true, asReported: true, differenceCount: true, isOutOfDate: true })
        .shape,
    })
    .nullable(),
})
export type StationOfDay = z.infer<typeof StationOfDay>

/** The day of a store of several stations. */
export const StoreOfDay = z.object({
  stations: z.array(StationOfDay),
  /** Reports of the day that this version of Countertag can't read: they are in no figure. */
  unread: z.number().int().nonnegative(),
  /** Every station has said that the service has all its reports: the day can be closed. */
  isComplete: z.boolean(),
  /** Another one with every change of the day's reports. */
  mark: z.string().max(100),
  /** Null until the day is closed for the store. `isChanged`: reports have changed since. */
  closed: z.object({ at: z.iso.datetime(), station: z.string(), isChanged: z.boolean() }).nullable(),
})
export type StoreOfDay = z.infer<typeof StoreOfDay>

/** The name of the person who signs. */
export const SignerName = z.string().trim().min(1).max(100)

/** The closing report of a day. `unsent` and `refused` list operations of all days: they are not done yet. */
export const DayReport = z.object({
  day: z.iso.date(),
  storeName: z.string(),
  /** The computer that made the reports. Other stations' reports are not included, unless `store` is set. */
  station: z.string(),
  /**
   * Set in the report of a whole store: the figures and orders on hold are those of all stations. Of other stations only the
   * number of unsent and refused reports is known; outages, permitted changes and verification are left out.
   */
  store: StoreOfDay.nullable(),
  madeAt: z.iso.datetime(),
  /** Another one with every change of the day's reports: what is signed is what was seen. */
  mark: z.string().max(100),
  /** Who signed the day at this computer, and whether reports have changed since; null if it isn't signed. */
  signed: z.object({ name: SignerName, at: z.iso.datetime(), isChanged: z.boolean() }).nullable(),
  completed: z.object(tally),
  returned: z.object(tally),
  voided: z.object(tally),
  /** Orders completed less orders voided; items sold less items returned and voided. Below zero after a day of returns. */
  net: z.object({ orders: z.number().int(), items: z.number().int() }),
  /** From the first to the last hour with a report, by this computer's time zone; hours without one between them too. */
  byHour: z.array(
    z.object({
      hour: z.number().int().min(0).max(23),
      orders: z.number().int(),
      sold: z.number().int(),
      returned: z.number().int(),
      voided: z.number().int(),
    }),
  ),
  /** Times of the day without the service, oldest first. */
  outages: z.array(Outage),
  byBudtender: z.array(
    z.object({
      budtender: Budtender.nullable(),
      sold: z.number().int(),
      returned: z.number().int(),
      voided: z.number().int(),
      orders: z.number().int(),
    }),
  ),
  byProduct: z.array(
    z.object({
      productName: z.string().nullable(),
      brandName: z.string().nullable(),
      sold: z.number().int(),
      returned: z.number().int(),
      voided: z.number().int(),
    }),
  ),
  /** Reports of the day that the service accepted. */
  confirmed: z.number().int().nonnegative(),
  /** Reports of the day at this station that were refused or unclear, and dismissed with a reason. */
  dismissed: z.number().int().nonnegative(),
  unsent: z.array(OperationView),
  refused: z.array(OperationView),
  /** Oldest first. */
  permitted: z.array(PermittedChange),
  held: z.array(HeldOrder),
  /** Null if the day can't be verified: no service is connected. */
  verification: DayVerification.nullable(),
})
export type DayReport = z.infer<typeof DayReport>

/** The sales, returns and voids of a day in any state, without the customer: that is sent to the service only. */
export const DayExport = z.object({
  fileName: z.string(),
  lines: z.array(
    OperationView.pick({
      state: true,
      performedAt: true,
      reason: true,
      note: true,
      unsettled: true,
      dismissedBecause: true,
    }).extend({
      /** A column of its own: files of several stations are merged into one sheet. */
      station: z.string(),
      kind: z.enum(['complete', 'return', 'void']),
      orderId: z.string(),
      /** The budtender's name; null if none was set. */
      budtender: z.string().nullable(),
      /** `product`: null if not known; if only the products of the whole report are, those of it. */
      items: z.array(z.object({ tagId: TagId, product: z.string().nullable() })),
      /** What a person noted about a return or void. */
      remark: z.string().nullable(),
    }),
  ),
  /** How the day differs from the sales of the POS; empty if they weren't compared. */
  pos: z.array(PosDifference).max(mostPosInFile),
  /** Differences that were left out, because there are too many for one file. */
  posLeft: z.number().int().nonnegative(),
  /** Sales of the POS are loaded, but the comparison broke off: nothing is known of differences. */
  isPosMissing: z.boolean(),
  /** Lines of the POS's file that could not be read, and products of the POS to decide about. */
  posFaulty: z.number().int().nonnegative(),
  posUnknown: z.number().int().nonnegative(),
  /** What the comparison knows of the other stations; null for a station alone, or if no sales of the POS are loaded. */
  posStore: PosStore.nullable(),
})
export type DayExport = z.infer<typeof DayExport>

/**
 * The present state of a report. `sending` saved and on its way; `behind` waits for an earlier report;
 * `later` waits for the connection; `soon` was not sent yet and waits for its turn; `again` waits for its next attempt; `unanswered` sent, no answer yet; `unclear` a person
 * has to decide about it; `cancelled` withdrawn, dismissed or put back into the cart.
 */
export const ReportWord = z.enum([
  'sending',
  'behind',
  'later',
  'soon',
  'again',
  'unanswered',
  'reported',
  'refused',
  'unclear',
  'cancelled',
])
export type ReportWord = z.infer<typeof ReportWord>

export const OrderReport = z.object({
  operation: OperationView,
  word: ReportWord,
  /** Refused or unclear, and not seen by a person yet. */
  isUnseen: z.boolean(),
})
export type OrderReport = z.infer<typeof OrderReport>

/** Main pushes the whole view with every change. */
export const ReportsView = z.object({
  /** Grows with every view. Unrelated after a restart. */
  revision: z.number().int().nonnegative(),
  /** Sales, returns and voids that this station finished lately, and older ones that are unseen; newest first. */
  orders: z.array(OrderReport),
  /** Refused and unclear reports of every kind that no person has seen: the newest of `unseenCount`. */
  unseen: z.array(OrderReport),
  unseenCount: z.number().int().nonnegative(),
})
export type ReportsView = z.infer<typeof ReportsView>

/**
 * Carts of sales and returns, and orders on hold. A command answers with its own outcome; the cart and the orders on hold
 * come by event, once for each change.
 */
export const checkoutCalls = {
  /** For a page that has just loaded. */
  'checkout.cart': call(z.object({ mode: CartMode }), CartView),
  'checkout.setOrder': call(z.object({ mode: CartMode, orderId: OrderId.nullable() }), CartChange),
  /**
   * `approval`: a manager approves an item whose verdict asks for it; also one that is in the cart already. It covers only the
   * reasons in `shown`, which the person saw; without it, all. `takeOver`: takes the item from the station that holds it,
   * which needs an approval too; also an item that is in the cart already.
   */
  'checkout.addItem': call(
    z.object({
      mode: CartMode,
      tagId: TagId,
      ...gated,
      shown: z.array(VerdictKind).max(50).optional(),
      takeOver: ClaimedBy.pick({ stationId: true, revision: true }).optional(),
    }),
    ItemAdded,
  ),
  'checkout.removeItem': call(z.object({ mode: CartMode, tagId: TagId }), CartChange),
  /**
   * `revision`, here and below: the revision of the cart that the person saw. Errors: checkout/cart-changed (if the
   * cart has changed since).
   */
  'checkout.clear': call(z.object({ mode: CartMode, revision: CartView.shape.revision }), CartChange),
  /** Saves the sale or return and empties its cart in one transaction. What becomes of it comes as `checkout.reports`. */
  'checkout.finish': call(
    z.object({
      mode: CartMode,
      /** The cart as the person saw it: if it holds anything else, nothing is reported. */
      orderId: OrderId.nullable(),
      itemCount: z.number().int().nonnegative(),
      revision: CartView.shape.revision,
      /** The person confirmed what the cart's `mustConfirm` asks: without it, such an order is refused. */
      isMeant: z.boolean().optional(),
      /** Reason for a return. Stored locally, never sent. */
      note: z.string().trim().max(500).optional(),
    }),
    FinishedOrder,
  ),
  'checkout.setBudtender': call(z.object({ mode: CartMode, budtenderId: Budtender.shape.id.nullable() }), CartChange),
  'checkout.setCustomer': call(z.object({ mode: CartMode, customerId: CustomerId.nullable() }), CartChange),
  /** The expected count of a line (`key`, or its earlier key: the product's name); null removes it. */
  'checkout.setExpected': call(
    z.object({ mode: CartMode, key: z.string().max(100), expected: z.number().int().min(1).max(999).nullable() }),
    CartChange,
  ),
  /** Puts the current sale on hold. Errors: checkout/nothing-to-hold. */
  'checkout.hold': call(z.object({ revision: CartView.shape.revision }), CartChange),
  'checkout.held': call(nothing, z.array(HeldOrder)),
  /** Makes a held order the current sale, and holds what was current before. */
  /** Errors: checkout/not-held, -order-begun; in a store of several stations also checkout/held-elsewhere, -held-unreachable. */
  'checkout.resume': call(z.object({ heldId: HeldOrder.shape.id }), CartChange),
  'checkout.dropHeld': call(z.object({ heldId: HeldOrder.shape.id }), done),
  'checkout.settings': call(nothing, CheckoutSettings),
  'checkout.setSettings': call(CheckoutSettingsForm, done),
  /** Sets every rule of the counter at once, the gates too. What the company's policy fixes stays. */
  'checkout.usePreset': call(z.object({ preset: PresetName }), done),
  /** For a page that has just loaded. */
  'checkout.reports': call(nothing, ReportsView),
  /** A person has seen these refusals. */
  'checkout.seen': call(z.object({ operationIds: z.array(OperationId).max(500) }), done),
  /** A person has seen all refusals that the view with this revision counted. What came later stays unseen. */
  'checkout.seenAll': call(z.object({ revision: ReportsView.shape.revision }), done),
  /** Puts the items and order number of a refused sale or return back into their cart, which must be empty. */
  'checkout.reopen': call(z.object({ operationId: OperationId }), CartReopened),
} as const

export const checkoutEvents = {
  'checkout.cart': CartView,
  'checkout.cartStep': CartStep,
  'checkout.flags': z.array(FlagChange),
  'checkout.held': z.array(HeldOrder),
  'checkout.reports': ReportsView,
  'checkout.settings': CheckoutSettings,
} as const

/** Reported orders, one by one and by the day. */
export const ordersCalls = {
  'checkout.order': call(z.object({ orderId: OrderId }), OrderView),
  /**
   * Voids an order, also one this station has never seen. A complete that was never attempted is withdrawn.
   */
  'checkout.void': call(
    z.object({ orderId: OrderId, note: z.string().trim().max(500).optional(), ...gated }),
    OperationView,
  ),
  /** Sends a refused sale or return again without these items, for a reason that is kept in its history. */
  'checkout.amend': call(
    z.object({
      operationId: OperationId,
      without: z.array(TagId).min(1).max(500),
      reason: z.string().trim().min(1).max(500),
    }),
    OperationView,
  ),
  /**
   * The same to several, each by itself: they are sent without the items of `without` that they were refused for. One that was
   * refused for other items meanwhile stays as it is (checkout/cart-changed).
   */
  'checkout.amendMany': call(
    z.object({
      operationIds: OperationIds,
      without: z.array(TagId).min(1).max(mostTakenOut),
      reason: z.string().trim().min(1).max(500),
    }),
    ManyDone,
  ),
  /** The order in which this station last sold an item. */
  'checkout.orderOfItem': call(z.object({ tagId: TagId }), OrderView),
  /** Newest first, at most 100; starts after `before` (the `seq` of the last one seen). */
  'checkout.orders': call(
    z.object({ filter: OrdersFilter, before: z.number().int().positive().nullable() }),
    OrdersPage,
  ),
  'checkout.day': call(z.object({ day: z.iso.date() }), DayReport),
  /** What the file of a day says; the screen writes it in its own words. */
  'checkout.exportDay': call(z.object({ day: z.iso.date() }), DayExport),
  /**
   * The day of a store of several stations: asks each how it stands, which takes up to 3 s if one doesn't answer. Errors:
   * hub/unreachable, hub/day-too-old (the hub keeps 59 days).
   */
  'checkout.storeDay': call(z.object({ day: z.iso.date() }), DayReport),
  /** The day of the store as a file; reports of other stations have no reasons of refusals and no notes. Errors: hub/unreachable, hub/day-too-old. */
  'checkout.exportStoreDay': call(z.object({ day: z.iso.date() }), DayExport),
  /**
   * Closes the day for the store, as the person saw it by its `mark`. Errors: hub/unreachable; hub/day-open (a station is not
   * done), hub/day-changed (reports came meanwhile), store/not-saved (it is closed, but not signed).
   */
  'checkout.closeStoreDay': call(
    z.object({ day: z.iso.date(), mark: StoreOfDay.shape.mark, name: SignerName }),
    DayReport,
  ),
  /** Signs the day of this station, as the person saw it by its `mark`. Errors: hub/day-changed, store/not-saved. */
  'checkout.signDay': call(z.object({ day: z.iso.date(), mark: DayReport.shape.mark, name: SignerName }), DayReport),
  /** Reads the items of a day back from the service: starts, resumes, or repeats a finished verification. */
  'checkout.verifyDay': call(z.object({ day: z.iso.date() }), DayVerification),
  /** Pauses the verification. */
  'checkout.stopVerifying': call(nothing, done),
} as const

export const ordersEvents = {
  'checkout.verification': DayVerification,
  /** Reports of a station of the store have changed, or a day was closed. */
  'checkout.storeDayChanged': z.null(),
} as const
