import { type Result, err, ok } from './result'

/** What a picture file holds, read from its structure: nothing is decoded. */
export interface ImageFacts {
  type: 'jpeg' | 'png' | 'webp'
  /** In pixels, as stored: a photo may be marked as turned. */
  width: number
  height: number
  /** It takes twice the memory to decode: a JPEG of several scans, a PNG of 16 bits. */
  isHeavy: boolean
  /** It holds data of a camera (EXIF, XMP, IPTC), which may name a place or a person. Of a JPEG only. */
  hasMetadata: boolean
  /** Bytes behind the end of the picture, as phones write them. */
  trailing: number
}

/**
 * Why a picture is not taken. `type`: not a JPEG, PNG or WebP, whatever its name says; `heic`: HEIC or AVIF; `animated`: of
 * several frames; `damaged`: cut off, or not built as its format says; `pixels`: too many.
 */
export type ImageProblem = 'type' | 'heic' | 'animated' | 'damaged' | 'pixels'

type ImageResult = Result<ImageFacts, ImageProblem>

/**
 * Judges a picture before it is decoded, because a small file may hold a huge picture: the one check for all pictures from
 * outside. Reads by content, and strictly: a decoder that forgives more might find another size than this does. `mostPixels`:
 * half of it for a heavy one. Never throws, reads each byte at most once.
 */
export function judgeImage(bytes: Uint8Array, mostPixels: number): ImageResult {
  const read = isJpeg(bytes) ? readJpeg(bytes) : isPng(bytes) ? readPng(bytes) : isRiff(bytes) ? readWebp(bytes) : null
  if (!read) return err(isHeic(bytes) ? 'heic' : 'type')
  if (!read.ok) return read
  const { width, height, isHeavy } = read.value
  return width * height * (isHeavy ? 2 : 1) > mostPixels ? err('pixels') : read
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)
const textAt = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length))
const damaged: ImageResult = err('damaged')

/** ISO base media files with one of these brands. */
const isHeic = (bytes: Uint8Array) =>
  textAt(bytes, 4, 4) === 'ftyp' && /^(hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])$/.test(textAt(bytes, 8, 4))

// JPEG. ITU-T T.81, annex B.

const marker = {
  tem: 0x01,
  rst0: 0xd0,
  rst7: 0xd7,
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  dqt: 0xdb,
  dri: 0xdd,
  dht: 0xc4,
  dac: 0xcc,
}
const isJpeg = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === marker.soi
/** Baseline, extended and progressive: what browsers decode. */
const isFrame = (code: number) => code >= 0xc0 && code <= 0xc2
const isRestart = (code: number) => code >= marker.rst0 && code <= marker.rst7
const isApplication = (code: number) => code >= 0xe0 && code <= 0xef
const comment = 0xfe
const tables = [marker.dht, marker.dac, marker.dqt, marker.dri]
/** APP1 (EXIF, XMP), APP13 (IPTC) and comments. */
const isMetadata = (code: number) => code === 0xe1 || code === 0xed || code === comment
/** Each scan of a progressive JPEG goes over the whole picture again. Encoders write about ten. */
const mostScans = 100

interface Frame {
  width: number
  height: number
  isHeavy: boolean
}

function readJpeg(bytes: Uint8Array): ImageResult {
  const view = viewOf(bytes)
  let frame: Frame | null = null
  let hasMetadata = false
  let scans = 0
  let place = 2
  for (;;) {
    place = markerAt(bytes, place)
    const code = bytes[place]
    if (code === undefined) return damaged
    place += 1
    if (code === marker.eoi) {
      if (!frame || scans === 0) return damaged
      // Several scans are put together from all of the picture at once.
      const isHeavy = frame.isHeavy || scans > 1
      return ok({ type: 'jpeg', ...frame, isHeavy, hasMetadata, trailing: bytes.length - place })
    }
    // Markers without a length. A restart belongs into a scan, but decoders skip both anywhere.
    if (code === marker.tem || isRestart(code)) continue
    if (place + 2 > bytes.length) return damaged
    const length = view.getUint16(place)
    if (length < 2 || place + length > bytes.length) return damaged
    if (isFrame(code)) {
      // A second frame might be another size.
      if (frame) return damaged
      frame = frameIn(view, place, length, code)
      if (!frame) return damaged
    } else if (code === marker.sos) {
      if (!frame || ++scans > mostScans) return damaged
    } else if (isMetadata(code)) hasMetadata = true
    // Lossless and hierarchical pictures, and a number of lines that comes later (DNL), have markers of their own.
    else if (!isApplication(code) && !tables.includes(code)) return damaged
    place += length
    if (code === marker.sos) place = endOfScan(bytes, place)
  }
}

