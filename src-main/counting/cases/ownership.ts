import { z } from 'zod'
import { type CaseId, ShortUuid } from '../../../src-shared/ids'
import type { CannotTakeOut } from '../../../src-shared/ipc/contract/count'
import { withTimeout } from '../../core/async'
import { collectionKey } from '../../outbox/payload'
import type { CaseCountContext } from './count-context'

const setting = 'company.brands'
const Kept = z.object({ at: z.number(), brandIds: z.array(ShortUuid) })
/** How long the list of brands counts as new, in ms. A company rarely gets another brand. */
const freshFor = 3_600_000
/** How long a screen waits for it, in ms. A later answer is kept. */
const patience = 1_500

export type Ownership = ReturnType<typeof createOwnership>

/**
 * Which cases our company owns. Only the owner of a case may take items out of it. Spec: States and transitions. The
 * service doesn't name our company, but it lists its brands: a case whose company has a brand is ours exactly if that brand
 * is in the list.
 */
export function createOwnership({ listBrands, seen, outbox, settings, clock, canChangeCases }: CaseCountContext) {
  const kept = () => settings.read(setting, Kept)

  const ask = async () => {
    const at = clock.now()
    const listed = await listBrands()
    if (listed.ok) settings.keep(setting, { at, brandIds: listed.value.map(({ uuid }) => uuid) })
  }

  /** What the service made of the last attempt to take something out of the case; undefined if there was none. */
  const lastAnswer = (caseId: CaseId): 'taken' | 'refused' | undefined => {
    const answered = outbox.read
      .byKey(collectionKey(caseId))
      .findLast(
        ({ kind, state, reason }) =>
          (kind === 'remove-item' || kind === 'restore-item') &&
          (state === 'accepted' || reason?.code === 'receiving/no-case-changes'),
      )
    return answered && (answered.state === 'accepted' ? 'taken' : 'refused')
  }

  return {
    /** Asks for our company's brands if they were not asked for lately. Without an answer, what was known stays. */
    async learn(): Promise<void> {
      if (!canChangeCases()) return
      const at = kept()?.at
      const age = at === undefined ? Number.POSITIVE_INFINITY : clock.now() - at
      // A clock that was set back makes the age meaningless.
      if (age < 0 || age >= freshFor) await withTimeout(ask(), patience, () => undefined)
    },
    /** Why our account can't take items out of a case; null if it can, or if only the service can tell. */
    objection(caseId: CaseId): CannotTakeOut | null {
      if (!canChangeCases()) return { why: 'no-account', company: null }
      const owner = seen.caseInBrief(caseId)?.value.owner
      const company = owner?.name ?? null
      const last = lastAnswer(caseId)
      if (last !== undefined) return last === 'taken' ? null : { why: 'other-company', company }
      const ours = kept()?.brandIds
      if (!ours || !owner || owner.brandIds.length === 0) return null
      return owner.brandIds.some((id) => ours.includes(id)) ? null : { why: 'other-company', company }
    },
  }
}
