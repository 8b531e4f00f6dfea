/** A square picture: its pixels (RGBA, from the top left), and the same picture as a PNG file. */
export interface Drawn {
  size: number
  pixels: Buffer
  png: Buffer
}

/** Windows: small sizes as bitmaps, because its installer reads no other format, and the largest as PNG. */
export function ico(drawn: readonly Drawn[]): Buffer {
  const header = Buffer.alloc(6 + 16 * drawn.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(drawn.length, 4)
  const images = drawn.map((each) => (each.size < 256 ? bitmap(each) : each.png))
  let offset = header.length
  for (const [index, image] of images.entries()) {
    const size = drawn[index]?.size ?? 0
    const at = 6 + 16 * index
    // 0 stands for 256.
    header.writeUInt8(size % 256, at)
    header.writeUInt8(size % 256, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(image.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += image.length
  }
  return Buffer.concat([header, ...images])
}

/** 32 bits per pixel, blue first, bottom row first; then the one-bit mask, which is unused but required. */
function bitmap({ size, pixels }: Drawn): Buffer {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(size, 4)
  header.writeInt32LE(size * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  const rows = Array.from({ length: size }, (_, row) => {
    const line = Buffer.from(pixels.subarray((size - 1 - row) * size * 4, (size - row) * size * 4))
    for (let at = 0; at < line.length; at += 4) {
      const red = line.readUInt8(at)
      line.writeUInt8(line.readUInt8(at + 2), at)
      line.writeUInt8(red, at + 2)
    }
    return line
  })
  const mask = Buffer.alloc(Math.ceil(size / 32) * 4 * size)
  return Buffer.concat([header, ...rows, mask])
}

/** Apple's names for sizes; a size that is also twice a smaller size has two names. */
const appleNames: readonly (readonly [name: string, size: number])[] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic13', 256],
  ['ic09', 512],
  ['ic14', 512],
  ['ic10', 1024],
]

/** macOS: PNG files, each with its name and length. */
export function icns(drawn: readonly Drawn[]): Buffer {
  const parts = appleNames.flatMap(([name, size]) => {
    const png = drawn.find((each) => each.size === size)?.png
    return png ? [Buffer.from(name, 'latin1'), length(png.length + 8), png] : []
  })
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from('icns', 'latin1'), length(body.length + 8), body])
}

function length(bytes: number): Buffer {
  const written = Buffer.alloc(4)
  written.writeUInt32BE(bytes)
  return written
}
