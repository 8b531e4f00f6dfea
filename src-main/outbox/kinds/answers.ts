import type { AppError } from '../../../src-shared/errors'

/** What a report is about, as far as its refusal has to be told with it. */
export interface About {
  /** What the service does not know when it answers 404. */
  subject?: string
  /** Of a case that is put into another collection: whether it says which of its packaged products. */
  namesProduct?: boolean
}

/** How the service answers reports of a kind, where it answers kinds differently. Spec: Errors. */
export interface Answers {
  /** Whether 204 is a yes: of the few whose only documented answer it is. */
  isEmptyYes: boolean
  /** Whether a line of text may be a yes: of all whose answer is not shown. */
  isTextYes: boolean
  /** The refusal that a lost attempt of ours would cause, had it been taken; null when it would cause none. */
  echo: AppError['code'] | null
  /** Which refusals of a resent report are read about before they count: its echo, or any. */
  readsAfter: 'echo' | 'any'
  /** What a refusal means of this kind. It is given as its body says: `service/refused` when it names nothing documented. */
  reason: (refusal: AppError, about: About) => AppError
}

/** Of a report that is refused by what its body says. A 403 that says nothing is about the account, not about the report. */
export const plainAnswers: Answers = {
  isEmptyYes: false,
  isTextYes: true,
  echo: null,
  readsAfter: 'echo',
  reason: (refusal) =>
    refusal.code === 'service/refused' && refusal.status === 403 ? { code: 'service/forbidden' } : refusal,
}

/**
 * Of a change of a collection: it may be made by its owner only, and by an account with access to that part of the service.
 * What is made already is made again without a word, but a service may refuse to do again what it did.
 */
export const collectionAnswers: Answers = {
  ...plainAnswers,
  readsAfter: 'any',
  reason(refusal, { subject = '' }) {
    if (refusal.code !== 'service/refused') return refusal
    if (refusal.status === 404) return { code: 'service/not-found', id: subject }
    return refusal.status === 403 ? { code: 'receiving/no-case-changes' } : refusal
  },
}
