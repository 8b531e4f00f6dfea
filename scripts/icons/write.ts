import '../require-node.mjs'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Page, chromium } from '@playwright/test'
import { browserLaunch } from '../../test/e2e/browser'
import { type Drawn, icns, ico } from './formats'

/** Draws resources/icons/countertag.svg in every size that a system needs, in the tests' Chromium. */

const folder = resolve(import.meta.dirname, '../../resources/icons')
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024]

async function draw(page: Page, svg: string, size: number): Promise<Drawn> {
  const { png, pixels } = await page.evaluate(
    async ({ svg, size }) => {
      const image = new Image(size, size)
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = size
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('there is no canvas')
      pen.drawImage(image, 0, 0, size, size)
      const { data } = pen.getImageData(0, 0, size, size)
      let text = ''
      for (const byte of data) text += String.fromCharCode(byte)
      return { png: canvas.toDataURL('image/png').split(',')[1] ?? '', pixels: btoa(text) }
    },
    { svg, size },
  )
  return { size, png: Buffer.from(png, 'base64'), pixels: Buffer.from(pixels, 'base64') }
}

const browser = await chromium.launch(await browserLaunch())
const page = await browser.newPage()
// Without an explicit size a browser may draw the icon small and enlarge it.
const svg = readFileSync(join(folder, 'countertag.svg'), 'utf8').replace('<svg ', '<svg width="1024" height="1024" ')
const drawn: Drawn[] = []
for (const size of sizes) drawn.push(await draw(page, svg, size))
await browser.close()

mkdirSync(join(folder, 'png'), { recursive: true })
for (const { size, png } of drawn) {
  if (size <= 512) writeFileSync(join(folder, `png/${size}x${size}.png`), png)
  if (size === 512) writeFileSync(join(folder, 'countertag.png'), png)
}
writeFileSync(join(folder, 'countertag.ico'), ico(drawn.filter(({ size }) => size <= 256)))
writeFileSync(join(folder, 'countertag.icns'), icns(drawn))
console.log(`Wrote ${sizes.join(', ')} px, countertag.ico and countertag.icns.`)
