import { z } from 'zod'
import { CaseId, OperationId, OrderId, TagId } from '../ids'
import { OperationView } from './operation-view'
import { DayVerification } from './verification-view'

/** The customer's number in the POS. It is sent to the service only. */
export const CustomerId = z.string().trim().min(1).max(100)

/** A cart being filled: what is sold, or what is brought back. */
export const CartMode = z.enum(['sale', 'return'])
export type CartMode = z.infer<typeof CartMode>

/**
 * A warning about an item before it is sold. `looking`: the service has not answered yet; `unchecked`: the service could
 * not be asked; `not-imported`: its case is not in our inventory; `unknown-to-service`: it will be refused;
 * `sold-elsewhere`: the service shows it as sold, and not by this station.
 */
export const ItemFlag = z.enum(['looking', 'unchecked', 'not-imported', 'unknown-to-service', 'sold-elsewhere'])
export type ItemFlag = z.infer<typeof ItemFlag>

/** How long the answer to a scanned item waits for the service, in ms: customers should not wait for a look-up. */
export const lookupPatience = 800

/** True if the service will refuse an item with this flag: the person is asked before it is reported. */
export const isDoubtful = (flag: ItemFlag): boolean =>
  flag === 'unknown-to-service' || flag === 'sold-elsewhere' || flag === 'not-imported'

export const CartItem = z.object({
  tagId: TagId,
  scannedAt: z.iso.datetime(),
  flag: ItemFlag.nullable(),
  /** Its case, if known: offered for import. */
  caseId: CaseId.nullable(),
})
export type CartItem = z.infer<typeof CartItem>

/** The budtender: the text of the badge (or what was entered in Settings), and a name to show. */
export const Budtender = z.object({
  id: z.string().trim().min(1).max(100),
  name: z.string().trim().min(1).max(100),
})
export type Budtender = z.infer<typeof Budtender>

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
})
export type CartLine = z.infer<typeof CartLine>

/** A cart as it is now. Main pushes the whole of it with every change. */
export const CartView = z.object({
  mode: CartMode,
  /** Grows with every change: of two views, the one with the higher number is the newer. Unrelated after a restart. */
  revision: z.number().int().nonnegative(),
  orderId: OrderId.nullable(),
  budtender: Budtender.nullable(),
  customerId: CustomerId.nullable(),
  lines: z.array(CartLine),
  itemCount: z.number().int().nonnegative(),
})
export type CartView = z.infer<typeof CartView>

/** An order on hold, to be resumed later. `products` names the first few. */
export const HeldOrder = z.object({
  id: z.number().int().positive(),
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
})
export type CheckoutSettings = z.infer<typeof CheckoutSettings>

/** The answer to a change of a cart: the revision it led to. The cart itself comes by event. */
export const CartChange = CartView.pick({ mode: true, revision: true })
export type CartChange = z.infer<typeof CartChange>

/** What a scan says of an item in a cart: its product, and how many items its line and the cart hold with it. */
const ScannedItem = CartItem.pick({ tagId: true, flag: true, caseId: true }).extend({
  productName: z.string().nullable(),
  lineCount: z.number().int().positive(),
  expected: CartLine.shape.expected,
  itemCount: z.number().int().positive(),
})
export type ScannedItem = z.infer<typeof ScannedItem>

export const ItemAdded = ScannedItem.extend(CartChange.shape)
export type ItemAdded = z.infer<typeof ItemAdded>

/** An item of a cart of which the service answered after its scan was answered. */
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
      state: z.enum(['sold', 'returned', 'voided', 'withdrawn']),
    }),
  ),
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

/** `day` is a local date (`YYYY-MM-DD`); `text` is searched in order numbers, TagIDs, products and budtenders. */
export const OrdersFilter = z.object({
  day: z.iso.date().nullable(),
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

/** The closing report of a day. `unsent` and `refused` list operations of all days: they are not done yet. */
export const DayReport = z.object({
  day: z.iso.date(),
  storeName: z.string(),
  /** The computer that made the reports. Other stations' reports are not included. */
  station: z.string(),
  madeAt: z.iso.datetime(),
  completed: z.object(tally),
  returned: z.object(tally),
  voided: z.object(tally),
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
  unsent: z.array(OperationView),
  refused: z.array(OperationView),
  held: z.array(HeldOrder),
  /** Null if the day can't be verified: no service is connected. */
  verification: DayVerification.nullable(),
})
export type DayReport = z.infer<typeof DayReport>
