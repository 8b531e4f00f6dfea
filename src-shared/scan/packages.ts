import { PackageUid } from '../ids'

/** A package, and for a Metrc Retail ID the index of the item within it. */
interface PackageCode {
  packageUid: PackageUid
  item?: number
}

const metrcTag = /^1A4[0-9A-F]{21}$/i
const likeMetrc = /^[0-9A-Z]{24}$/i
const bioTrack = /^\d{16}$/
/** At most a 12-byte tag and a 5-byte number. */
const retailId = /^https?:\/\/(?:[a-z0-9-]+\.)?1a4\.com\/([0-9a-z]{18,28})\/?$/i

/** Forms that only package tags have. Add another regulator's form here. */
const marked = [metrcTag]

/** Reads a package tag of a known form; the result is in capitals. */
export const readPackageTag = (text: string): PackageCode | undefined =>
  marked.some((form) => form.test(text)) ? packageOf(text) : undefined

/** Reads a text that may be a package tag by its length alone: 24 letters and digits, or 16 digits (BioTrack). */
export const readLikePackage = (text: string): PackageCode | undefined =>
  likeMetrc.test(text) || bioTrack.test(text) ? packageOf(text) : undefined

const packageOf = (text: string): PackageCode => ({ packageUid: PackageUid.parse(text.toUpperCase()) })

/**
 * Reads a Metrc Retail ID, `HTTPS://1A4.COM/<base36>`: the first 12 bytes of the number are the package tag in hex, the rest
 * is the index of the item, in groups of seven bits, lowest first.
 */
export function readRetailId(url: string): PackageCode | undefined {
  const code = retailId.exec(url)?.[1]
  if (code === undefined) return undefined
  let number = 0n
  for (const digit of code) number = number * 36n + BigInt(Number.parseInt(digit, 36))
  const hex = number.toString(16)
  const bytes = hex.length % 2 === 0 ? hex : `0${hex}`
  const tagText = bytes.slice(0, 24)
  if (!metrcTag.test(tagText)) return undefined
  const tag = packageOf(tagText)
  const item = readVarint(bytes.slice(24))
  return item === undefined ? tag : { ...tag, item }
}

function readVarint(hex: string): number | undefined {
  let value = 0
  for (let at = 0; at < hex.length; at += 2) {
    const byte = Number.parseInt(hex.slice(at, at + 2), 16)
    value += (byte % 128) * 128 ** (at / 2)
    if (byte < 128) return at + 2 === hex.length ? value : undefined
  }
  return undefined
}
