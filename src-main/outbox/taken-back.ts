import type { TagId } from '../../src-shared/ids'
import type { Journal } from './journal'
import { type Operation, isTakenBack } from './operation'
import { tagKey, tagsOf } from './payload'
import type { Rows } from './rows'

/**
 * Refused reports that a person took back into the cart. The items may have left with a customer, so such a report needs
 * attention wherever they went from there, until a later report of its kind has all of them or a person gives a reason.
 */

const itemsOf = ({ payload }: Operation): TagId[] => (payload ? tagsOf(payload) : [])

/** A later report answers for its items, unless it was withdrawn. One that was refused or dismissed has its own word. */
const answers = ({ state, note, dismissedBecause }: Operation) =>
  state !== 'cancelled' || note === 'reopened' || dismissedBecause !== null

/** The items of a report that no later one of its kind answers for. */
export const missingOf = (operation: Operation, rows: Pick<Rows, 'byKey'>): TagId[] =>
  itemsOf(operation).filter(
    (tagId) =>
      !rows
        .byKey(tagKey(tagId))
        .some(
          (one) =>
            one.seq > operation.seq && one.kind === operation.kind && answers(one) && itemsOf(one).includes(tagId),
        ),
  )

/** Keeps the sign of reports that were taken back; call inside the transaction of the step itself. */
export class TakenBack {
  readonly #rows: Rows
  readonly #journal: Journal

  constructor({ rows, journal }: { rows: Rows; journal: Journal }) {
    this.#rows = rows
    this.#journal = journal
  }

  /** After a report was saved: those of which nothing is missing any more are settled. Returns them. */
  settleBy(later: Operation): number[] {
    if (!this.#rows.hasTakenBack()) return []
    const settled = this.#concerned(later).filter((one) => isTakenBack(one) && missingOf(one, this.#rows).length === 0)
    for (const one of settled) this.#mark(one, false)
    return settled.map(({ seq }) => seq)
  }

  /** After a report was withdrawn: those of which something is missing again need attention again. Returns them. */
  reviveBy(withdrawn: Operation): number[] {
    const revived = this.#concerned(withdrawn).filter(
      (one) => !isTakenBack(one) && missingOf(one, this.#rows).length > 0,
    )
    for (const one of revived) this.#mark(one, true)
    return revived.map(({ seq }) => seq)
  }

  /** Those taken back before `later` was saved that have an item of it. */
  #concerned(later: Operation): Operation[] {
    const found = new Map<number, Operation>()
    for (const tagId of itemsOf(later)) {
      for (const one of this.#rows.byKey(tagKey(tagId))) {
        const isOne = one.seq < later.seq && one.kind === later.kind && one.note === 'reopened'
        if (isOne && one.state === 'cancelled' && one.dismissedBecause === null) found.set(one.seq, one)
      }
    }
    return [...found.values()]
  }

  #mark({ seq }: Operation, isUnsettled: boolean) {
    this.#rows.update(seq, { state: 'cancelled', isUnsettled })
    const what = isUnsettled ? 'missing again' : 'resent'
    this.#journal.write({ seq, actor: 'station', what, from: 'cancelled', to: 'cancelled' })
  }
}
