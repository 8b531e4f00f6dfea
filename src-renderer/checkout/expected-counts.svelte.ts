import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CartLine, CartView } from '../../src-shared/ipc/checkout-view'
import { type Result, ok } from '../../src-shared/result'
import { differencesIn, readExpected } from './expected'

export interface ExpectedCountsParts {
  lines: () => CartLine[]
  /** Has it kept how many there should be of a line; null for nobody said. */
  keep: (key: string, expected: number | null) => Promise<Result<CartView, AppError>>
}

/** How many there should be of each line of a cart: as it is kept, and while it is typed. */
export class ExpectedCounts {
  /** By line. What can't be used stays in its field. */
  readonly #typed = new SvelteMap<string, string>()
  readonly #lines: () => CartLine[]
  readonly #keep: ExpectedCountsParts['keep']

  /** Lines that do not hold what they should. */
  differences = $derived.by(() => differencesIn(this.#lines()))
  /** Why what was typed can't be used. */
  fault = $derived.by(() => {
    const typed = this.#lines().flatMap(({ key }) => this.#typed.get(key) ?? [])
    const faults = typed.map(readExpected).flatMap((read) => (read.ok ? [] : [read.error]))
    return faults[0] ?? null
  })

  constructor({ lines, keep }: ExpectedCountsParts) {
    this.#lines = lines
    this.#keep = keep
  }

  /** What is being typed; undefined while the field shows what is kept. */
  textOf(key: string): string | undefined {
    return this.#typed.get(key)
  }

  typed(key: string, text: string): void {
    this.#typed.set(key, text)
  }

  forget(): void {
    this.#typed.clear()
  }

  /** Says it otherwise than by typing. */
  set(key: string, expected: number | null): Promise<Result<CartView, AppError>> {
    this.#typed.delete(key)
    return this.#keep(key, expected)
  }

  /** Saves what stands in the field of a line, if that can be read. */
  async save(key: string): Promise<Result<null, AppError>> {
    const typed = this.#typed.get(key)
    const line = this.#lines().find((one) => one.key === key)
    const read = typed === undefined ? null : readExpected(typed)
    if (!line || !read?.ok) return ok(null)
    if (read.value !== line.expected) {
      const kept = await this.#keep(key, read.value)
      if (!kept.ok) return kept
    }
    if (this.#typed.get(key) === typed) this.#typed.delete(key)
    return ok(null)
  }

  async saveAll(): Promise<Result<null, AppError>> {
    for (const key of [...this.#typed.keys()]) {
      const saved = await this.save(key)
      if (!saved.ok) return saved
    }
    return ok(null)
  }
}
