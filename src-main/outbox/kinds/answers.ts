import type { AppError } from '../../../src-shared/errors'

/** What a report is about: what the service shows of it in a yes, and what a refusal has to be told with. */
export interface About {
  /** Fields in the body of a yes that name this very report, each with our own value. */
  shows: Readonly<Record<string, string>>
  /** Its items: of the codes that a refusal names, these are kept whole. */
  tagIds?: readonly string[]
  /** What the service does not know when it answers 404. */
  subject?: string
  /** Of a case that is put into another collection: whether it says which of its packaged products. */
  namesProduct?: boolean
}

/** How the service answers reports of a kind: what proves a yes, what proves a no. Spec: Errors. */
export interface Answers {
  /** Whether 204 is a yes: of the few whose only documented answer it is. */
  isEmptyYes: boolean
  /** Whether its general words of success are a yes as well: of all whose answer the specification does not show. */
  saysSuccess: boolean
  /** The documented refusals. */
  refusals: {
    codes: readonly AppError['code'][]
    /** The fields that its field validation may name. */
    fields: readonly string[]
    /** Whether `{detail}` is a business rule of its own words. */
    takesDetail: boolean
    /** Statuses that are a no without any body. */
    bare: readonly number[]
  }
  /** The refusal that a lost attempt of ours would cause, had it been taken; null when it would cause none. */
  echo: AppError['code'] | null
  /** Which refusals of a resent report are read about before they count: its echo, or any. */
  readsAfter: 'echo' | 'any'
  /** What a refusal means of this kind. It is given as its body says: `service/refused` when it names nothing documented. */
  reason: (refusal: AppError, about: About) => AppError
}

/** A 403 that names no field is about the account, not about the report. */
const ofAccount = (refusal: AppError): AppError =>
  refusal.code === 'service/refused' && refusal.status === 403 ? { code: 'service/forbidden' } : refusal

/** Of sales, returns and voids. Spec: Errors > Transaction errors. */
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

/** Of imports, whose answer is the one that is shown, and of their removal. Spec: Errors > Import errors. */
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
 * Of a change of a collection: it may be made by its owner only, and by an account with access to that part of the service.
 * What is made already is made again without a word, but a service may refuse to do again what it did. Sent twice it
 * changes nothing more, so a bare status is believed.
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
