import { toShortUuid } from '../../../src-shared/ids'
import { actionTexts } from '../../../src-shared/scan/meaning'
import { KnownPrefixes } from '../../../src-shared/scan/known'
import type { Random } from './random'

/** The settings of the station that reads the traces. */
export const known = KnownPrefixes.parse({ scanPrefixes: { order: 'ORD-', badge: 'EMP-' } })

export const payloadNames = [
  'item address',
  'case address',
  'case with a name',
  'short id',
  'long id',
  'Metrc tag',
  'Metrc Retail ID',
  'BioTrack number',
  'GS1 elements',
  'order with prefix',
  'badge',
  'action',
  'product number',
  'plain order number',
] as const
export type PayloadName = (typeof payloadNames)[number]

const uuid = (random: Random) => {
  const hex = random.text('0123456789abcdef', 32)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
const id = (random: Random) => toShortUuid(uuid(random)) ?? ''

const withCheckDigit = (digits: string) => {
  const sum = Array.from(digits).reduceRight(
    (total, digit, index) => total + Number(digit) * ((digits.length - index) % 2 === 1 ? 3 : 1),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** A text as in a dispensary's barcode. */
export function payload(name: PayloadName, random: Random): string {
  switch (name) {
    case 'item address':
      return `https://tag.example/${id(random)}`
    case 'case address':
      return `https://tag.example/case/${id(random)}`
    case 'case with a name':
      return `https://tag.example/case/HF%20${random.digits(4)}%2F${random.digits(4)}`
    case 'short id':
      return id(random)
    case 'long id':
      return uuid(random)
    case 'Metrc tag':
      return `1A4${random.text('0123456789ABCDEF', 21)}`
    case 'Metrc Retail ID': {
      const number = BigInt(`0x1a4${random.text('0123456789abcdef', 21)}${random.text('01234567', 1)}1`)
      return `HTTPS://1A4.COM/${number.toString(36).toUpperCase()}`
    }
    case 'BioTrack number':
      return `8${random.digits(15)}`
    case 'GS1 elements':
      return `01${withCheckDigit(`0${random.digits(12)}`)}10LOT${random.digits(4)}\u001d21${random.digits(8)}`
    case 'order with prefix':
      return `ORD-${random.digits(random.whole(5, 7))}`
    case 'badge':
      return `EMP-${random.digits(4)}`
    case 'action':
      return random.pick([
        actionTexts.complete,
        actionTexts.cancel,
        actionTexts.remove,
        actionTexts.undo,
        actionTexts.hold,
      ])
    case 'product number':
      return withCheckDigit(random.digits(12))
    case 'plain order number':
      return random.digits(random.whole(6, 10))
  }
}
