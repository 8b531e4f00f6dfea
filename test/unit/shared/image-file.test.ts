import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeImage } from '../../../src-shared/image-file'
import { jpegOf } from '../../fakes/jpeg'
import {
  canvas,
  chunk,
  frame,
  header,
  jpegFile,
  lossless,
  lossy,
  pngFile,
  pngOf,
  riffChunk,
  scan,
  segment,
  webpFile,
} from '../../fakes/picture-files'

const mostPixels = 1_000_000
/** The size of a picture that is taken, or why it isn't. */
const judged = (bytes: Uint8Array) => {
  const verdict = judgeImage(bytes, mostPixels)
  return verdict.ok ? `${verdict.value.type} ${verdict.value.width}x${verdict.value.height}` : verdict.error
}
const table = (rows: [what: string, bytes: Uint8Array, says: string][]) => {
  expect(rows.map(([what, bytes]) => [what, judged(bytes)])).toEqual(rows.map(([what, , says]) => [what, says]))
}
const rst = [0xff, 0xd3]
const tem = [0xff, 0x01]
const fill = [0xff, 0xff, 0xff]
const huge = frame(60_000, 60_000)

describe('a JPEG', () => {
  it('says its size in its frame, wherever markers without a length, fill bytes and other pictures stand', () => {
    const thumbnail = segment(0xe1, [...jpegFile(frame(160, 120), scan())])
    table([
      ['plain', jpegFile(frame(64, 48), scan()), 'jpeg 64x48'],
      ['of a phone', jpegOf({ width: 640, height: 480, hasExif: true }), 'jpeg 640x480'],
      ['with a thumbnail', jpegFile(thumbnail, frame(64, 48), scan()), 'jpeg 64x48'],
      ['with fill bytes', jpegFile(fill, frame(64, 48), fill, scan()), 'jpeg 64x48'],
      ['with markers that have no length', jpegFile(rst, tem, frame(64, 48), scan([1, ...rst, 2])), 'jpeg 64x48'],
      [
        'with more behind its end',
        Buffer.concat([jpegFile(frame(64, 48), scan()), Buffer.alloc(500, 7)]),
        'jpeg 64x48',
      ],
      [
        'of two pictures, one after the other',
        Buffer.concat([jpegFile(frame(64, 48), scan()), jpegFile(huge, scan())]),
        'jpeg 64x48',
      ],
      ['progressive', jpegFile(frame(64, 48, { marker: 0xc2 }), scan(), segment(0xc4, [0]), scan()), 'jpeg 64x48'],
    ])
  })

  it('is refused if any frame that a decoder may find is too large', () => {
    // The bytes behind these markers were once taken for their length, which hid the frame.
    const hidden = segment(0xe0, [...huge, ...Array<number>(20).fill(0)])
    table([
      ['a bomb', jpegFile(huge, scan()), 'pixels'],
      ['behind a restart', jpegFile(frame(8, 8), [0xff, 0xd0], huge, scan()), 'damaged'],
      ['behind a marker without a length', jpegFile([0xff, 0xd0], huge, scan()), 'pixels'],
      ['behind TEM', jpegFile(tem, huge, scan()), 'pixels'],
      ['behind a second start', jpegFile([0xff, 0xd8], huge, scan()), 'damaged'],
      ['behind fill bytes', jpegFile(fill, huge, scan()), 'pixels'],
      ['after another frame', jpegFile(frame(8, 8), huge, scan()), 'damaged'],
      ['after a scan', jpegFile(frame(8, 8), scan(), huge, scan()), 'damaged'],
      ['between bytes that are no marker', jpegFile([0], huge, scan()), 'damaged'],
      ['in a segment of another one', jpegFile(hidden, frame(8, 8), scan()), 'jpeg 8x8'],
      ['progressive, of half the pixels', jpegFile(frame(1_000, 600, { marker: 0xc2 }), scan()), 'pixels'],
      ['of several scans', jpegFile(frame(1_000, 600), scan(), scan()), 'pixels'],
      ['with as many pixels as may be', jpegFile(frame(1_000, 1_000), scan()), 'jpeg 1000x1000'],
      ['with one line more', jpegFile(frame(1_000, 1_001), scan()), 'pixels'],
      ['with its height in a later marker', jpegFile(frame(8, 0), scan(), segment(0xdc, [0xff, 0xff])), 'damaged'],
      ['with another height in a later marker', jpegFile(frame(8, 8), scan(), segment(0xdc, [0xff, 0xff])), 'damaged'],
      ['of a hundred and one scans', jpegFile(frame(8, 8), ...Array<number[]>(101).fill(scan())), 'damaged'],
      ['hierarchical', jpegFile(segment(0xde, frame(8, 8).slice(4)), frame(8, 8), scan()), 'damaged'],
      ['lossless', jpegFile(frame(8, 8, { marker: 0xc3 }), scan()), 'damaged'],
      ['of 12 bits', jpegFile(frame(8, 8, { bits: 12 }), scan()), 'damaged'],
      ['without a frame', jpegFile(scan()), 'damaged'],
      ['without a scan', jpegFile(frame(8, 8)), 'damaged'],
      ['with a length of 1', jpegFile([0xff, 0xe0, 0, 1], frame(8, 8), scan()), 'damaged'],
    ])
  })

  it('says what a camera wrote into it, also behind the picture', () => {
    const facts = (bytes: Uint8Array) => {
      const verdict = judgeImage(bytes, mostPixels)
      return verdict.ok && [verdict.value.hasMetadata, verdict.value.trailing]
    }
    expect(facts(jpegFile(frame(8, 8), scan()))).toEqual([false, 0])
    expect(facts(jpegOf({ hasExif: true }))).toEqual([true, 0])
    expect(facts(jpegFile(frame(8, 8), scan(), segment(0xfe, [1])))).toEqual([true, 0])
    expect(facts(Buffer.concat([jpegFile(frame(8, 8), scan()), Buffer.from('xy')]))).toEqual([false, 2])
  })

  it('is damaged wherever it is cut off', () => {
    const whole = jpegOf({ size: 40 })
    for (let length = 2; length < whole.length; length++)
      expect([length, judged(whole.subarray(0, length))]).toEqual([length, 'damaged'])
  })
})

