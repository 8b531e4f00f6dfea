import type { Page } from '@playwright/test'

/** What main says, by the channel and what came with the call or the event; gives what the page hears instead. */
export interface Hearing {
  answer(args: readonly unknown[], answer: unknown): unknown
  event(args: readonly unknown[]): readonly unknown[]
}

/** What tests may see and change of what goes between a page and main, where both pass. */
export interface PageWire {
  /** Called with the arguments of every call. */
  calls: ((args: readonly unknown[]) => void)[]
  hearing: Hearing
}

const wires = new WeakMap<Page, PageWire>()

/** The wire of a page, also of one that is not opened yet. */
export function wireOf(page: Page): PageWire {
  const wire = wires.get(page) ?? { calls: [], hearing: { answer: (_args, answer) => answer, event: (args) => args } }
  wires.set(page, wire)
  return wire
}
