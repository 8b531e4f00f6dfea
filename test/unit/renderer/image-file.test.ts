import { describe, expect, it } from 'vitest'
import { readImage } from '../../../src-renderer/receiving/photos/image-file'
import { jpegOf } from '../../fakes/jpeg'

const png = (width: number, height: number, isWhole = true) => {
  const bytes = Buffer.alloc(24 + (isWhole ? 12 : 0))
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  if (isWhole) bytes.write('IEND', bytes.length - 8, 'latin1')
  return bytes
}
const webp = (form: string, fill: (bytes: Buffer) => void) => {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(32, 4)
  bytes.write(`WEBP${form}`, 8, 'latin1')
  fill(bytes)
  return bytes
}

describe('a picture file', () => {
  it('says its type and size before anything of it is decoded', () => {
    expect(readImage(jpegOf({ width: 4_000, height: 3_000, hasExif: true }))).toEqual({
      type: 'jpeg',
      width: 4_000,
      height: 3_000,
      isWhole: true,
    })
    expect(readImage(png(20_000, 20_000))).toEqual({ type: 'png', width: 20_000, height: 20_000, isWhole: true })
    const sizes: [string, (bytes: Buffer) => void][] = [
      ['VP8X', (bytes) => bytes.writeUIntLE(639, 24, 3) && bytes.writeUIntLE(479, 27, 3)],
      ['VP8 ', (bytes) => bytes.writeUInt16LE(640, 26) && bytes.writeUInt16LE(480, 28)],
      ['VP8L', (bytes) => bytes.writeUInt32LE(639 + (479 << 14), 21)],
    ]
    for (const [form, fill] of sizes)
      expect(readImage(webp(form, fill))).toEqual({ type: 'webp', width: 640, height: 480, isWhole: true })
  })

  it('takes a JPEG with more behind its end, as phones write it', () => {
    expect(readImage(Buffer.concat([jpegOf(), Buffer.alloc(500, 7)]))).toMatchObject({ isWhole: true })
  })

  it('says when a file was cut off', () => {
    const jpeg = jpegOf({ size: 600 })
    for (const length of [6, 30, jpeg.length - 2]) expect(readImage(jpeg.subarray(0, length))?.isWhole).toBe(false)
    expect(readImage(png(10, 10, false))?.isWhole).toBe(false)
    expect(
      readImage(webp('VP8 ', (bytes) => bytes.writeUInt16LE(8, 26) && bytes.writeUInt16LE(8, 28)).subarray(0, 36)),
    ).toMatchObject({
      isWhole: false,
    })
  })

  it('is none whose name only says so: PDF, SVG, HEIC, GIF, text, nothing', () => {
    const others = ['%PDF-1.7', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', 'a text, renamed to .jpg', '']
    for (const text of others) expect([text, readImage(Buffer.from(text.padEnd(40)))]).toEqual([text, null])
    expect(readImage(Buffer.from('0000001c6674797068656963000000006865696300000000', 'hex'))).toBeNull()
    expect(readImage(png(0, 10))).toBeNull()
  })
})
