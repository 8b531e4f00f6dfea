/** What a JPEG file says of itself. */
export interface JpegFacts {
  width: number
  height: number
  /** It holds data of a camera (EXIF, XMP, IPTC), which may name a place or a person. */
  hasMetadata: boolean
}

const startOfScan = 0xda
/** Markers of a frame, which hold the size; 0xc4, 0xc8 and 0xcc are others. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** APP1 (EXIF, XMP), APP13 (IPTC) and comments. */
const isMetadata = (marker: number) => marker === 0xe1 || marker === 0xed || marker === 0xfe

/**
 * Reads the segments of a JPEG file up to its picture, by content and not by name. Null if it isn't a whole JPEG file: another
 * type, cut off, or with something behind its end.
 */
export function readJpeg(bytes: Uint8Array): JpegFacts | null {
  const { length } = bytes
  const at = (place: number) => bytes[place] ?? 0
  const isWhole = at(0) === 0xff && at(1) === 0xd8 && at(length - 2) === 0xff && at(length - 1) === 0xd9
  if (length < 4 || !isWhole) return null
  let facts: { width: number; height: number } | null = null
  let hasMetadata = false
  let place = 2
  while (place + 4 <= length) {
    if (at(place) !== 0xff) return null
    const marker = at(place + 1)
    if (marker === startOfScan) return facts && { ...facts, hasMetadata }
    const size = at(place + 2) * 256 + at(place + 3)
    if (size < 2) return null
    if (isMetadata(marker)) hasMetadata = true
    if (isFrame(marker)) {
      facts = { height: at(place + 5) * 256 + at(place + 6), width: at(place + 7) * 256 + at(place + 8) }
      if (facts.width === 0 || facts.height === 0) return null
    }
    place += 2 + size
  }
  return null
}
