import { createHash } from 'node:crypto'
import { toShortUuid } from '../../src-shared/ids'

/** IDs derived from names: writing the data again changes nothing, and printed codes stay valid. */

function digest(name: string): string {
  return createHash('sha256').update(`countertag practice data: ${name}`).digest('hex')
}

/** The ShortUUID of a thing, e.g. `id('product', 'HF-BD-35')`. */
export function id(kind: string, name: string): string {
  const hex = digest(`${kind} ${name}`)
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  const short = toShortUuid(uuid.join('-'))
  if (short === undefined) throw new Error(`No id for ${kind} ${name}`)
  return short
}

/** A package tag as regulators print it: 24 characters, a state's prefix and a serial number. */
export const packageTag = (number: number): string => `1A40E0300000B2F${String(number).padStart(9, '0')}`

/** A number from 0 up to 1 derived from a name: the same each time. */
export const fraction = (name: string): number => Number.parseInt(digest(name).slice(0, 8), 16) / 0x1_0000_0000
