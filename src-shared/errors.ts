import { z } from 'zod'
import { ClaimedBy } from './claim'
import { CountId, parseId } from './ids'
import { GateLevel, GateQuestion } from './gates'
import { HubAnswer, HubTrouble } from './ipc/contract/hub'
import { HostingFailure } from './ipc/contract/hosting'
import { Permission } from './people'
import type { Result } from './result'
import { Verdict } from './verdict'

const texts = z.array(z.string())

/**
 * What errors about one item carry. `productName`: null or missing while it isn't known. `step`: what was refused for it, if not the
 * scan: the end of the order, or putting a refused order back into the cart.
 */
const ofItem = {
  tagId: z.string(),
  productName: z.string().nullish(),
  step: z.enum(['finish', 'reopen']).optional(),
}

/**
 * Every error that a caller can get, by its stable code. The renderer has one text per code (`src-renderer/text`); the
 * details are only what that text needs. Details never contain a secret or a customer id.
 */
export const AppError = z.discriminatedUnion('code', [
  // The line between renderer and main
  z.object({ code: z.literal('ipc/unknown-call'), call: z.string() }),
  z.object({
    code: z.literal('ipc/invalid-input'),
    issues: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
  z.object({ code: z.literal('ipc/forbidden-sender') }),
  z.object({ code: z.literal('ipc/disconnected') }),
  /** More calls in a short time than a person or scanner could make. */
  z.object({ code: z.literal('ipc/too-many') }),
  z.object({ code: z.literal('ipc/too-large') }),
  /** A bug. `reference` finds the entry in the log. */
  z.object({ code: z.literal('app/unexpected'), reference: z.string() }),
  /** The call was done and saved, but its result could not be returned. `reference` finds the entry in the log. */
  z.object({ code: z.literal('app/saved-unseen'), reference: z.string() }),
  /** The call was made under an earlier connection that is no longer in use: nothing was done. */
  z.object({ code: z.literal('app/reopened') }),

  // The service, before it understood the request
  z.object({ code: z.literal('service/unreachable') }),
  /** This computer has too many files and connections open: the request was not made. */
  z.object({ code: z.literal('service/out-of-files') }),
  /** The service's certificate is not trusted: `reason` says why. */
  z.object({
    code: z.literal('service/not-trusted'),
    reason: z.enum(['issuer', 'name', 'date', 'other']),
  }),
  z.object({ code: z.literal('service/credentials-refused') }),
  z.object({ code: z.literal('service/credentials-missing') }),
  z.object({ code: z.literal('service/forbidden') }),
  z.object({ code: z.literal('service/busy') }),
  z.object({ code: z.literal('service/failing'), status: z.number().int() }),
  /** The answer is empty, not JSON, or JSON of an unexpected shape; `path` names the first wrong field. */
  z.object({ code: z.literal('service/unreadable'), path: z.string().nullable() }),
  /** The answer to a report is neither a clear acceptance nor a clear refusal; `said`: its first words, or empty. */
  z.object({ code: z.literal('service/unproven'), status: z.number().int(), said: z.string() }),
  /** The host is not one of the active profile's: the request was not made. */
  z.object({ code: z.literal('service/foreign-host') }),

  // Refusals by the service. Spec: Errors
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
  /** A collection of type `origin` can't be removed or restored. */
  z.object({ code: z.literal('service/origin-collection') }),
  /** Only the company that owns a collection may remove or restore it. */
  z.object({ code: z.literal('service/other-company') }),
  /** A refusal that is not in the specification. */
  z.object({ code: z.literal('service/refused'), status: z.number().int(), detail: z.string() }),

  // Scans and carts
  z.object({ code: z.literal('scan/not-a-code'), text: z.string() }),
  z.object({ code: z.literal('scan/several-codes') }),
  z.object({
    code: z.literal('scan/wrong-place'),
    found: z.enum(['tag', 'case', 'package']),
    expected: z.enum(['tag', 'case', 'package']),
  }),
  z.object({ ...ofItem, code: z.literal('checkout/duplicate') }),
  z.object({ ...ofItem, code: z.literal('checkout/already-sold'), orderId: z.string(), soldAt: z.string() }),
  z.object({ ...ofItem, code: z.literal('checkout/already-returned'), orderId: z.string() }),
  z.object({ ...ofItem, code: z.literal('checkout/in-other-order'), orderId: z.string() }),
  /** The item is in a refused sale that still needs attention. */
  z.object({ ...ofItem, code: z.literal('checkout/in-refused-order'), orderId: z.string() }),
  /** The cart differs from what was on the screen: another window or a late scan changed it. */
  z.object({ code: z.literal('checkout/cart-changed') }),
  z.object({ code: z.literal('checkout/cart-not-empty') }),
  z.object({ code: z.literal('checkout/empty-cart') }),
  z.object({ code: z.literal('checkout/order-id-missing') }),
  z.object({ code: z.literal('checkout/order-id-used'), orderId: z.string() }),
  z.object({ code: z.literal('checkout/order-voided'), orderId: z.string() }),
  /** The order's sale was withdrawn before it was reported. */
  z.object({ code: z.literal('checkout/order-unknown'), orderId: z.string() }),
  /** A report of this order was refused: a later report would wait behind it forever. */
  z.object({ code: z.literal('checkout/order-needs-attention'), orderId: z.string() }),
  /**
   * The item is in the current return or sale, or in an order on hold. `orderId` is null if that order has no number
   * yet.
   */
  z.object({ ...ofItem, code: z.literal('checkout/in-open-order'), orderId: z.string().nullable() }),
  /** The service shows the item as sold, but not by this station. `soldOn` is ISO 8601. */
  z.object({ ...ofItem, code: z.literal('checkout/sold-elsewhere'), soldOn: z.string() }),
  /** The item could not be checked, and this station does not sell unchecked items. */
  z.object({ ...ofItem, code: z.literal('checkout/unchecked') }),
  /** The item is not taken, or only with a manager's approval: the verdict says why, and which. */
  z.object({ ...ofItem, code: z.literal('checkout/not-sellable'), verdict: Verdict }),
  /** Another station of the store has the item: in an open order, or sold. */
  z.object({
    code: z.literal('checkout/claimed'),
    tagId: z.string(),
    productName: z.string().nullable(),
    by: ClaimedBy,
  }),
  /** The store hub doesn't answer, and this station takes no items without it. */
  z.object({ code: z.literal('checkout/not-claimed'), tagId: z.string() }),
  /** The store hub was made anew or restored, and these stations have not announced what they hold. */
  z.object({ code: z.literal('checkout/awaited'), tagId: z.string(), stations: z.array(z.string()) }),
  z.object({ code: z.literal('checkout/budtender-missing') }),
  z.object({ code: z.literal('checkout/not-held') }),
  /** A number (`orderId`) or a customer is entered for the order in front, which has no items: resuming would lose it. */
  z.object({ code: z.literal('checkout/order-begun'), orderId: z.string().nullable() }),
  /** Another station of the store has resumed or dropped the order. */
  z.object({ code: z.literal('checkout/held-elsewhere') }),
  /** The store hub doesn't answer, so another station may have resumed the order. */
  z.object({ code: z.literal('checkout/held-unreachable') }),
  z.object({ code: z.literal('checkout/nothing-to-hold') }),
  /** A line has another count than the expected one, and no person confirmed it. */
  z.object({ code: z.literal('checkout/not-as-expected'), expected: z.number().int(), scanned: z.number().int() }),
  /** The service will refuse this many items, and no person confirmed them. */
  z.object({ code: z.literal('checkout/doubtful-items'), count: z.number().int().positive() }),
  z.object({ code: z.literal('checkout/never-sold-here'), tagId: z.string() }),
  z.object({ code: z.literal('receiving/already-importing'), caseId: z.string() }),
  /** Another station of the store is importing it. */
  z.object({ code: z.literal('receiving/importing-elsewhere'), station: z.string() }),
  /** The case of a blind import has several packaged products: a person must choose one. */
  z.object({ code: z.literal('receiving/choose-product'), caseId: z.string() }),
  /** The case of a blind import holds nothing that can be imported. */
  z.object({ code: z.literal('receiving/empty-case'), caseId: z.string() }),
  /** The case of a blind import turned out to have a certificate that failed or has expired: a person must approve it. */
  z.object({ code: z.literal('receiving/bad-certificate'), caseId: z.string() }),
  /** The service lists no case of this store in the package: it is only added if a person means it. */
  z.object({ code: z.literal('receiving/unknown-package'), packageUid: z.string() }),
  z.object({ code: z.literal('receiving/no-delivery') }),
  z.object({ code: z.literal('receiving/not-in-delivery') }),
  /** Another delivery is under way. */
  z.object({ code: z.literal('receiving/delivery-open') }),
  /** A delivery can be reopened only on the day it was finished. */
  z.object({ code: z.literal('receiving/delivery-over') }),
  z.object({ code: z.literal('receiving/no-count') }),
  /** A count is gone on with on the day it was finished only. */
  z.object({ code: z.literal('receiving/count-over') }),
  /** Ignoring a difference whose report was refused dismisses the report: that takes a reason. */
  z.object({ code: z.literal('receiving/reason-missing') }),
  /** Another count is still open. */
  z.object({ code: z.literal('receiving/count-open') }),
  /** Another station of the store settles the differences of the count. `isOff`: it isn't heard, so a person may take them over. */
  z.object({ code: z.literal('receiving/settled-elsewhere'), station: z.string(), isOff: z.boolean() }),
  /** No case to be counted was ever read, so the contents are unknown. */
  z.object({ code: z.literal('receiving/nothing-to-count') }),
  /** The difference was resolved another way, or no longer exists. */
  z.object({ code: z.literal('receiving/not-a-difference'), tagId: z.string() }),
  /** The account has no access to the part of the service that changes the contents of cases. */
  z.object({ code: z.literal('receiving/no-case-changes') }),
  /** A part of a catalogue arrived out of order: the catalogue must be loaded again. */
  z.object({ code: z.literal('receiving/catalogue-broken') }),
  /** A part of a manifest arrived out of order: the manifest must be loaded again. */
  z.object({ code: z.literal('receiving/manifest-broken') }),
  /** The manifest is not in force any more, or can't be put in force again. */
  z.object({ code: z.literal('receiving/no-manifest') }),
  /** The line, or the product that it was said to mean, is not in the delivery. */
  z.object({ code: z.literal('receiving/no-such-line'), line: z.number().int() }),
  /**
   * A photo can't be used. `type`: not a JPEG, PNG or WebP image; `heic`: HEIC or AVIF; `animated`: of several frames; `damaged`:
   * cut off or not readable; `size`: too many bytes, also when shrunk; `pixels`: too many to be read on this computer; `time`: it
   * took too long to read.
   */
  z.object({
    code: z.literal('receiving/photo-unusable'),
    reason: z.enum(['type', 'heic', 'animated', 'damaged', 'size', 'pixels', 'time']),
  }),
  /** The photo was not sent completely, or is not of the delivery under way. */
  z.object({ code: z.literal('receiving/photo-gone') }),
  /** As many photos or corrections as a delivery may have, or as many bytes of photos as this computer keeps. */
  z.object({
    code: z.literal('receiving/record-full'),
    of: z.enum(['photos', 'corrections', 'disk']),
    most: z.number().int().positive(),
  }),
  /** The delivery has no record, or is under way: there is nothing to correct. */
  z.object({ code: z.literal('receiving/no-record') }),

  // Comparing the day with the POS
  /** A part of the POS's sales arrived out of order: the file must be loaded again. */
  z.object({ code: z.literal('pos-day/broken') }),
  /** The difference has changed since the person saw it, or no longer exists. */
  z.object({ code: z.literal('pos-day/changed') }),

  // Counts of the shelf
  z.object({ code: z.literal('stock/no-count') }),
  /** Nothing is expected of what was to be counted. */
  z.object({ code: z.literal('stock/nothing-here') }),
  z.object({ code: z.literal('stock/not-read') }),
  /** Another count is open that counts some of the same items. `startedAt` is ISO 8601. */
  z.object({ code: z.literal('stock/count-open'), startedAt: z.string() }),
  /** Another station of the store is counting some of the same items: this one can count along. `startedAt` is ISO 8601. */
  z.object({
    code: z.literal('stock/counted-elsewhere'),
    countId: CountId,
    station: z.string(),
    startedAt: z.string(),
  }),
  /** Another station finished the count: its differences, their reasons and the signature are there. */
  z.object({ code: z.literal('stock/finished-elsewhere'), station: z.string() }),
  z.object({ code: z.literal('stock/too-many-counts'), count: z.number().int().positive() }),
  /** The count is in another state: paused, finished, signed, dropped, or it is being counted. */
  z.object({
    code: z.literal('stock/wrong-state'),
    state: z.enum(['counting', 'paused', 'finished', 'signed', 'dropped']),
  }),
  z.object({ code: z.literal('stock/count-full') }),
  z.object({ code: z.literal('stock/no-differences') }),
  /** The reason `other` needs words. */
  z.object({ code: z.literal('stock/reason-words') }),
  /** A reason that doesn't explain a difference of that kind. */
  z.object({ code: z.literal('stock/reason-misfit') }),
  /** So many differences have no reason yet. */
  z.object({ code: z.literal('stock/unexplained'), count: z.number().int().positive() }),
  /** The differences or reasons have changed since the person saw them. */
  z.object({ code: z.literal('stock/changed') }),

  // Changes of collections, refused before they are saved
  /** The profile has no account for the sourcing product. */
  z.object({ code: z.literal('collection/no-account') }),
  z.object({ code: z.literal('collection/is-removed'), identifier: z.string() }),
  z.object({ code: z.literal('collection/not-removed'), identifier: z.string() }),
  /** The item is not in the collection; for an item to be restored: it never was. */
  z.object({ code: z.literal('collection/not-in-it'), tagId: z.string() }),
  z.object({ code: z.literal('collection/is-in-it'), tagId: z.string() }),
  /**
   * The case has several packaged products, and none or a wrong one was named. `identifier`: the regulator
   * collection's.
   */
  z.object({ code: z.literal('collection/choose-product'), identifier: z.string() }),
  z.object({ code: z.literal('collection/product-not-in-case'), identifier: z.string() }),

  // The outbox and its store
  z.object({ code: z.literal('outbox/not-found') }),
  z.object({ code: z.literal('outbox/no-outage') }),
  z.object({ code: z.literal('outbox/wrong-state'), state: z.string() }),
  /**
   * Sent, and neither the answers nor reading show whether the service has it: a person decides, and attempts continue
   * meanwhile. `status` and `said` are from the last answer; null and empty if there was none.
   */
  z.object({ code: z.literal('outbox/unsettled'), status: z.number().int().nullable(), said: z.string() }),
  /** A saved operation that this version can't read: it is kept and never sent. */
  z.object({ code: z.literal('outbox/unreadable') }),
  /** The key that sealed the customer id is gone: a person decides whether to send the report without the customer. */
  z.object({ code: z.literal('outbox/customer-lost') }),
  /** The clock was wrong when it was saved, and nothing tells any more when that was. */
  z.object({ code: z.literal('outbox/time-unknown') }),
  /** A time that a person entered is in the future, or before there was a Countertag. */
  z.object({ code: z.literal('outbox/impossible-time') }),
  /** The disk can't be written (full, read-only): nothing was saved and nothing was sent. */
  z.object({ code: z.literal('store/not-saved') }),
  /** This computer has too many files open: nothing was saved and nothing was sent. */
  z.object({ code: z.literal('store/out-of-files') }),
  /** The disk failed in the middle of saving, and nothing can be written over what it may hold: only a restart shows it. */
  z.object({ code: z.literal('store/unsure') }),
  /** A backup that a person asked for could not be made. */
  z.object({ code: z.literal('store/no-backup') }),
  /** Another Countertag process uses the same data folder. */
  z.object({ code: z.literal('store/in-use') }),

  z.object({ code: z.literal('practice/not-active') }),
  /** This computer could not make a PDF of the page, or the page is in a browser, which prints by itself. */
  z.object({ code: z.literal('till/no-pdf') }),

  // A store of several stations
  z.object({ code: z.literal('hub/unreachable') }),
  /** The station was heard in the last minute, so it has not left. */
  z.object({ code: z.literal('hub/station-there') }),
  /** A station has reports that the service doesn't have, or did not answer. */
  z.object({ code: z.literal('hub/day-open') }),
  /** Reports of the day have changed since the person saw it. */
  z.object({ code: z.literal('hub/day-changed') }),
  /** The hub keeps the days of about two months. */
  z.object({ code: z.literal('hub/day-too-old') }),

  /**
   * Found by a connection test: the address of the service or of its sign-in is wrong. `name`: no such host;
   * `silent`: no answer; `proxy`: the network's proxy refused; `server`: something else answered.
   */
  z.object({
    code: z.literal('connection/address'),
    of: z.enum(['service', 'sign-in']),
    reason: z.enum(['name', 'refused', 'silent', 'proxy', 'server']),
    host: z.string(),
    url: z.string(),
  }),

  /** A connect file was not taken; `fields`: the names at fault. `type`: not a JSON object with addresses. */
  z.object({
    code: z.literal('connect-file/unusable'),
    reason: z.enum(['type', 'size', 'secret', 'unknown', 'wrong']),
    fields: z.string(),
  }),

  // Joining the store hub
  /** The address of the hub can't be used. `scheme`: it is a web address; `port`: not from 1 to 65535. */
  z.object({ code: z.literal('join/address'), reason: z.enum(['empty', 'scheme', 'form', 'port']) }),
  /** The text given as certificate holds no certificate in PEM, or too many. */
  z.object({ code: z.literal('join/certificate') }),
  z.object({ code: z.literal('join/password-missing') }),
  /** Tried before it is saved, and it doesn't work. */
  z.object({
    code: z.literal('join/trouble'),
    trouble: HubTrouble,
    answer: HubAnswer,
    freeName: z.string().nullable(),
  }),
  /** The code or the address is of another store than the one that this station is in, or that can't be told. */
  z.object({ code: z.literal('join/other-store') }),
  /** `count` other stations are in the store. Its key for customers comes with their join code only. */
  z.object({ code: z.literal('join/code-needed'), count: z.number().int().positive() }),
  /**
   * A scanned or pasted text is no join code that can be used. `form`: another text; `damaged`: altered or incomplete;
   * `newer`: of a newer Countertag; `expired`, `endless`: by the hub's clock; `foreign`: of another service or dispensary; `none`:
   * none was scanned, or another one meanwhile.
   */
  z.object({
    code: z.literal('join/code-unusable'),
    reason: z.enum(['form', 'damaged', 'newer', 'expired', 'endless', 'foreign', 'none']),
  }),
  z.object({ code: z.literal('join/not-joined') }),
  /** `count` reports of this connection are unsent: the hub has to hold their items until they are. */
  z.object({ code: z.literal('join/unsent'), count: z.number().int().positive() }),

  // Keeping the store hub on this computer
  z.object({ code: z.literal('keep/kept') }),
  z.object({ code: z.literal('keep/not-kept') }),
  /** The station is in a store already. */
  z.object({ code: z.literal('keep/joined') }),
  /** The store of another connection is kept. */
  z.object({ code: z.literal('keep/other') }),
  /** This computer doesn't have the address. */
  z.object({ code: z.literal('keep/address') }),
  z.object({ code: z.literal('keep/failed'), ...HostingFailure.shape }),

  // The keychain, profiles, and who may do what
  z.object({ code: z.literal('keychain/missing') }),
  z.object({ code: z.literal('keychain/locked') }),
  z.object({ code: z.literal('keychain/denied') }),
  z.object({ code: z.literal('keychain/failing') }),
  /** The keychain entry that this station saved is gone. */
  z.object({ code: z.literal('keychain/vanished') }),
  /** The stored credentials belong to another address or client id than the one entered last: they are not sent. */
  z.object({ code: z.literal('keychain/mismatch') }),
  z.object({ code: z.literal('profile/unknown') }),
  /** The profile is in use. */
  z.object({ code: z.literal('profile/active') }),
  /** The profile's reports are for a service of the other kind. */
  z.object({ code: z.literal('profile/other-kind') }),
  /** `count` reports of the profile are unsent or need attention: they are for the service and store that it names. */
  z.object({ code: z.literal('profile/unsent'), count: z.number().int().positive() }),
  /** `count` waiting reports were made under another client id, which may belong to another store. */
  z.object({ code: z.literal('profile/other-account'), count: z.number().int().positive() }),
  /** The profile's data can't be read, so it is unknown whether reports wait in it. */
  z.object({ code: z.literal('profile/unreadable-data') }),
  /** The profile's data can't be opened: the previous profile stays in use. */
  z.object({ code: z.literal('profile/not-opened') }),
  z.object({ code: z.literal('profile/no-ca-file'), path: z.string() }),
  /** The change wants an approval first; `wants`: what the approval must hold at this station. */
  z.object({ code: z.literal('gate/not-asked'), ...GateQuestion.shape, wants: GateLevel }),
  z.object({ code: z.literal('gate/reason-missing') }),
  z.object({ code: z.literal('gate/pin-missing') }),
  /** A manager's PIN is needed first. */
  z.object({ code: z.literal('security/locked') }),
  /** The next try is accepted after `waitMs`. */
  z.object({ code: z.literal('security/wrong-pin'), waitMs: z.number().int().nonnegative() }),
  z.object({ code: z.literal('security/no-pin') }),
  /** The company's policy requires a manager's PIN for this, and none is set. */
  z.object({ code: z.literal('security/pin-required') }),
  z.object({ code: z.literal('people/not-found') }),
  z.object({ code: z.literal('people/short-name-taken') }),
  z.object({ code: z.literal('people/badge-taken') }),
  /** The code is printed on an item, an order or something else that is scanned here. */
  z.object({ code: z.literal('people/badge-is-code') }),
  /** Without this manager no one could change settings and people any more. */
  z.object({ code: z.literal('people/last-manager') }),
  /** No one has this short name and PIN. The next try is accepted after `waitMs`. */
  z.object({ code: z.literal('people/wrong-pin'), waitMs: z.number().int().nonnegative() }),
  z.object({ code: z.literal('people/no-badge') }),
  /** The store wants a name for this, and no one is signed in. */
  z.object({ code: z.literal('people/who') }),
  /** The role of the person lacks what this needs. */
  z.object({ code: z.literal('people/not-permitted'), needs: Permission }),
  /** The company's policy sets this value; the station can't change it. */
  z.object({ code: z.literal('policy/fixed') }),
])

export type AppError = z.infer<typeof AppError>
export type ErrorCode = AppError['code']

/** The errors of some codes, with their details. */
export type AppErrorOf<Code extends ErrorCode> = Extract<AppError, { code: Code }>

/** What a function returns that fails in these ways only. */
export type ResultOf<Value, Code extends ErrorCode> = Result<Value, AppErrorOf<Code>>

type ValueOf<Done> = Done extends { ok: true; value: infer Value } ? Value : never
type ErrorOf<Done> = Done extends { ok: false; error: infer E } ? E : never

/** What a function returns that runs a step: the step's result, or a failure of its own. */
export type ResultOr<Done, Code extends ErrorCode> = Result<ValueOf<Done>, ErrorOf<Done> | AppErrorOf<Code>>

/** Nothing was sent because there is no token. Says nothing about a single report; a person has to fix the sign-in. */
export const withoutSignIn = [
  'service/credentials-refused',
  'service/credentials-missing',
  'keychain/missing',
  'keychain/locked',
  'keychain/denied',
  'keychain/failing',
  'keychain/vanished',
  'keychain/mismatch',
] as const satisfies ErrorCode[]

/** The service couldn't be reached: no connection, none that this computer could open, or an untrusted certificate. */
export const outOfReach = [
  'service/unreachable',
  'service/out-of-files',
  'service/not-trusted',
  'profile/no-ca-file',
] as const satisfies ErrorCode[]

const unreached = new Set<ErrorCode>(outOfReach)

/** Whether nothing answered at all. */
export const isOutOfReach = ({ code }: Pick<AppError, 'code'>): boolean => unreached.has(code)

const codes = new Set<ErrorCode>([...withoutSignIn, ...outOfReach])

/** Whether the request never reached the service, so that the failure says nothing about what was requested. */
export const isUnreachable = ({ code }: Pick<AppError, 'code'>): boolean => codes.has(code)

const troubles = new Set<ErrorCode>(['service/busy', 'service/failing', 'service/unreadable'])

/**
 * Whether a failure says nothing about what was requested: the service couldn't be reached, had problems, or something
 * else answered instead (a captive portal). Stored data is then the best available.
 */
export const isUnanswered = (error: Pick<AppError, 'code'>): boolean => isUnreachable(error) || troubles.has(error.code)

/** The codes that a refusal names, in printed form, each once. Empty if the refusal names none or concerns all. */
export function namedTags(reason: AppError | null): string[] {
  if (reason?.code === 'service/not-imported' || reason?.code === 'service/malformed-tags')
    return printed(reason.tagIds)
  return reason?.code === 'service/unknown-tags' ? printed([...reason.tagIds, ...reason.invalid]) : []
}

const printed = (texts: readonly string[]) => [...new Set(texts.map((text) => parseId(text) ?? text))]
