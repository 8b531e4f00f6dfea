import { plainNameOrEmpty, unfitName } from '../../src-shared/names'
import type { Text } from '../text/text.svelte'

/** Why an entered name can't be used, in words; undefined if it can, or if it is empty. */
export function nameFault(name: string, most: number): Text | undefined {
  const read = plainNameOrEmpty(most).safeParse(name)
  if (read.success) return undefined
  return { key: read.error.issues.some(({ message }) => message === unfitName) ? 'name.unfit' : 'label.too-long' }
}
