import { type Refusal, forbidden, notFound, refuse } from '../http/answers'
import type { Ctx } from '../http/context'

/** Why a change may not be: it names what is not there, what is another company's, or it breaks a rule. */
export type Denial = 'not-found' | 'forbidden' | Refusal

/** The answer: 404, 403, or 400 with the rule's body. */
export function deny(c: Ctx, denial: Denial): Response {
  if (denial === 'not-found') return notFound(c)
  return denial === 'forbidden' ? forbidden(c) : refuse(c, denial)
}

/** Spec: Errors > Business rule violation. */
export const detail = (text: string): Refusal => ({ body: { detail: text } })
