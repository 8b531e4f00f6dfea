import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CartItem, CartLine } from '../../src-shared/ipc/contract/checkout'
import { type Result, ok, err } from '../../src-shared/result'
import type { ChipTone } from '../ui/tones'
import type { Text } from '../text/text.svelte'

const most = 999

/** Reads a typed count: a whole number from 1 to 999, nothing (null), or the reason why it is neither. */
export function readExpected(text: string): Result<number | null, Text> {
  const typed = text.trim()
  if (typed === '') return ok(null)
  const number = /^\d{1,9}$/.test(typed) ? Number(typed) : 0
  if (number < 1 || number > most) return err({ key: 'checkout.expected.range', values: { most } })
  return ok(number)
}

/** The count of a line compared with the expected one; null if none is set. */
export function matchOf({ difference }: Pick<CartLine, 'difference'>): { tone: ChipTone; text: Text } | null {
  if (difference === null) return null
  if (difference === 0) return { tone: 'good', text: { key: 'checkout.expected.match' } }
  return difference < 0
    ? { tone: 'attention', text: { key: 'checkout.expected.short', values: { count: -difference } } }
    : { tone: 'bad', text: { key: 'checkout.expected.over', values: { count: difference } } }
}

/** One more or one less than the expected count, or than the present one if none is set. */
export function stepped({ expected, items }: Pick<CartLine, 'expected' | 'items'>, step: 1 | -1): number {
  return Math.min(most, Math.max(1, (expected ?? items.length) + step))
}

/** Saves the expected count of a line; null removes it. */
type Keep = (key: string, expected: number | null) => Promise<Result<unknown, AppError>>

/** The expected counts of a cart's lines that are being typed. */
export class ExpectedCounts {
  /** By line. Unreadable text stays in its field. */
  readonly #typed = new SvelteMap<string, { text: string }>()
  readonly #lines: () => CartLine[]
  readonly #keep: Keep

  /** Why a typed count can't be read. */
  fault = $derived.by(() => {
    const typed = this.#lines().flatMap(({ key }) => this.textOf(key) ?? [])
    const faults = typed.map(readExpected).flatMap((read) => (read.ok ? [] : [read.error]))
    return faults[0] ?? null
  })

  constructor(lines: () => CartLine[], keep: Keep) {
    this.#lines = lines
    this.#keep = keep
  }

  /** The text being typed; undefined while the field shows the saved count. */
  textOf(key: string): string | undefined {
    return this.#typed.get(key)?.text
  }

  typed(key: string, text: string): void {
    this.#typed.set(key, { text })
  }

  /** A line gets another key once its product is known: what is typed follows its items. */
  follow(before: CartLine[]): void {
    for (const [key, typed] of [...this.#typed]) {
      if (this.#lines().some((line) => line.key === key)) continue
      const items = before.find((line) => line.key === key)?.items ?? []
      const isOfLine = ({ tagId }: CartItem) => items.some((item) => item.tagId === tagId)
      const now = this.#lines().find((line) => line.items.some(isOfLine))
      this.#typed.delete(key)
      if (now) this.#typed.set(now.key, typed)
    }
  }

  forget(): void {
    this.#typed.clear()
  }

  /** Saves a count that was not typed. */
  async set(key: string, expected: number | null): Promise<void> {
    this.#typed.delete(key)
    await this.#keep(key, expected)
  }

  /** Saves the text in the field of a line, if it can be read. */
  async save(key: string): Promise<Result<null, AppError>> {
    const typed = this.#typed.get(key)
    const line = this.#lines().find((one) => one.key === key)
    const read = typed && readExpected(typed.text)
    if (!line || !read?.ok) return ok(null)
    if (read.value !== line.expected) {
      const kept = await this.#keep(key, read.value)
      if (!kept.ok) return kept
    }
    // It may have followed its line to another key.
    for (const [now, one] of [...this.#typed]) if (one === typed) this.#typed.delete(now)
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
