import type { Page } from '@playwright/test'

/** What main says, by the channel and the arguments of the call or event; returns what the page receives instead. */
interface Hearing {
  answer(args: readonly unknown[], answer: unknown): unknown
  event(args: readonly unknown[]): readonly unknown[]
}

/** What tests may see and change of the traffic between a page and main. */
interface PageWire {
  /** Called with the arguments of every call. */
  calls: ((args: readonly unknown[]) => void)[]
  hearing: Hearing
}

const wires = new WeakMap<Page, PageWire>()

/** The wire of a page, even of one not opened yet. */
export function wireOf(page: Page): PageWire {
  const wire = wires.get(page) ?? { calls: [], hearing: { answer: (_args, answer) => answer, event: (args) => args } }
  wires.set(page, wire)
  return wire
}
