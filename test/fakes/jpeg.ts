import { Buffer } from 'node:buffer'

interface Look {
  width?: number
  height?: number
  /** Bytes of the picture itself, between its header and its end. */
  size?: number
  /** With data of a camera, as a phone writes it. */
  hasExif?: boolean
  /** Makes one photo differ from another. */
  seed?: number
}

const word = (value: number) => [value >> 8, value & 255]
const segment = (marker: number, content: number[]) => [0xff, marker, ...word(content.length + 2), ...content]

/** A file with the segments of a JPEG. What is between them isn't a picture. */
export function jpegOf({ width = 640, height = 480, size = 500, hasExif = false, seed = 1 }: Look = {}): Buffer {
  const head = [
    ...[0xff, 0xd8],
    ...segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...(hasExif ? segment(0xe1, [...Buffer.from('Exif\0\0GPS 40.7357 -74.1724')]) : []),
    ...segment(0xc0, [8, ...word(height), ...word(width), 1, 1, 0x11, 0]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
  ]
  return Buffer.concat([Buffer.from(head), Buffer.alloc(size, seed % 250), Buffer.from([0xff, 0xd9])])
}
