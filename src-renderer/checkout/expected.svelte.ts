import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CartLine } from '../../src-shared/ipc/contract/checkout'
import { type Result, ok, err } from '../../src-shared/result'
import type { ChipTone } from '../ui/tones'
import type { Text } from '../text/text.svelte'
import { successorOf } from './line-places'

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

/** Saves the expected count of a line; null removes it. */
type Keep = (key: string, expected: number | null) => Promise<Result<unknown, AppError>>

/** The expected counts of a cart's lines that are being typed. */
export class ExpectedCounts {
  /** By line. Unreadable text stays in its field. */
  readonly #typed = new SvelteMap<string, { text: string }>()
  /** By line: the last count that main has not saved yet. */
  readonly #sent = new SvelteMap<string, number | null>()
  readonly #lines: () => CartLine[]
  readonly #keep: Keep

  /** Why a typed count can't be read. */
  fault = $derived.by(() => {
    if (this.#typed.size === 0) return null
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

  /** A line gets another key once its product is known: what is typed follows it. */
  follow(before: CartLine[]): void {
    for (const [key, typed] of [...this.#typed]) {
      const line = before.find((one) => one.key === key)
      const now = line && successorOf(line, before, this.#lines())
      if (now?.key === key) continue
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
    await this.#send(key, expected)
  }

  /** One more or one less than what the field shows, or than the present count if none is set. */
  async step({ key, expected, items }: CartLine, by: 1 | -1): Promise<void> {
    const read = readExpected(this.textOf(key) ?? '')
    const shown = (read.ok ? read.value : null) ?? this.#sent.get(key) ?? expected ?? items.length
    await this.set(key, Math.min(most, Math.max(1, shown + by)))
  }

  /** The cart doesn't show a count until main has saved it. */
  async #send(key: string, expected: number | null): Promise<Result<unknown, AppError>> {
    this.#sent.set(key, expected)
    const kept = await this.#keep(key, expected)
    if (this.#sent.get(key) === expected) this.#sent.delete(key)
    return kept
  }

  /** Saves the text in the field of a line, if it can be read. */
  async save(key: string): Promise<Result<null, AppError>> {
    const typed = this.#typed.get(key)
    const line = this.#lines().find((one) => one.key === key)
    const read = typed && readExpected(typed.text)
    if (!line || !read?.ok) return ok(null)
    // An earlier count may be on its way, which the line doesn't show yet.
    if (read.value !== line.expected || this.#sent.has(key)) {
      const kept = await this.#send(key, read.value)
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
