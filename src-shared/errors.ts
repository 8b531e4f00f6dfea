import { z } from 'zod'

/**
 * Every failure a caller can meet, by its stable code. The renderer has one text per code (`src-renderer/text`);
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
  /** It was done and saved; only its result could not be given. `reference` finds the entry in the log. */
  z.object({ code: z.literal('app/saved-unseen'), reference: z.string() }),
  /** It was asked of the connection before, which is not in use any more: nothing was done. */
  z.object({ code: z.literal('app/reopened') }),

  // The service, before it understood the request
  z.object({ code: z.literal('service/unreachable') }),
  /** Its certificate is not believed: `reason` says why. */
  z.object({
    code: z.literal('service/not-trusted'),
    reason: z.enum(['issuer', 'name', 'date', 'other']),
  }),
  z.object({ code: z.literal('service/credentials-refused') }),
  z.object({ code: z.literal('service/credentials-missing') }),
  z.object({ code: z.literal('service/forbidden') }),
  z.object({ code: z.literal('service/busy') }),
  z.object({ code: z.literal('service/failing'), status: z.number().int() }),
  /** Not JSON, nothing at all, or JSON of another shape; `path` names the first field that is wrong. */
  z.object({ code: z.literal('service/unreadable'), path: z.string().nullable() }),
  /** An answer to a report that proves neither a yes nor a no; `said`: its first words, empty when it had none. */
  z.object({ code: z.literal('service/unproven'), status: z.number().int(), said: z.string() }),
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
  /** A collection of type origin can be neither removed nor restored. */
  z.object({ code: z.literal('service/origin-collection') }),
  /** Only the company that a collection belongs to may remove or restore it. */
  z.object({ code: z.literal('service/other-company') }),
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
  /** It is in the return or sale in front, or in an order on hold (`orderId` null: one that has no number yet). */
  z.object({ code: z.literal('checkout/in-open-order'), tagId: z.string(), orderId: z.string().nullable() }),
  /** The service says it was sold, and not by this station. `soldOn` is ISO 8601. */
  z.object({ code: z.literal('checkout/sold-elsewhere'), tagId: z.string(), soldOn: z.string() }),
  /** Nobody could be asked about it, and this station sells no such items. */
  z.object({ code: z.literal('checkout/unchecked'), tagId: z.string() }),
  z.object({ code: z.literal('checkout/budtender-missing') }),
  z.object({ code: z.literal('checkout/not-held') }),
  z.object({ code: z.literal('checkout/nothing-to-hold') }),
  /** Fewer items were scanned than there should be. */
  z.object({ code: z.literal('checkout/not-as-expected'), expected: z.number().int(), scanned: z.number().int() }),
  z.object({ code: z.literal('checkout/never-sold-here'), tagId: z.string() }),
  z.object({ code: z.literal('receiving/already-importing'), caseId: z.string() }),
  /** A blind import turned out to be of a case with several packaged products: a person must say which. */
  z.object({ code: z.literal('receiving/choose-product'), caseId: z.string() }),
  /** A blind import turned out to be of a case that holds nothing which could be imported. */
  z.object({ code: z.literal('receiving/empty-case'), caseId: z.string() }),
  z.object({ code: z.literal('receiving/no-delivery') }),
  z.object({ code: z.literal('receiving/not-in-delivery') }),
  z.object({ code: z.literal('receiving/no-count') }),
  /** Another count is not finished. */
  z.object({ code: z.literal('receiving/count-open') }),
  /** There is nothing known to count: no case of it was ever read. */
  z.object({ code: z.literal('receiving/nothing-to-count') }),
  /** It was resolved in another way, or is no difference (any more). */
  z.object({ code: z.literal('receiving/not-a-difference'), tagId: z.string() }),
  /** The account may not change what cases hold: it has no access to that part of the service. */
  z.object({ code: z.literal('receiving/no-case-changes') }),
  /** A part of a catalogue came out of order: it has to be loaded anew. */
  z.object({ code: z.literal('receiving/catalogue-broken') }),

  // Changes of collections, refused before they are saved
  /** The profile has no account of the sourcing product. */
  z.object({ code: z.literal('collection/no-account') }),
  z.object({ code: z.literal('collection/is-removed'), identifier: z.string() }),
  z.object({ code: z.literal('collection/not-removed'), identifier: z.string() }),
  /** It is not in the collection; of one to be put back: nor was it ever. */
  z.object({ code: z.literal('collection/not-in-it'), tagId: z.string() }),
  z.object({ code: z.literal('collection/is-in-it'), tagId: z.string() }),
  /** `identifier`: of the regulator collection. The case has several packaged products and none, or a wrong one, was named. */
  z.object({ code: z.literal('collection/choose-product'), identifier: z.string() }),
  z.object({ code: z.literal('collection/product-not-in-case'), identifier: z.string() }),

  // The outbox and its store
  z.object({ code: z.literal('outbox/not-found') }),
  z.object({ code: z.literal('outbox/wrong-state'), state: z.string() }),
  /**
   * Sent, and neither the answers nor reading show whether the service has it: a person decides, and it goes on being
   * tried. `status` and `said` are of the last answer; null when none came.
   */
  z.object({ code: z.literal('outbox/unsettled'), status: z.number().int().nullable(), said: z.string() }),
  /** A saved operation that this version can't read: kept, never sent. */
  z.object({ code: z.literal('outbox/unreadable') }),
  /** The key that its customer was sealed with is gone: a person decides whether it goes without. */
  z.object({ code: z.literal('outbox/customer-lost') }),
  /** The disk refused (full, read-only): nothing was saved and nothing was sent. */
  z.object({ code: z.literal('store/not-saved') }),
  /** Another Countertag works in the same data folder. */
  z.object({ code: z.literal('store/in-use') }),

  z.object({ code: z.literal('practice/not-active') }),

  // The keychain, profiles, and who may do what
  z.object({ code: z.literal('keychain/missing') }),
  z.object({ code: z.literal('keychain/locked') }),
  z.object({ code: z.literal('keychain/denied') }),
  z.object({ code: z.literal('keychain/failing') }),
  /** What this station put there is not there any more. */
  z.object({ code: z.literal('keychain/vanished') }),
  /** What is kept was entered for another address, or another client id was entered since: it is sent nowhere. */
  z.object({ code: z.literal('keychain/mismatch') }),
  z.object({ code: z.literal('profile/unknown') }),
  /** It is the one in use. */
  z.object({ code: z.literal('profile/active') }),
  /** Its reports are for a service of the other kind. */
  z.object({ code: z.literal('profile/other-kind') }),
  /** `count` reports wait in it, or were refused and nobody has dealt with them: they are for the service and store it names. */
  z.object({ code: z.literal('profile/unsent'), count: z.number().int().positive() }),
  /** Another client id than the one that `count` waiting reports were made under: it may be another store's. */
  z.object({ code: z.literal('profile/other-account'), count: z.number().int().positive() }),
  /** Its data can't be read: nobody knows what waits in it. */
  z.object({ code: z.literal('profile/unreadable-data') }),
  /** Its data can't be opened: the one before stays in use. */
  z.object({ code: z.literal('profile/not-opened') }),
  z.object({ code: z.literal('profile/no-ca-file'), path: z.string() }),
  /** A manager's PIN is needed first. */
  z.object({ code: z.literal('security/locked') }),
  /** Tries are let through again after so many ms. */
  z.object({ code: z.literal('security/wrong-pin'), waitMs: z.number().int().nonnegative() }),
  z.object({ code: z.literal('security/no-pin') }),
  /** By the company's policy this needs a manager's PIN, and none was set. */
  z.object({ code: z.literal('security/pin-required') }),
  /** The company's policy decides it, and not this station. */
  z.object({ code: z.literal('policy/fixed') }),
  /** More calls in a short time than a person or scanner could make. */
  z.object({ code: z.literal('ipc/too-many') }),
  z.object({ code: z.literal('ipc/too-large') }),
])

export type AppError = z.infer<typeof AppError>
export type ErrorCode = AppError['code']
