import type { AppError } from '../../src-shared/errors'
import type { Gap } from '../../src-shared/ipc/find-view'
import type { Result } from '../../src-shared/result'
import { withoutSignIn } from '../../src-shared/unreachable'

/** Collects what could not be had of a thing, while the rest of it is read. */
export interface Gaps {
  /** The value of a read, or a gap in its place. */
  take<T>(part: Gap['part'], result: Result<T, AppError>): T | undefined
  /** Each part once, by the first reason. */
  all(): Gap[]
}

export function createGaps(): Gaps {
  const found: Gap[] = []
  return {
    take(part, result) {
      if (result.ok) return result.value
      // Nothing is missing that our company's catalogue never had: of things of others, v1.2 tells what there is.
      if (part === 'catalogue' && isNotOurs(result.error)) return undefined
      if (!found.some((gap) => gap.part === part)) found.push({ part, reason: result.error })
      return undefined
    },
    all: () => found,
  }
}

const isNotOurs = ({ code }: AppError) => code === 'service/not-found' || code === 'service/forbidden'

const saysNothing = new Set<string>([...withoutSignIn, 'service/forbidden', 'service/foreign-host'])

/**
 * What it comes to when every question about a thing failed. Not found, where somebody says so and the others either say
 * the same or were not asked for want of an account; else the failure of whoever might have known.
 */
export function judge(errors: readonly AppError[]): AppError | undefined {
  const telling = errors.filter(({ code }) => !saysNothing.has(code))
  return telling.find(({ code }) => code !== 'service/not-found') ?? telling[0] ?? errors[0]
}
