import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { type Pictures, createPictures } from '../../../src-main/memory/pictures'
import { type Http, createHttp } from '../../../src-main/service/http'
import { jpegOf } from '../../fakes/jpeg'
import { chunk, frame, header, jpegFile, lossy, pngFile, pngOf, scan, webpFile } from '../../fakes/picture-files'

const megabyte = 1_000_000
const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
/** What a service may send under the name of a PNG. */
const files: Record<string, Buffer> = {
  '/photo.png': jpegOf({ hasExif: true }),
  '/still.png': webpFile(lossy(640, 480)),
  '/drawing.png': drawing,
  '/animated.png': pngFile(header(8, 8), chunk('acTL', Buffer.alloc(8)), chunk('IDAT', Buffer.alloc(9)), chunk('IEND')),
  '/heic.png': Buffer.from('0000001c6674797068656963000000006865696300000000', 'hex'),
  '/bomb.png': pngOf({ width: 20_000, height: 20_000 }),
  '/hidden.png': jpegFile([0xff, 0xd0], frame(60_000, 60_000), scan()),
}

describe('pictures, over HTTP', () => {
  let server: Server
  let http: Http
  let pictures: Pictures
  let origin = ''
  let now = 0
  const asked: string[] = []
  let running = 0
  let mostAtOnce = 0
  /** Requests wait until this is called. */
  let letGo: (() => void)[] = []
  let isHeld = false

  beforeEach(async () => {
    asked.length = 0
    ;[running, mostAtOnce, isHeld, letGo] = [0, 0, false, []]
    server = createServer((request, response) => {
      const path = request.url ?? ''
      asked.push(path)
      mostAtOnce = Math.max(mostAtOnce, ++running)
      const answer = () => {
        running--
        const size = Number(/size-(\d+)/.exec(path)?.[1] ?? 100)
        if (path.startsWith('/moved')) response.writeHead(302, { location: `${origin}/a.png` }).end()
        else if (path.startsWith('/gone')) response.writeHead(404, { 'content-type': 'image/png' }).end('no')
        else if (path.startsWith('/page')) response.writeHead(200, { 'content-type': 'text/html' }).end('<script>')
        else if (path.startsWith('/untyped')) response.writeHead(200).end('x')
        else if (path in files) response.writeHead(200, { 'content-type': 'image/png' }).end(files[path])
        else response.writeHead(200, { 'content-type': 'image/png; x=1' }).end(pngOf({ size }))
      }
      if (isHeld) letGo.push(answer)
      else answer()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
    http = createHttp({
      origins: new Set([origin]),
      clockOrigin: origin,
      clock: systemClock,
      serviceClock: createServiceClock(),
    })
    pictures = createPictures(http, { now: () => now })
  })
  afterEach(async () => {
    await http.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('gives a picture as data, and requests it once, however often it is asked for', async () => {
    const url = `${origin}/a.png`
    const all = await Promise.all([pictures.get(url), pictures.get(url), pictures.get(url)])
    expect(new Set(all)).toEqual(new Set([`data:image/png;base64,${pngOf().toString('base64')}`]))
    expect(await pictures.get(url)).toBe(all[0])
    expect(asked).toEqual(['/a.png'])
  })

  it('gives no picture that is too large, gone, moved, a page, without a type, or from another host', async () => {
    for (const path of ['/size-2000001.png', '/gone.png', '/moved.png', '/page.png', '/untyped.png']) {
      expect([path, await pictures.get(`${origin}${path}`)]).toEqual([path, null])
    }
    const before = asked.length
    for (const url of [
      origin.replace('http:', 'https:'),
      'https://example.invalid/a.png',
      `${origin}@example.invalid/a.png`,
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      '',
    ]) {
      expect([url, await pictures.get(url)]).toEqual([url, null])
    }
    expect(asked).toHaveLength(before)
    expect(await pictures.get(`${origin}/size-2000000.png`)).not.toBeNull()
  })

  it('judges a picture by its content before a page decodes it, whatever the service calls it', async () => {
    expect(await pictures.get(`${origin}/photo.png`)).toMatch(/^data:image\/jpeg;base64,/)
    expect(await pictures.get(`${origin}/still.png`)).toMatch(/^data:image\/webp;base64,/)
    for (const path of ['/drawing.png', '/animated.png', '/heic.png', '/bomb.png', '/hidden.png'])
      expect([path, await pictures.get(`${origin}${path}`)]).toEqual([path, null])
  })

  it('takes a drawing only from the practice store, whose pictures are our own', async () => {
    const download = () => Promise.resolve({ contentType: 'image/svg+xml', bytes: drawing })
    const url = `${origin}/a.svg`
    expect(await createPictures({ download }).get(url)).toBeNull()
    expect(await createPictures({ download }, systemClock, true).get(url)).toMatch(/^data:image\/svg\+xml;base64,/)
  })

  it("requests four at a time, to leave room for the counter's requests", async () => {
    isHeld = true
    const all = Array.from({ length: 20 }, (_, at) => pictures.get(`${origin}/${at}.png`))
    await expect.poll(() => letGo.length).toBe(4)
    const sideBySide = http.download(`${origin}/of-the-counter.png`, megabyte)
    await expect.poll(() => letGo.length).toBe(5)
    isHeld = false
    for (const go of letGo) go()
    expect((await Promise.all(all)).every((picture) => picture !== null)).toBe(true)
    expect(await sideBySide).toBeDefined()
    expect(mostAtOnce).toBeLessThanOrEqual(5)
  })

  it('requests a missing picture again only after a while', async () => {
    const url = `${origin}/gone.png`
    expect(await pictures.get(url)).toBeNull()
    now = 29_999
    expect(await pictures.get(url)).toBeNull()
    expect(asked).toHaveLength(1)
    now = 30_000
    expect(await pictures.get(url)).toBeNull()
    expect(asked).toHaveLength(2)
    // The clock is set back by a day.
    now = -86_400_000
    expect(await pictures.get(url)).toBeNull()
    expect(asked).toHaveLength(3)
  })

  it('keeps the latest pictures within a limit of bytes, and loads the rest again', async () => {
    const url = (at: number) => `${origin}/${at}-size-2000000.png`
    await pictures.get(url(0))
    for (let at = 1; at < 30; at++) {
      await pictures.get(url(at))
      await pictures.get(url(0))
    }
    expect(asked).toHaveLength(30)
    await pictures.get(url(29))
    expect(asked).toHaveLength(30)
    await pictures.get(url(1))
    expect(asked).toHaveLength(31)
  })
})
