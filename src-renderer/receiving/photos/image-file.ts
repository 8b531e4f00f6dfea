/** What a picture file says of itself, read from its first bytes: nothing is decoded. */
export interface ImageFacts {
  type: 'jpeg' | 'png' | 'webp'
  width: number
  height: number
  /** False for a file that was cut off. */
  isWhole: boolean
}

/** Reads the kind and size of a picture by content; null for anything else, whatever its name says. */
export function readImage(bytes: Uint8Array): ImageFacts | null {
  const facts = readJpeg(bytes) ?? readPng(bytes) ?? readWebp(bytes)
  return facts && facts.width > 0 && facts.height > 0 ? facts : null
}

const textAt = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length))
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

/** Markers of a frame, which hold the size; 0xc4, 0xc8 and 0xcc are others. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const startOfScan = 0xda

function readJpeg(bytes: Uint8Array): ImageFacts | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null
  const view = viewOf(bytes)
  const facts: ImageFacts = { type: 'jpeg', width: 0, height: 0, isWhole: false }
  let place = 2
  while (place + 9 <= bytes.length) {
    // Any number of fill bytes may come before a marker.
    if (bytes[place] === 0xff && bytes[place + 1] === 0xff) {
      place += 1
      continue
    }
    if (bytes[place] !== 0xff) break
    const marker = view.getUint8(place + 1)
    if (marker === startOfScan) {
      facts.isWhole = hasEnd(bytes, place)
      break
    }
    if (isFrame(marker)) {
      facts.height = view.getUint16(place + 5)
      facts.width = view.getUint16(place + 7)
    }
    place += 2 + Math.max(view.getUint16(place + 2), 2)
  }
  // A JPEG that was cut off before its size.
  return facts.width > 0 ? facts : { ...facts, width: 1, height: 1, isWhole: false }
}

/** Whether the end of the picture comes after a place; phones may write more behind it. */
function hasEnd(bytes: Uint8Array, from: number): boolean {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return true
  return false
}

const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function readPng(bytes: Uint8Array): ImageFacts | null {
  if (bytes.length < 24 || pngStart.some((byte, at) => bytes[at] !== byte)) return null
  const view = viewOf(bytes)
  const isWhole = textAt(bytes, bytes.length - 8, 4) === 'IEND'
  return { type: 'png', width: view.getUint32(16), height: view.getUint32(20), isWhole }
}

function readWebp(bytes: Uint8Array): ImageFacts | null {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null
  const view = viewOf(bytes)
  const file = { type: 'webp' as const, isWhole: bytes.length >= view.getUint32(4, true) + 8 }
  const form = textAt(bytes, 12, 4)
  const three = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1
  if (form === 'VP8X') return { ...file, width: three(24), height: three(27) }
  if (form === 'VP8 ')
    return { ...file, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (form !== 'VP8L') return null
  const sizes = view.getUint32(21, true)
  return { ...file, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 }
}
