import { z } from 'zod'
import { CaseId, OperationId, OrderId, TagId } from '../ids'
import { OperationView } from './operation-view'
import { DayVerification } from './verification-view'

/** The customer's number in the POS. It goes to the service and to nobody else. */
export const CustomerId = z.string().trim().min(1).max(100)

/** A cart being filled: what is sold, or what is brought back. */
export const CartMode = z.enum(['sale', 'return'])
export type CartMode = z.infer<typeof CartMode>

/**
 * What is to be said about an item before it is sold. `looking`: the answer is not there yet; `unchecked`: nobody could
 * be asked; `not-imported`: its case is not in our inventory; `unknown-to-service`: it will be refused; `sold-elsewhere`:
 * the service says it was sold, and not by this station.
 */
export const ItemFlag = z.enum(['looking', 'unchecked', 'not-imported', 'unknown-to-service', 'sold-elsewhere'])
export type ItemFlag = z.infer<typeof ItemFlag>

/** How long the answer to a scanned item waits for the service, in ms: a line of customers doesn't wait for a look-up. */
export const lookupPatience = 800

/** The service will refuse an item of this: a person is asked before it is reported. */
export const isDoubtful = (flag: ItemFlag): boolean =>
  flag === 'unknown-to-service' || flag === 'sold-elsewhere' || flag === 'not-imported'

export const CartItem = z.object({
  tagId: TagId,
  scannedAt: z.iso.datetime(),
  flag: ItemFlag.nullable(),
  /** Its case, where that is known: to be imported, if it is not. */
  caseId: CaseId.nullable(),
})
export type CartItem = z.infer<typeof CartItem>

/** Who serves: the text of the badge (or what was given in Settings), and a name to show. */
export const Budtender = z.object({
  id: z.string().trim().min(1).max(100),
  name: z.string().trim().min(1).max(100),
})
export type Budtender = z.infer<typeof Budtender>

/**
 * Items of one product. `expected` is how many a person said there should be: such a line stays when its last item is taken
 * out. `productName` is null while nothing is known of them.
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

export const CartView = z.object({
  mode: CartMode,
  /** Grows with every change that a person must have seen before the cart is reported, held or cleared. */
  revision: z.number().int().nonnegative(),
  orderId: OrderId.nullable(),
  budtender: Budtender.nullable(),
  customerId: CustomerId.nullable(),
  lines: z.array(CartLine),
  itemCount: z.number().int().nonnegative(),
})
export type CartView = z.infer<typeof CartView>

/** An order that was put aside, to go on with later. `products` names the first few. */
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
  /** Items that nobody could be asked about may be sold: the service has the last word, later. */
  takesUnchecked: z.boolean().default(true),
  /** No sale without a budtender. */
  requiresBudtender: z.boolean().default(false),
  budtenders: z.array(Budtender).max(200).default([]),
})
export type CheckoutSettings = z.infer<typeof CheckoutSettings>

/** The answer to a scanned item: the cart, and the line it went to. */
export const ItemAdded = z.object({ cart: CartView, line: CartLine, flag: ItemFlag.nullable() })
export type ItemAdded = z.infer<typeof ItemAdded>

/** What this station knows of an order: its operations, oldest first, and what became of its items. */
export const OrderView = z.object({
  orderId: OrderId,
  operations: z.array(OperationView),
  items: z.array(
    z.object({
      tagId: TagId,
      productName: z.string().nullable(),
      /** Its case, where that is known: to be imported, if it is not. */
      caseId: CaseId.nullable(),
      state: z.enum(['sold', 'returned', 'voided', 'withdrawn']),
    }),
  ),
  canVoid: z.boolean(),
  /** What voiding does now: takes the unsent sale back, waits behind what is unsent, or is reported at once. */
  voidWill: z.enum(['withdraw', 'wait', 'report']),
  budtender: Budtender.nullable(),
  /** Why it was voided or brought back, as the counter noted it; kept on this computer only. */
  notes: z.array(z.object({ operationId: OperationId, text: z.string() })),
})
export type OrderView = z.infer<typeof OrderView>

/**
 * Where an order stands as a whole: `unsent` something waits to be sent, `attention` something was refused, `reported` the
 * service has it all, `voided` and it was voided, `withdrawn` nothing of it was ever reported.
 */
export const OrderState = z.enum(['unsent', 'attention', 'reported', 'voided', 'withdrawn'])
export type OrderState = z.infer<typeof OrderState>

/** An order of this station. Instants are ISO 8601. */
export const OrderSummary = z.object({
  orderId: OrderId,
  /** Of its newest operation: where the next page begins. */
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

/** `day` is a date of this computer (`YYYY-MM-DD`); `text` is sought in order numbers, TagIDs, products and budtenders. */
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
  /** Of the filter without its state: for the chips to choose from. */
  byState: z.record(OrderState, z.number().int().nonnegative()),
})
export type OrdersPage = z.infer<typeof OrdersPage>

const tally = { orders: z.number().int().nonnegative(), items: z.number().int().nonnegative() }

/** What is to be known at closing time. `unsent` and `refused` are of all days: nothing of theirs is done yet. */
export const DayReport = z.object({
  day: z.iso.date(),
  storeName: z.string(),
  /** The computer whose reports these are: no other station's are among them. */
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
  /** Reports of the day that the service has taken. */
  confirmed: z.number().int().nonnegative(),
  unsent: z.array(OperationView),
  refused: z.array(OperationView),
  held: z.array(HeldOrder),
  /** Null where the day can't be read back: no service is joined. */
  verification: DayVerification.nullable(),
})
export type DayReport = z.infer<typeof DayReport>
