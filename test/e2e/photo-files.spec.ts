import type { Page } from '@playwright/test'
import { judgeImage } from '../../src-shared/image-file'
import { frame, jpegFile, pngOf, scan, segment } from '../fakes/picture-files'
import { codes, expect, test } from './station'

type Type = 'image/jpeg' | 'image/png' | 'image/webp'

/** A picture as the browser writes it. */
async function picture(page: Page, width: number, height: number, type: Type): Promise<Buffer> {
  const base64 = await page.evaluate(
    async (look) => {
      const canvas = new OffscreenCanvas(look.width, look.height)
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = 'teal'
      context.fillRect(0, 0, look.width / 2, look.height)
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: look.type })).arrayBuffer())
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    },
    { width, height, type },
  )
  return Buffer.from(base64, 'base64')
}

/** EXIF that says: turn the picture by 90 degrees to the right. */
const turned = segment(0xe1, [
  ...Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01', 'latin1'),
  ...Buffer.from('011200030000000100060000', 'hex'),
  ...[0, 0, 0, 0],
])

test(
  'photos that could harm the page are refused in plain words, a turned one is shown upright, and others stay',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.scan(codes.package)
    await expect(page.getByRole('heading', { name: /^Delivery: 3 cases/ })).toBeVisible()
    await counter.button(/^More$/).click()
    await counter.button('Photos of damage').click()
    const dialog = page.getByRole('dialog')
    const upright = await picture(page, 400, 300, 'image/jpeg')
    const bomb = jpegFile([0xff, 0xd0], frame(60_000, 60_000), scan())
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer })
    await dialog.locator('input[type=file]').setInputFiles([
      file('turned.jpg', Buffer.concat([upright.subarray(0, 2), Buffer.from(turned), upright.subarray(2)])),
      file('bomb.jpg', bomb),
      file('large.png', pngOf({ width: 20_000, height: 20_000 })),
      file('phone.heic', Buffer.from('0000001c6674797068656963000000006865696300000000', 'hex')),
      file('drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      // Its size is right, and nothing else.
      file('empty.jpg', jpegFile(frame(64, 48), scan())),
      file('last.webp', await picture(page, 64, 48, 'image/webp')),
    ])
    const says: [name: string, words: string][] = [
      ['bomb.jpg', 'This photo has too many pixels.'],
      ['large.png', 'This photo has too many pixels.'],
      ['phone.heic', 'HEIC and AVIF photos can’t be used.'],
      ['drawing.png', 'This file isn’t a photo that can be used.'],
      ['empty.jpg', 'This photo is incomplete or damaged.'],
    ]
    for (const [name, words] of says) await expect(dialog.getByText(`${name}: ${words}`)).toBeVisible()
    await expect(dialog).toContainText('2 of 24 photos')
    const sizes = await dialog
      .getByRole('img', { name: 'Photo' })
      .evaluateAll((all) =>
        all.map((one) => (one instanceof HTMLImageElement ? [one.naturalWidth, one.naturalHeight] : [])),
      )
    expect(sizes.sort()).toEqual([
      [300, 400],
      [64, 48],
    ])
  },
)

/** The same numbers at each run. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const meaning = [0xff, 0xd8, 0xd9, 0xda, 0xc0, 0xc2, 0xc4, 0xd0, 0xe0, 1, 0]

/** A file with a few bytes changed, put in or left out, most of them near its header. */
function mutated(sample: Buffer, random: (below: number) => number): Buffer {
  let bytes = sample
  for (let edits = 1 + random(3); edits > 0; edits--) {
    const at = random(random(2) === 0 ? Math.min(60, bytes.length) : bytes.length)
    const put = Array.from({ length: random(4) }, () => meaning[random(meaning.length)] ?? random(256))
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + random(4))])
  }
  return bytes
}

test(
  'what the browser decodes of a changed file has the size by which it was judged',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    const types = ['image/jpeg', 'image/png', 'image/webp'] as const
    const samples = await Promise.all(types.map((type) => picture(page, 40, 24, type)))
    const random = seeded(36)
    const files = Array.from({ length: 3_000 }, (_, n) => mutated(samples[n % 3] ?? Buffer.alloc(0), random))
    const judged = files.flatMap((bytes) => {
      const verdict = judgeImage(bytes, 1_000_000)
      return verdict.ok ? [{ base64: bytes.toString('base64'), ...verdict.value }] : []
    })
    const decoded = await page.evaluate(async (all) => {
      const sizeOf = async ({ base64, type }: { base64: string; type: string }) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        const bitmap = await createImageBitmap(new Blob([bytes], { type: `image/${type}` })).catch(() => null)
        const size = bitmap && [bitmap.width, bitmap.height].join('x')
        bitmap?.close()
        return size
      }
      const sizes: (string | null)[] = []
      for (const one of all) sizes.push(await sizeOf(one))
      return sizes
    }, judged)
    const differing = judged.filter(({ width, height }, n) => {
      const size = decoded[n]
      return size !== null && size !== `${width}x${height}` && size !== `${height}x${width}`
    })
    expect(differing).toEqual([])
    expect(decoded.filter((size) => size !== null).length).toBeGreaterThan(100)
  },
)
