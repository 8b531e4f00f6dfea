import { Buffer } from 'node:buffer'

const word = (value: number) => [(value >> 8) & 255, value & 255]
/** A segment of a JPEG: a marker with a length. */
export const segment = (marker: number, content: number[] = []) => [
  0xff,
  marker,
  ...word(content.length + 2),
  ...content,
]
/** The header of a JPEG's frame. */
export const frame = (width: number, height: number, { marker = 0xc0, bits = 8 } = {}) =>
  segment(marker, [bits, ...word(height), ...word(width), 1, 1, 0x11, 0])
/** The header of a scan, and data that is no picture. */
export const scan = (data: number[] = [1, 2, 0xff, 0, 3]) => [...segment(0xda, [1, 1, 0, 0, 63, 0]), ...data]
/** A JPEG file of these parts between its first and its last marker. */
export const jpegFile = (...parts: number[][]) => Buffer.from([0xff, 0xd8, ...parts.flat(), 0xff, 0xd9])

/** A chunk of a PNG. Its checksum is no checksum. */
export function chunk(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(12 + content.length)
  bytes.writeUInt32BE(content.length)
  bytes.write(type, 4, 'latin1')
  bytes.set(content, 8)
  return bytes
}
export function header(width: number, height: number, bits = 8): Buffer {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt32BE(width)
  bytes.writeUInt32BE(height, 4)
  bytes.set([bits, 6], 8)
  return chunk('IHDR', bytes)
}
/** A PNG file of these chunks. */
export const pngFile = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
/** A PNG file of so many bytes, at least 58. */
export const pngOf = ({ width = 640, height = 480, size = 100 } = {}) =>
  pngFile(header(width, height), chunk('IDAT', Buffer.alloc(size - 57)), chunk('IEND'))

/** A chunk of a WebP. */
export function riffChunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8 + content.length + (content.length % 2))
  bytes.write(type, 'latin1')
  bytes.writeUInt32LE(content.length, 4)
  bytes.set(content, 8)
  return bytes
}
/** A WebP file of these chunks. */
export function webpFile(...chunks: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  return riffChunk('RIFF', content)
}
export function lossy(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(20)
  bytes.set([0, 0, 0, 0x9d, 0x01, 0x2a])
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return riffChunk('VP8 ', bytes)
}
export function lossless(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(20)
  bytes[0] = 0x2f
  bytes.writeUInt32LE(width - 1 + (height - 1) * 0x4000, 1)
  return riffChunk('VP8L', bytes)
}
export function canvas(width: number, height: number, flags = 0): Buffer {
  const bytes = Buffer.alloc(10)
  bytes[0] = flags
  bytes.writeUIntLE(width - 1, 4, 3)
  bytes.writeUIntLE(height - 1, 7, 3)
  return riffChunk('VP8X', bytes)
}
