import { z } from 'zod'
import { storable } from './text'

/**
 * Identifiers. Inside Countertag a TagID and a CaseID are always in short form (ShortUUID, base57, 22 characters),
 * the form in which they are printed and in which `/api/v1.2` speaks. Spec: Conventions.
 */

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const base = BigInt(alphabet.length)
const shortLength = 22
/** The ShortUUID of 2^128 - 1. */
const largest = 'oZEq7ovRbLq6UnGMPwc8B5'
const digitOf = new Map(Array.from(alphabet, (character, digit) => [character, BigInt(digit)] as const))

const shortForm = /^[2-9A-HJ-NP-Za-km-o][2-9A-HJ-NP-Za-km-z]{21}$/
const longForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function shortToNumber(text: string): bigint {
  let number = 0n
  for (const character of text) number = number * base + (digitOf.get(character) ?? 0n)
  return number
}

/** Whether a text is a ShortUUID: 22 characters of the alphabet that stand for at most 128 bits. */
export function isShortUuid(text: string): boolean {
  // The range check is needed: 22 times "z" has only allowed characters, but exceeds 128 bits. The alphabet is in the
  // order of its character codes, so texts of equal length compare like the numbers they stand for.
  return shortForm.test(text) && text <= largest
}

/** Whether a text is a UUID in the 36-character form, in any case. */
export function isUuid(text: string): boolean {
  return longForm.test(text)
}

/** UUID (any case) to ShortUUID; `undefined` if the text isn't a UUID. */
export function toShortUuid(uuid: string): string | undefined {
  if (!isUuid(uuid)) return undefined
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let digits = ''
  for (let position = 0; position < shortLength; position++) {
    digits = alphabet.charAt(Number(rest % base)) + digits
    rest /= base
  }
  return digits
}

/** ShortUUID to UUID in lower case; `undefined` if the text isn't a ShortUUID. */
export function toUuid(short: string): string | undefined {
  if (!isShortUuid(short)) return undefined
  const hex = shortToNumber(short).toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Either printed form of an id to the short one; `undefined` for anything else. */
export function parseId(text: string): string | undefined {
  return isShortUuid(text) ? text : toShortUuid(text)
}

const shortUuid = z.string().refine(isShortUuid, { message: 'is not a ShortUUID' })

/** One physical item, in short form. */
export const TagId = shortUuid.brand<'TagId'>()
export type TagId = z.infer<typeof TagId>

/** A case (a collection of type `case`), in short form. */
export const CaseId = shortUuid.brand<'CaseId'>()
export type CaseId = z.infer<typeof CaseId>

/** Any other resource of the service in `/api/v1.2` (product, batch, packaged product, brand …), in short form. */
export const ShortUuid = shortUuid.brand<'ShortUuid'>()
export type ShortUuid = z.infer<typeof ShortUuid>

/** An operation of this station: a random UUID, generated here. */
export const OperationId = z.uuid().brand<'OperationId'>()
export type OperationId = z.infer<typeof OperationId>

/** A delivery that a clerk receives, or a count of one: random UUIDs, generated here. */
export const DeliveryId = z.uuid().brand<'DeliveryId'>()
export type DeliveryId = z.infer<typeof DeliveryId>
export const CountId = z.uuid().brand<'CountId'>()
export type CountId = z.infer<typeof CountId>

const printed = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(...storable)

/** The POS or regulator inventory package, e.g. a 24-character Metrc tag. Never empty, at most 100 characters. */
export const PackageUid = printed.brand<'PackageUid'>()
export type PackageUid = z.infer<typeof PackageUid>

/** The order's number in the POS, as the customer's receipt shows it. Never empty, at most 100 characters. */
export const OrderId = printed.brand<'OrderId'>()
export type OrderId = z.infer<typeof OrderId>
