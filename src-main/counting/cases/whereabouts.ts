import type { AppError, ResultOf } from '../../../src-shared/errors'
import type { TagId } from '../../../src-shared/ids'
import { err } from '../../../src-shared/result'
import type { TagFacts } from '../../../src-shared/service/facts'
import { withTimeout } from '../../core/async'
import type { Lookup } from '../../memory/lookup'
import type { Memory } from '../../memory/store'
import type { ServiceCode } from '../../service/reply'

/** How long a scan waits for the service, in ms. */
const patience = 800

/** Where an item belongs that is in none of the counted cases. */
export class Whereabouts {
  readonly #lookup: Pick<Lookup, 'tag'>
  readonly #seen: Pick<Memory, 'tag' | 'case'>

  constructor(lookup: Pick<Lookup, 'tag'>, seen: Pick<Memory, 'tag' | 'case'>) {
    this.#lookup = lookup
    this.#seen = seen
  }

  /** What is cached; undefined if it was never seen, or its case was read since without it. */
  cached(tagId: TagId): TagFacts | undefined {
    const facts = this.#seen.tag(tagId)?.value
    if (!facts || facts.caseId === null) return facts
    const holder = this.#seen.case(facts.caseId)?.value
    return holder && !holder.tags.some((tag) => tag.tagId === tagId) ? undefined : facts
  }

  /** Asks the service, but waits for a moment only; a later answer is cached. */
  ask(tagId: TagId): Promise<ResultOf<TagFacts, ServiceCode | 'scan/wrong-place'>> {
    return withTimeout(this.#lookup.tag(tagId), patience, () => err({ code: 'service/unreachable' }))
  }
}

/** Not an item: the label of a case was scanned. */
export const isOtherThing = (error: AppError): boolean => error.code === 'scan/wrong-place'
