import type { CartLine } from '../../src-shared/ipc/checkout-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { ChipTone } from '../design/tones'
import type { Text } from '../messages/text.svelte'

/** How many of a line there are beside how many there should be. */
export interface Match {
  tone: ChipTone
  text: Text
}

const most = 999

/** What a person typed as how many there should be: a whole number from 1 to 999, nothing (null), or why it is neither. */
export function readExpected(text: string): Result<number | null, Text> {
  const typed = text.trim()
  if (typed === '') return ok(null)
  const number = /^\d{1,9}$/.test(typed) ? Number(typed) : 0
  if (number < 1 || number > most) return err({ key: 'checkout.expected.range', values: { most } })
  return ok(number)
}

/** Null while nobody said how many there should be. */
export function matchOf({ expected, items }: Pick<CartLine, 'expected' | 'items'>): Match | null {
  if (expected === null) return null
  const difference = items.length - expected
  if (difference === 0) return { tone: 'good', text: { key: 'checkout.expected.match' } }
  return difference < 0
    ? { tone: 'attention', text: { key: 'checkout.expected.short', values: { count: -difference } } }
    : { tone: 'bad', text: { key: 'checkout.expected.over', values: { count: difference } } }
}

/** Lines that do not hold what they should. */
export const differencesIn = (lines: CartLine[]): CartLine[] =>
  lines.filter(({ expected, items }) => expected !== null && expected !== items.length)

/** A step up or down from how many there should be, or from how many there are. */
export function stepped({ expected, items }: Pick<CartLine, 'expected' | 'items'>, step: 1 | -1): number {
  return Math.min(most, Math.max(1, (expected ?? items.length) + step))
}