describe('a PNG', () => {
  const data = chunk('IDAT', Buffer.alloc(10))
  const end = chunk('IEND')

  it('says its size in its first chunk, and has one picture', () => {
    const control = chunk('acTL', Buffer.alloc(8))
    table([
      ['plain', pngOf({ width: 64, height: 48 }), 'png 64x48'],
      ['with text', pngFile(header(64, 48), chunk('tEXt', Buffer.from('a')), data, end), 'png 64x48'],
      ['with more behind its end', Buffer.concat([pngOf(), Buffer.alloc(9)]), 'png 640x480'],
      ['a bomb', pngOf({ width: 20_000, height: 20_000 }), 'pixels'],
      ['of 16 bits', pngFile(header(1_000, 600, 16), data, end), 'pixels'],
      ['whose header is not the first', pngFile(chunk('tEXt'), header(8, 8), data, end), 'damaged'],
      ['of two headers', pngFile(header(8, 8), header(9_000, 9_000), data, end), 'damaged'],
      ['animated', pngFile(header(8, 8), control, data, end), 'animated'],
      ['animated late', pngFile(header(8, 8), data, chunk('fdAT', Buffer.alloc(20)), end), 'animated'],
      ['without a size', pngFile(header(0, 8), data, end), 'damaged'],
      ['of more pixels than a number of 31 bits', pngFile(header(0x8000_0001, 1), data, end), 'damaged'],
      ['of a header that is too long', pngFile(chunk('IHDR', Buffer.alloc(14, 1)), data, end), 'damaged'],
      ['without data', pngFile(header(8, 8), end), 'damaged'],
      ['without an end', pngFile(header(8, 8), data), 'damaged'],
      ['whose chunk ends behind the file', pngFile(header(8, 8), data, end).fill(0xff, 33, 34), 'damaged'],
    ])
  })

  it('is damaged wherever it is cut off', () => {
    const whole = pngOf()
    for (let length = 8; length < whole.length; length++)
      expect([length, judged(whole.subarray(0, length))]).toEqual([length, 'damaged'])
  })
})

