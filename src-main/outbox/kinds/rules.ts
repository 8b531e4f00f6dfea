import type { AppError } from '../../../src-shared/errors'
import type { ServiceProduct } from '../../../src-shared/service/token'
import type { ReportRequest } from '../../service/requests'
import type { Evidence, ReconcileParts } from '../evidence'
import type { Operation, RefusalCode } from '../operation'
import type { CaseOf, Key, Payload, Sendable } from '../payload'

export type PayloadKind = Payload['kind']
type PayloadOf<K extends PayloadKind> = Extract<Payload, { kind: K }>

/** All that the outbox has to know about a kind of operation. */
export interface KindRules<K extends PayloadKind> {
  /** The keys it holds, exclusively or shared: they decide which operations wait for which. */
  keys: (payload: PayloadOf<K>, caseOf: CaseOf) => Key[]
  /** Whether a refused one shares its exclusive keys: nothing has changed, so no operation has to wait for a person. */
  sharesOnceRefused: boolean
  /** Finds out by reading what became of an attempt whose answer was lost. The tables are in outbox.md. */
  reconcile: (operation: Operation, payload: PayloadOf<K>, parts: ReconcileParts) => Promise<Evidence>
  /** What the service's answers to it mean. */
  answers: Answers
  /** The account that reports it. Trouble of the sourcing account doesn't open the circuit breaker. */
  account: ServiceProduct
  /**
   * The reports that restore what was before; none if nothing can: then it is undone only while it is unsent. Null if it
   * isn't undone by itself: an order is undone as a whole.
   */
  inverses: ((payload: PayloadOf<K>) => Payload[]) | null
  /** Its name on a screen, beside its order, case or collection. */
  name: (payload: PayloadOf<K>) => string | null
}

/** Rules of a kind that can be sent as it is. */
export interface SendableRules<K extends Sendable['kind']> extends KindRules<K> {
  /** The request that reports it. `performedAt` is ISO 8601 with offset; the SKU is included only if `sendsSku`. */
  request: (payload: PayloadOf<K>, performedAt: string, sendsSku: boolean) => ReportRequest
  about: (payload: PayloadOf<K>) => About
}

/** The rules of a family of kinds, by kind. */
export type RulesOf<Kinds extends Sendable['kind']> = { [K in Kinds]: SendableRules<K> }

/** What a report is about: what a yes shows of it, and what the reason of a refusal is filled in with. */
export interface About {
  /** Fields in the body of a yes that name this very report, each with our own value. */
  shows: Readonly<Record<string, string>>
  /** Its items: if a refusal names codes, these are all kept. */
  tagIds?: readonly string[]
  /** What a 404 says the service doesn't know. */
  subject?: string
  /** For a case that is added to another collection: whether it names one of its packaged products. */
  namesProduct?: boolean
}

/** How the service answers reports of a kind: what proves a yes, what proves a no. Spec: Errors. */
export interface Answers {
  /** Whether 204 is a yes: for the few kinds whose only documented answer it is. */
  isEmptyYes: boolean
  /** Whether the general words of success are a yes: for kinds whose answer the specification doesn't show. */
  saysSuccess: boolean
  /** The documented refusals. */
  refusals: {
    codes: readonly RefusalCode[]
    /** The fields that field validation may name. */
    fields: readonly string[]
    /** Whether `{detail}` is a business rule in words of its own. */
    takesDetail: boolean
    /** Statuses that are a no without any body. */
    bare: readonly number[]
  }
  /** The refusal that a lost attempt of ours would cause, had it been taken; null if it would cause none. */
  echo: AppError['code'] | null
  /** Which refusals of a resent report are read about before they count: its echo, or any. */
  readsAfter: 'echo' | 'any'
  /** What a refusal of this kind means. `refusal` is as the body says; `service/refused` if it names nothing documented. */
  reason: (refusal: AppError, about: About) => AppError
}

/** A 403 that names no field is about the account, not about the report. */
const ofAccount = (refusal: AppError): AppError =>
  refusal.code === 'service/refused' && refusal.status === 403 ? { code: 'service/forbidden' } : refusal

/** For sales, returns and voids. Spec: Errors > Transaction errors. */
export const transactionAnswers: Answers = {
  isEmptyYes: false,
  saysSuccess: true,
  refusals: {
    codes: [
      'service/malformed-tags',
      'service/unknown-tags',
      'service/not-imported',
      'service/already-processed',
      'service/items-missing',
    ],
    fields: ['performed_at', 'order_id', 'items', 'customer_id', 'budtender_id', 'non_field_errors'],
    takesDetail: false,
    bare: [],
  },
  echo: 'service/already-processed',
  readsAfter: 'echo',
  reason: ofAccount,
}

/** For imports, whose answer the specification shows, and for their removal. Spec: Errors > Import errors. */
export const importAnswers: Answers = {
  isEmptyYes: false,
  saysSuccess: false,
  refusals: {
    codes: ['service/other-dispensary', 'service/already-imported', 'service/package-unknown'],
    fields: [
      'case_uuid',
      'packaged_product_uuid',
      'pos_product_id',
      'pos_inventory_id',
      'package_uid',
      'sku',
      'non_field_errors',
    ],
    takesDetail: true,
    bare: [],
  },
  echo: 'service/already-imported',
  readsAfter: 'echo',
  reason: ofAccount,
}

/**
 * For changes of a collection: only its owner may make them, with an account for that part of the service. A change that
 * was made already is accepted again, but a service may refuse that. Sent twice it changes nothing more, so a bare status
 * is believed.
 */
export const collectionAnswers: Answers = {
  isEmptyYes: false,
  saysSuccess: false,
  refusals: {
    codes: ['service/malformed-tags', 'service/unknown-tags', 'service/items-missing'],
    fields: ['items', 'uuid', 'tag_id', 'tag_ids', 'case_uuid', 'packaged_product_uuid', 'non_field_errors', '0'],
    takesDetail: true,
    bare: [403, 404],
  },
  echo: null,
  readsAfter: 'any',
  reason(refusal, { subject = '' }) {
    if (refusal.code !== 'service/refused') return refusal
    if (refusal.status === 404) return { code: 'service/not-found', id: subject }
    return refusal.status === 403 ? { code: 'receiving/no-case-changes' } : refusal
  },
}
