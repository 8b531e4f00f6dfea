import { z } from 'zod'
import { OperationId, OrderId, PackageUid, TagId } from '../ids'
import { Place, Scan, ScanSource } from '../scan/meaning'
import { WedgeTrouble } from '../scan/trouble'
import { AppStatus, Locale, PracticeCode, PracticeFault } from './app-view'
import { CartMode, CartView, ItemAdded, OrderView } from './checkout-view'
import { JournalEntry, OperationView, UnsentLimits } from './operation-view'
import { ScannerSettings, ScannersView } from './scanner-view'
import { CaseView, ImportForm, PackageView, UndoRequest } from './receiving-view'

/**
 * Everything the renderer can ask of main, and everything main tells it. Handlers, client and dispatch derive from this
 * table; each input and each output is parsed on both sides. No call returns a secret.
 */

const call = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) => ({ input, output })

const nothing = z.void()
const done = z.null()
const longestText = 2_000

const calls = {
  'app.status': call(nothing, AppStatus),
  'app.setLocale': call(z.object({ locale: Locale }), done),

  /** Tells main where the next scans happen, for a bare id means a case in receiving and an item elsewhere. */
  'scanner.setPlace': call(z.object({ place: Place }), done),
  /** Hands in what a wedge typed or a person entered; the scan itself arrives as the event `scanner.scanned`. */
  'scanner.submit': call(
    z.object({
      text: z.string().max(longestText),
      // Scanners that main reads itself don't come by here.
      source: ScanSource.exclude(['hid']),
      troubles: z.array(WedgeTrouble).max(10).optional(),
    }),
    done,
  ),
  'scanner.scanners': call(nothing, ScannersView),
  /** Looks for scanners now; what is found arrives as the event `scanner.changed`. */
  'scanner.look': call(nothing, done),
  'scanner.settings': call(nothing, ScannerSettings),
  'scanner.setSettings': call(ScannerSettings, done),

  'receiving.package': call(z.object({ packageUid: PackageUid }), PackageView),
  'receiving.case': call(z.object({ identifier: z.string().trim().min(1).max(500) }), CaseView),
  /** Saves the import, then waits up to 2 s for the service: the view says how far it got. */
  'receiving.import': call(ImportForm, OperationView),
  /** Withdraws an import that was never attempted, otherwise queues its removal; gives back the import or the removal. */
  'receiving.undo': call(UndoRequest, OperationView),

  'checkout.cart': call(z.object({ mode: CartMode }), CartView),
  'checkout.setOrder': call(z.object({ mode: CartMode, orderId: OrderId.nullable() }), CartView),
  'checkout.addItem': call(z.object({ mode: CartMode, tagId: TagId }), ItemAdded),
  'checkout.removeItem': call(z.object({ mode: CartMode, tagId: TagId }), CartView),
  'checkout.clear': call(z.object({ mode: CartMode }), CartView),
  /** Saves the sale or return and empties its cart in one transaction, then waits up to 2 s for the service. */
  'checkout.finish': call(
    z.object({
      mode: CartMode,
      /** What the person saw when they said so: anything else in the cart is an error, never reported. */
      orderId: OrderId.nullable(),
      itemCount: z.number().int().nonnegative(),
    }),
    OperationView,
  ),
  /** Puts the items and order number of a refused sale or return back into their cart, which must be empty. */
  'checkout.reopen': call(z.object({ operationId: OperationId }), CartView),
  'checkout.order': call(z.object({ orderId: OrderId }), OrderView),
  /** Voids an order, also one this station has never seen. Waits up to 2 s. A complete not yet attempted is withdrawn. */
  'checkout.void': call(z.object({ orderId: OrderId }), OperationView),

  /** What stands first: at most 300 of `total`. Waiting ones oldest first, the others newest first. */
  'outbox.list': call(
    z.object({ show: z.enum(['waiting', 'attention', 'recent']) }),
    z.object({ operations: z.array(OperationView), total: z.number().int().nonnegative() }),
  ),
  /** Every step in the life of an operation, oldest first. */
  'outbox.journal': call(z.object({ operationId: OperationId }), z.array(JournalEntry)),
  'outbox.limits': call(nothing, UnsentLimits),
  'outbox.setLimits': call(UnsentLimits, done),
  'outbox.retry': call(z.object({ operationId: OperationId }), OperationView),
  /** Takes an unsent operation back without a trace at the service. */
  'outbox.withdraw': call(z.object({ operationId: OperationId }), OperationView),
  'outbox.dismiss': call(
    z.object({ operationId: OperationId, reason: z.string().trim().min(1).max(500) }),
    OperationView,
  ),
  /** Tries everything that waits for its next attempt now. */
  'outbox.sendNow': call(nothing, done),
  /** A person has taken note of what became of a damaged database. */
  'store.acknowledgeSalvage': call(nothing, done),

  /** A picture of the service's own hosts as a `data:` URL; null when there is none to be had. */
  'media.picture': call(z.object({ url: z.string().max(longestText) }), z.object({ dataUrl: z.string().nullable() })),

  'practice.codes': call(nothing, z.array(PracticeCode)),
  'practice.fault': call(nothing, z.object({ fault: PracticeFault })),
  'practice.setFault': call(z.object({ fault: PracticeFault }), done),
} as const

const events = {
  'app.status': AppStatus,
  'scanner.scanned': Scan,
  'scanner.changed': ScannersView,
  'checkout.cart': CartView,
  'outbox.changed': OperationView,
} as const

export type CallName = keyof typeof calls
/** What a caller may pass: texts that are still to be checked. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>
/** What a handler gets: parsed. */
export type CallRequest<Name extends CallName> = z.output<(typeof calls)[Name]['input']>
export type CallOutput<Name extends CallName> = z.output<(typeof calls)[Name]['output']>

export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>

type CallTable = { [Name in CallName]: { input: z.ZodType<CallRequest<Name>>; output: z.ZodType<CallOutput<Name>> } }
type EventTable = { [Name in EventName]: z.ZodType<EventPayload<Name>> }

/** The same two tables, in the form in which TypeScript can follow a name to its schemas. */
export const callTable: CallTable = calls
export const eventTable: EventTable = events

export const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name)
export const isEventName = (name: string): name is EventName => Object.hasOwn(events, name)
export const callNames = Object.keys(calls).filter(isCallName)
export const eventNames = Object.keys(events).filter(isEventName)