describe('a WebP', () => {
  it('says its size in its picture, which is that of its canvas', () => {
    const flags = { animation: 0x02, alpha: 0x10 }
    table([
      ['lossy', webpFile(lossy(64, 48)), 'webp 64x48'],
      ['lossless', webpFile(lossless(64, 48)), 'webp 64x48'],
      [
        'with a canvas',
        webpFile(canvas(64, 48, flags.alpha), riffChunk('ALPH', Buffer.alloc(3)), lossy(64, 48)),
        'webp 64x48',
      ],
      ['with more behind its end', Buffer.concat([webpFile(lossy(64, 48)), Buffer.alloc(9)]), 'webp 64x48'],
      ['a bomb', webpFile(lossy(16_000, 16_000)), 'pixels'],
      ['a lossless bomb', webpFile(lossless(16_000, 16_000)), 'pixels'],
      ['a bomb of a canvas', webpFile(canvas(100_000, 100_000), lossy(8, 8)), 'damaged'],
      ['a bomb in a small canvas', webpFile(canvas(8, 8), lossless(16_000, 16_000)), 'damaged'],
      ['of two pictures', webpFile(lossy(8, 8), lossy(16_000, 16_000)), 'damaged'],
      ['of two canvases', webpFile(canvas(8, 8), canvas(9, 9), lossy(8, 8)), 'damaged'],
      ['animated', webpFile(canvas(8, 8, flags.animation), riffChunk('ANIM', Buffer.alloc(6))), 'animated'],
      ['animated without saying so', webpFile(canvas(8, 8), riffChunk('ANMF', Buffer.alloc(16))), 'animated'],
      ['a canvas alone', webpFile(canvas(8, 8)), 'damaged'],
      ['with a frame that is no key frame', webpFile(riffChunk('VP8 ', Buffer.alloc(20, 1))), 'damaged'],
      ['without a picture', webpFile(), 'damaged'],
    ])
  })

  it('is damaged wherever it is cut off', () => {
    const whole = webpFile(canvas(64, 48), lossy(64, 48))
    for (let length = 12; length < whole.length; length++)
      expect([length, judged(whole.subarray(0, length))]).toEqual([length, 'damaged'])
  })
})

describe('any other file', () => {
  it('is named, whatever its name says', () => {
    const box = (brand: string) => Buffer.from(`\0\0\0\x1cftyp${brand}\0\0\0\0heic`, 'latin1')
    table([
      ...['', '%PDF-1.7', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', 'BM', 'only text'].map(
        (text): [string, Uint8Array, string] => [text, Buffer.from(text.padEnd(40)), 'type'],
      ),
      ['nothing', Buffer.alloc(0), 'type'],
      ['HEIC', box('heic'), 'heic'],
      ['HEIF', box('mif1'), 'heic'],
      ['AVIF', box('avif'), 'heic'],
      ['MP4', box('isom'), 'type'],
    ])
  })
})

describe('whatever bytes a file has', () => {
  const samples = [
    jpegOf({ size: 60, hasExif: true }),
    jpegFile(fill, frame(64, 48, { marker: 0xc2 }), scan(), segment(0xc4, [0]), scan()),
    pngOf(),
    webpFile(canvas(64, 48), lossy(64, 48)),
    webpFile(lossless(64, 48)),
  ]
  /** Changed, cut or with bytes put in: mostly those that mean something. */
  const mutated = fc
    .record({
      sample: fc.constantFrom(...samples),
      edits: fc.array(
        fc.record({
          at: fc.nat(200),
          remove: fc.nat(4),
          insert: fc.array(fc.oneof(fc.constantFrom(0xff, 0xd8, 0xd9, 0xda, 0xc0, 0xc2, 0xd0, 1, 0), fc.nat(255)), {
            maxLength: 8,
          }),
        }),
        { maxLength: 6 },
      ),
    })
    .map(({ sample, edits }) =>
      edits.reduce((bytes, { at, remove, insert }) => {
        const from = at % bytes.length
        return Buffer.concat([bytes.subarray(0, from), Buffer.from(insert), bytes.subarray(from + remove)])
      }, sample),
    )

  it('it is judged without a throw, and never taken with more pixels than may be', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300 })), (bytes) => {
        const verdict = judgeImage(bytes, mostPixels)
        if (!verdict.ok) return
        const { width, height, isHeavy } = verdict.value
        expect(width).toBeGreaterThan(0)
        expect(height).toBeGreaterThan(0)
        expect(width * height * (isHeavy ? 2 : 1)).toBeLessThanOrEqual(mostPixels)
      }),
      { numRuns: 3_000 },
    )
  })

  it('a JPEG is taken only with the one frame that is in it, however its segments are mixed', () => {
    const size = fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 3_000 }))
    const part = fc.oneof(
      size.map(([width, height]) => ({ size: [width, height], bytes: frame(width, height) })),
      fc
        .constantFrom(rst, tem, fill, scan(), segment(0xdb, [0]), segment(0xe2, huge), segment(0xfe, [0xff, 0xd9]))
        .map((bytes) => ({ size: null, bytes })),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const verdict = judgeImage(jpegFile(...parts.map(({ bytes }) => bytes)), mostPixels)
        const sizes = parts.flatMap(({ size: own }) => (own ? [own] : []))
        if (verdict.ok) expect([[verdict.value.width, verdict.value.height]]).toEqual(sizes)
      }),
      { numRuns: 2_000 },
    )
  })
})
