import { performance } from 'node:perf_hooks'
import type { Answer } from '../../src-shared/ipc/client'
import { ThingView } from '../../src-shared/ipc/find-view'
import { addressesIn } from '../memory/find/addresses'

/** Which addresses may be opened outside of the app: those that the page was given, and no other that it names. */
export interface Outside {
  /** Told of every answer that the page gets. */
  answered(call: unknown, answer: Answer): void
  /** The address as it is to be opened; null: not now, or not at all. */
  take(url: string): string | null
}

/** The last ones given: a page of products may name a hundred. */
const mostAddresses = 2_000
/** Between two, in ms: a person who was asked each time is no faster. */
const rest = 1_000

/** `now`: ms of a clock that nobody sets. */
export function createOutside(now = () => performance.now()): Outside {
  const given = new Set<string>()
  let openedAt = Number.NEGATIVE_INFINITY

  return {
    answered(call, answer) {
      if (call !== 'find.thing' || !answer.ok) return
      const view = ThingView.safeParse(answer.value)
      for (const address of view.success ? addressesIn(view.data) : []) {
        given.delete(address)
        given.add(address)
      }
      for (const oldest of given) {
        if (given.size <= mostAddresses) break
        given.delete(oldest)
      }
    },
    take(url) {
      const href = URL.parse(url)?.href
      if (href === undefined || !given.has(href) || now() - openedAt < rest) return null
      openedAt = now()
      return href
    },
  }
}
