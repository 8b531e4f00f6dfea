import type { Operation } from '../outbox/operation'

/**
 * Whether a sale that the service shows is not one of this station: what each till knows of the other comes only from the
 * service. `soldOn` is when it was sold, ISO 8601; `operations` are this station's with the item, oldest first.
 * Spec: Collection, `sold_at_dispensary_on`.
 */
export function isSoldElsewhere(soldOn: string | null, operations: Operation[]): boolean {
  if (soldOn === null) return false
  const moment = Date.parse(soldOn)
  if (Number.isNaN(moment)) return false
  const standing = operations.filter(({ state }) => state !== 'cancelled')
  if (standing.some((one) => one.kind === 'complete' && isAt(moment, one.performedAt))) return false
  const back = standing.filter(({ kind, state }) => kind !== 'complete' && state !== 'rejected')
  // What the service has not heard of yet, it can't show; what it shows from before that, is over.
  return back.every(({ state, performedAt }) => state === 'accepted' && Date.parse(performedAt) < moment)
}

/** Or at its whole second, where the service keeps no finer times. */
const isAt = (moment: number, performedAt: string) => {
  const own = Date.parse(performedAt)
  return moment === own || moment === own - (own % 1_000)
}
