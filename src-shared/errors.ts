import { z } from 'zod'

/**
 * Every failure a caller can meet, by its stable code. The renderer has one text per code (`src-renderer/messages`);
 * the details are only what that text needs. Nothing here ever carries a secret or a customer id.
 */

const texts = z.array(z.string())

export const AppError = z.discriminatedUnion('code', [
  // The line between renderer and main
  z.object({ code: z.literal('ipc/unknown-call'), call: z.string() }),
  z.object({
    code: z.literal('ipc/invalid-input'),
    issues: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
  z.object({ code: z.literal('ipc/forbidden-sender') }),
  z.object({ code: z.literal('ipc/disconnected') }),
  /** A bug. `reference` finds the entry in the log. */
  z.object({ code: z.literal('app/unexpected'), reference: z.string() }),

  // The service, before it understood the request
  z.object({ code: z.literal('service/unreachable') }),
  z.object({ code: z.literal('service/credentials-refused') }),
  z.object({ code: z.literal('service/credentials-missing') }),
  z.object({ code: z.literal('service/forbidden') }),
  z.object({ code: z.literal('service/busy') }),
  z.object({ code: z.literal('service/failing'), status: z.number().int() }),
  /** Not JSON, nothing at all, or JSON of another shape; `path` names the first field that is wrong. */
  z.object({ code: z.literal('service/unreadable'), path: z.string().nullable() }),
  /** A host that is not of the active profile: the request was not made. */
  z.object({ code: z.literal('service/foreign-host') }),

  // The service, saying no. Spec: Errors
  z.object({ code: z.literal('service/not-found'), id: z.string() }),
  z.object({ code: z.literal('service/other-dispensary'), detail: z.string() }),
  z.object({ code: z.literal('service/already-imported'), detail: z.string() }),
  z.object({ code: z.literal('service/package-unknown'), detail: z.string() }),
  z.object({ code: z.literal('service/invalid-fields'), fields: z.record(z.string(), texts) }),
  z.object({ code: z.literal('service/malformed-tags'), tagIds: texts }),
  z.object({ code: z.literal('service/unknown-tags'), tagIds: texts, invalid: texts }),
  z.object({ code: z.literal('service/not-imported'), tagIds: texts }),
  z.object({ code: z.literal('service/already-processed'), detail: z.string() }),
  z.object({ code: z.literal('service/items-missing') }),
  /** A refusal that the specification does not show. */
  z.object({ code: z.literal('service/refused'), status: z.number().int(), detail: z.string() }),

  // Scans and carts
  z.object({ code: z.literal('scan/not-a-code'), text: z.string() }),
  z.object({
    code: z.literal('scan/wrong-place'),
    found: z.enum(['tag', 'case', 'package']),
    expected: z.enum(['tag', 'case', 'package']),
  }),
  z.object({ code: z.literal('checkout/duplicate'), tagId: z.string() }),
  z.object({ code: z.literal('checkout/already-sold'), tagId: z.string(), orderId: z.string(), soldAt: z.string() }),
  z.object({ code: z.literal('checkout/already-returned'), tagId: z.string(), orderId: z.string() }),
  z.object({ code: z.literal('checkout/in-other-order'), tagId: z.string(), orderId: z.string() }),
  /** In a sale that the service refused and nobody has dealt with. */
  z.object({ code: z.literal('checkout/in-refused-order'), tagId: z.string(), orderId: z.string() }),
  /** The cart is not (any more) what was on the screen: another window or a late scan changed it. */
  z.object({ code: z.literal('checkout/cart-changed') }),
  z.object({ code: z.literal('checkout/cart-not-empty') }),
  z.object({ code: z.literal('checkout/empty-cart') }),
  z.object({ code: z.literal('checkout/order-id-missing') }),
  z.object({ code: z.literal('checkout/order-id-used'), orderId: z.string() }),
  z.object({ code: z.literal('checkout/order-voided'), orderId: z.string() }),
  /** Nothing of it was reported: its sale was withdrawn. */
  z.object({ code: z.literal('checkout/order-unknown'), orderId: z.string() }),
  /** A report of this order was refused: whatever came behind it would wait for ever. */
  z.object({ code: z.literal('checkout/order-needs-attention'), orderId: z.string() }),
  z.object({ code: z.literal('receiving/already-importing'), caseId: z.string() }),

  // The outbox and its store
  z.object({ code: z.literal('outbox/not-found') }),
  z.object({ code: z.literal('outbox/wrong-state'), state: z.string() }),
  /** A saved operation that this version can't read: kept, never sent. */
  z.object({ code: z.literal('outbox/unreadable') }),
  /** The disk refused (full, read-only): nothing was saved and nothing was sent. */
  z.object({ code: z.literal('store/not-saved') }),
  /** Another Countertag works in the same data folder. */
  z.object({ code: z.literal('store/in-use') }),

  z.object({ code: z.literal('practice/not-active') }),
])

export type AppError = z.infer<typeof AppError>
export type ErrorCode = AppError['code']