/** Where the code of the marker at a place is, after any number of fill bytes; beyond the end if there is no marker. */
function markerAt(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== 0xff) return bytes.length
  let at = from + 1
  while (bytes[at] === 0xff) at++
  return bytes[at] === 0 ? bytes.length : at
}

/** The marker that ends a scan. Within it, 0xff is followed by 0, and restarts have a marker. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1] ?? 0
    if (code !== 0 && code !== 0xff && !isRestart(code)) return at
  }
  return bytes.length
}

/** The size in a frame's header; null if the header isn't one of 8 bits, or leaves the height to a later marker. */
function frameIn(view: DataView, at: number, length: number, code: number): Frame | null {
  if (length < 8) return null
  const [bits, height, width, parts] = [
    view.getUint8(at + 2),
    view.getUint16(at + 3),
    view.getUint16(at + 5),
    view.getUint8(at + 7),
  ]
  if (bits !== 8 || parts < 1 || parts > 4 || length !== 8 + 3 * parts || width === 0 || height === 0) return null
  return { width, height, isHeavy: code === 0xc2 }
}

// PNG. W3C, Portable Network Graphics, third edition.

const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const isPng = (bytes: Uint8Array) => pngStart.every((byte, at) => bytes[at] === byte)

function readPng(bytes: Uint8Array): ImageResult {
  const view = viewOf(bytes)
  let frame: Frame | null = null
  let hasData = false
  for (let place = pngStart.length; place + 12 <= bytes.length;) {
    const length = view.getUint32(place)
    const type = textAt(bytes, place + 4, 4)
    const next = place + 12 + length
    if (next > bytes.length || (type === 'IHDR') !== (frame === null)) return damaged
    if (type === 'IHDR') {
      frame = pngFrame(view, place + 8, length)
      if (!frame) return damaged
    }
    if (type === 'acTL' || type === 'fcTL' || type === 'fdAT') return err('animated')
    hasData ||= type === 'IDAT'
    if (type === 'IEND' && frame && hasData && length === 0)
      return ok({ type: 'png', ...frame, hasMetadata: false, trailing: bytes.length - next })
    if (type === 'IEND') return damaged
    place = next
  }
  return damaged
}

function pngFrame(view: DataView, at: number, length: number): Frame | null {
  if (length !== 13) return null
  const [width, height, bits] = [view.getUint32(at), view.getUint32(at + 4), view.getUint8(at + 8)]
  const most = 0x7fff_ffff
  if (width === 0 || height === 0 || width > most || height > most || ![1, 2, 4, 8, 16].includes(bits)) return null
  return { width, height, isHeavy: bits === 16 }
}

// WebP. RFC 9649.

const isRiff = (bytes: Uint8Array) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP'
const animation = 0x02

function readWebp(bytes: Uint8Array): ImageResult {
  const view = viewOf(bytes)
  const end = view.getUint32(4, true) + 8
  if (end > bytes.length) return damaged
  let canvas: Frame | null = null
  let frame: Frame | null = null
  let place = 12
  for (; place + 8 <= end;) {
    const type = textAt(bytes, place, 4)
    const length = view.getUint32(place + 4, true)
    const at = place + 8
    if (at + length > end) return damaged
    if (type === 'ANIM' || type === 'ANMF') return err('animated')
    if (type === 'VP8X') {
      // Only as the first chunk, and once.
      if (place !== 12 || length < 10) return damaged
      if ((view.getUint8(at) & animation) !== 0) return err('animated')
      canvas = { width: uint24(view, at + 4) + 1, height: uint24(view, at + 7) + 1, isHeavy: false }
    } else if (type === 'VP8 ' || type === 'VP8L') {
      if (frame || (!canvas && place !== 12)) return damaged
      frame = type === 'VP8 ' ? lossyFrame(view, at, length) : losslessFrame(view, at, length)
      if (!frame || frame.width === 0 || frame.height === 0) return damaged
    }
    // Chunks begin at even places.
    place = at + length + (length % 2)
  }
  if (!frame || (canvas && (canvas.width !== frame.width || canvas.height !== frame.height))) return damaged
  return ok({ type: 'webp', ...frame, hasMetadata: false, trailing: bytes.length - end })
}

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536

/** RFC 6386, 9.1: a key frame with its start code. */
function lossyFrame(view: DataView, at: number, length: number): Frame | null {
  if (length < 10 || (view.getUint8(at) & 1) !== 0 || uint24(view, at + 3) !== 0x2a_01_9d) return null
  return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff, isHeavy: false }
}

function losslessFrame(view: DataView, at: number, length: number): Frame | null {
  if (length < 5 || view.getUint8(at) !== 0x2f) return null
  const sizes = view.getUint32(at + 1, true)
  return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1, isHeavy: false }
}
