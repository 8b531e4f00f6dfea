import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import type { TagFacts } from '../../src-shared/service/facts'
import type { Lookup } from '../memory/lookup'
import type { Memory } from '../memory/store'

/** Where an item belongs that is in none of the cases that are counted. */
export interface Whereabouts {
  /** What is remembered; undefined when it was never seen, or is not where it was any more. */
  remembered(tagId: TagId): TagFacts | undefined
  /** Asks; the person who scans is kept waiting for a moment only, and a later answer is remembered. Errors: those of a read. */
  ask(tagId: TagId): Promise<Result<TagFacts, AppError>>
}

/** How long whoever counts is kept waiting, in ms. */
const patience = 800

export function createWhereabouts(lookup: Pick<Lookup, 'tag'>, seen: Pick<Memory, 'tag' | 'case'>): Whereabouts {
  return {
    remembered(tagId) {
      const facts = seen.tag(tagId)?.value
      if (!facts || facts.caseId === null) return facts
      const holder = seen.case(facts.caseId)?.value
      // The case was read again since, without it.
      return holder && !holder.tags.some((tag) => tag.tagId === tagId) ? undefined : facts
    },
    async ask(tagId) {
      let timer: NodeJS.Timeout | undefined
      const tooLate = new Promise<Result<TagFacts, AppError>>((resolve) => {
        timer = setTimeout(() => {
          resolve(err({ code: 'service/unreachable' }))
        }, patience)
      })
      const answer = await Promise.race([lookup.tag(tagId), tooLate])
      clearTimeout(timer)
      return answer.ok ? ok(answer.value) : answer
    },
  }
}

/** Not an item at all: a case's label was scanned. */
export const isOtherThing = (error: AppError): boolean => error.code === 'scan/wrong-place'
