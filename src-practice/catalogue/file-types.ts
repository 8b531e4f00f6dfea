/** What a file is, by what it begins with: neither its name nor who sent it is asked. */

export interface FileType {
  mimeType: string
  /** Without a dot. */
  extension: string
}

const signatures: [extension: string, mimeType: string, offset: number, bytes: number[]][] = [
  ['png', 'image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpg', 'image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['gif', 'image/gif', 0, ascii('GIF87a')],
  ['gif', 'image/gif', 0, ascii('GIF89a')],
  ['pdf', 'application/pdf', 0, ascii('%PDF-')],
  ['webm', 'video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
  ['ogv', 'video/ogg', 0, ascii('OggS')],
  ['zip', 'application/zip', 0, [0x50, 0x4b, 0x03, 0x04]],
]

/** Brands of ISO base media files (`ftyp` at byte 4); all others are MP4. */
const brands: Record<string, FileType> = {
  'qt  ': { mimeType: 'video/quicktime', extension: 'mov' },
  avif: { mimeType: 'image/avif', extension: 'avif' },
}

/** A file of unknown content: stored as it is, and never shown by a browser. */
const unknown: FileType = { mimeType: 'application/octet-stream', extension: 'bin' }

export function fileTypeOf(bytes: Uint8Array): FileType {
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP')
    return { mimeType: 'image/webp', extension: 'webp' }
  if (textAt(bytes, 4, 4) === 'ftyp') return brands[textAt(bytes, 8, 4)] ?? { mimeType: 'video/mp4', extension: 'mp4' }
  const known = signatures.find(([, , offset, start]) => start.every((byte, at) => bytes[offset + at] === byte))
  if (known) return { mimeType: known[1], extension: known[0] }
  return isSvg(bytes) ? { mimeType: 'image/svg+xml', extension: 'svg' } : unknown
}

/** An SVG is text: its root comes after a declaration, a doctype and comments, each of which ends with its own sign. */
function isSvg(bytes: Uint8Array): boolean {
  let rest = textAt(bytes, 0, 4000)
    .replace(/^\uFEFF/, '')
    .trimStart()
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : /^<[?!]/.test(rest) ? '>' : undefined
    if (end === undefined) return /^<svg[\s>]/i.test(rest)
    const at = rest.indexOf(end)
    if (at < 0) return false
    rest = rest.slice(at + end.length).trimStart()
  }
}

function textAt(bytes: Uint8Array, offset: number, length: number): string {
  return new TextDecoder().decode(bytes.subarray(offset, offset + length))
}

function ascii(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0))
}
