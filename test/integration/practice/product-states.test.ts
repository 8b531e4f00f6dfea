import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import {
  type CatalogueCaller,
  catalogueCaller,
  files,
  hudsonProducts,
  leastProduct,
  longId,
  otherSourcing,
  sourcing,
  startCatalogue,
} from './catalogue'
import { someText } from './practice'

const Created = z.looseObject({ uuid: z.string() })
const Photo = z.looseObject({ url: z.string() })
const Pictured = z.looseObject({ images: z.looseObject({ primary: Photo.nullable() }) })

describe('states and files of a product', () => {
  let service: PracticeService
  let caller: CatalogueCaller
  beforeAll(async () => {
    service = await startCatalogue()
    caller = await catalogueCaller(service, sourcing)
  })
  afterAll(() => service.close())

  const made = async (path: string, body: unknown, as = caller) => {
    const answer = await as.post(path, body)
    expect(answer).toMatchObject({ status: 200 })
    return Created.parse(answer.body).uuid
  }
  const create = (fields: Record<string, unknown> = {}) => made('products/create/', { ...leastProduct, ...fields })
  const asset = (type: string, content: string, as = caller) =>
    made(`assets/${type}/create/`, { name: `An asset of ${type}`, content }, as)

  const needed = {
    description: '<p>Good</p>',
    usage: 'R',
    photo_thumbnail: files.png,
    photo_banner: files.jpeg,
    photo_primary: files.webp,
  }

  it('publishes a product with the five fields, and unpublishes one without TagIDs', async () => {
    const uuid = await create(needed)
    const published = await caller.post(`products/${uuid}/publish/`, undefined)
    expect(published).toMatchObject({
      status: 200,
      body: { is_published: true, published_on: new Date().toISOString().slice(0, 10) },
    })
    // Once more changes nothing.
    expect(await caller.send('POST', `products/${uuid}/publish/`)).toMatchObject({ status: 200, body: published.body })
    expect(await caller.send('POST', `products/${uuid}/unpublish/`)).toMatchObject({
      status: 200,
      body: { is_published: false, published_on: null },
    })
    expect((await caller.send('POST', `products/${uuid}/unpublish/`)).status).toBe(200)
  })

  it.each(Object.keys(needed))('does not publish without %s', async (field) => {
    const uuid = await create({ ...needed, [field]: undefined })
    expect(await caller.send('POST', `products/${uuid}/publish/`)).toMatchObject({
      status: 400,
      body: { [field]: [someText] },
    })
    expect((await caller.get(`products/${uuid}/`)).body).toMatchObject({ is_published: false })
  })

  it('names every missing field, and counts an empty description as missing', async () => {
    const uuid = await create({ description: ' \n' })
    const { status, body } = await caller.send('POST', `products/${uuid}/publish/`)
    expect(status).toBe(400)
    expect(Object.keys(z.looseObject({}).parse(body)).sort()).toEqual(Object.keys(needed).sort())
  })

  it('does not unpublish a product with TagIDs', async () => {
    const uuid = longId(hudsonProducts[0]?.uuid ?? '')
    expect(await caller.send('POST', `products/${uuid}/unpublish/`)).toMatchObject({
      status: 400,
      body: { detail: someText },
    })
    expect((await caller.get(`products/${uuid}/`)).body).toMatchObject({ is_published: true })
  })

  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
    ['svg', 'image/svg+xml'],
  ] as const)('serves a photo that is a %s as %s, unable to run anything', async (name, type) => {
    const uuid = await create({ photo_primary: files[name] })
    const { images } = Pictured.parse((await caller.get(`products/${uuid}/`)).body)
    expect(images.primary).toMatchObject({
      mime_type: type,
      size_bytes: Buffer.from(files[name], 'base64').length,
      updated_on: someText,
      uploaded_by: 'Hudson Fields Farms LLC',
    })
    const response = await fetch(images.primary?.url ?? '')
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe(type)
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(response.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'.*sandbox/)
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(files[name])
  })

  it.each([
    ['no Base64', 'not base64!'],
    ['Base64 with a line break', `${files.png.slice(0, 4)}\n${files.png.slice(4)}`],
    ['Base64 of the URL alphabet', '_-__'],
    ['Base64 that is cut off', files.png.slice(0, -1)],
    ['a data URL', `data:image/png;base64,${files.png}`],
    ['nothing', ''],
    ['a number', 5],
    ['a list', [files.png]],
    ['a PDF', files.pdf],
    ['a video', files.mp4],
    ['an HTML page', files.html],
    ['a text', files.text],
    ['more than five million bytes', `${files.png}${'AAAA'.repeat(1_700_000)}`],
  ])('refuses a photo that is %s', async (_, photo_banner) => {
    const before = await caller.get('products/')
    const answer = await caller.post('products/create/', { ...leastProduct, photo_banner })
    expect(answer).toMatchObject({ status: 400, body: { photo_banner: [someText] } })
    expect((await caller.get('products/')).body).toEqual(before.body)
  })

  it('replaces a photo and deletes the old one, and keeps photos on a PUT without any', async () => {
    const uuid = await create({ photo_primary: files.png })
    const urlNow = async () => Pictured.parse((await caller.get(`products/${uuid}/`)).body).images.primary?.url ?? ''
    const first = await urlNow()
    await caller.patch(`products/${uuid}/update/`, { photo_primary: files.gif })
    const second = await urlNow()
    expect((await fetch(first)).status).toBe(404)
    expect((await fetch(second)).status).toBe(200)
    await caller.put(`products/${uuid}/update/`, leastProduct)
    expect(await urlNow()).toBe(second)
  })

  it('takes photos and description from assets, which outlive the product that shows them', async () => {
    const image = await asset('images', files.png)
    const text = await made('assets/texts/create/', { name: 'x', content: '<b>Told</b>', usage: 'description' })
    const uuid = await create({
      description_asset_uuid: text,
      photo_thumbnail_asset_uuid: image,
      photo_banner_asset_uuid: image,
      photo_primary_asset_uuid: image,
      usage: 'R',
    })
    const { body } = await caller.send('POST', `products/${uuid}/publish/`)
    expect(body).toMatchObject({ description: '<b>Told</b>', is_published: true })
    const url = Pictured.parse(body).images.primary?.url ?? ''
    await caller.patch(`products/${uuid}/update/`, {
      photo_primary: files.gif,
      photo_banner: files.gif,
      photo_thumbnail: files.gif,
    })
    expect((await fetch(url)).status).toBe(200)
  })

  it('refuses unknown assets, those of another type, purpose or company, and a field given both ways', async () => {
    const image = await asset('images', files.png)
    const video = await asset('videos', files.mp4)
    const foreign = await asset('images', files.png, await catalogueCaller(service, otherSourcing))
    const other = await made('assets/texts/create/', { name: 'x', content: 'y', usage: 'about_ingredients' })
    const deleted = await made('assets/texts/create/', { name: 'x', content: 'y' })
    await caller.delete(`assets/text/${deleted}/delete/`)
    const refused: [Record<string, unknown>, string][] = [
      [{ photo_primary_asset_uuid: longId(hudsonProducts[0]?.uuid ?? '') }, 'photo_primary_asset_uuid'],
      [{ photo_primary_asset_uuid: 'nonsense' }, 'photo_primary_asset_uuid'],
      [{ photo_primary_asset_uuid: video }, 'photo_primary_asset_uuid'],
      [{ photo_banner_asset_uuid: foreign }, 'photo_banner_asset_uuid'],
      [{ photo_thumbnail_asset_uuid: image, photo_thumbnail: files.png }, 'photo_thumbnail'],
      [{ description_asset_uuid: other }, 'description_asset_uuid'],
      [{ description_asset_uuid: deleted }, 'description_asset_uuid'],
      [{ description_asset_uuid: image }, 'description_asset_uuid'],
    ]
    for (const [fields, field] of refused) {
      const answer = await caller.post('products/create/', { ...leastProduct, ...fields })
      expect(answer).toMatchObject({ status: 400, body: { [field]: [someText] } })
    }
  })

  const kinds = [
    ['supplemental-photos', 'images', files.png, 'image/png'],
    ['videos', 'videos', files.mp4, 'video/mp4'],
    ['documents', 'files', files.pdf, 'application/pdf'],
  ] as const
  const attachedOf = (body: unknown, path: (typeof kinds)[number][0]) => {
    const list = z.array(z.unknown())
    const { images, videos, documents } = z
      .object({ images: z.looseObject({ supplemental: list.nullable() }), videos: list, documents: list })
      .parse(body)
    return { 'supplemental-photos': images.supplemental ?? [], videos, documents }[path]
  }

  it.each(kinds)('attaches assets to %s once each, and detaches them', async (path, type, content, mime_type) => {
    const product = await create()
    const [first, second] = [await asset(type, content), await asset(type, content)]
    for (const uuid of [first, second, first]) {
      expect((await caller.post(`products/${product}/${path}/`, { uuid })).status).toBe(200)
    }
    const media = { name: `An asset of ${type}`, mime_type, url: someText, uploaded_by: someText }
    const held = attachedOf((await caller.get(`products/${product}/`)).body, path)
    expect(held).toMatchObject([media, media])
    expect(held).toHaveLength(2)
    expect((await caller.post(`products/${product}/${path}/delete/`, { uuid: first })).status).toBe(200)
    expect(attachedOf((await caller.get(`products/${product}/`)).body, path)).toHaveLength(1)
    expect(await caller.post(`products/${product}/${path}/delete/`, { uuid: first })).toMatchObject({
      status: 400,
      body: { uuid: [someText] },
    })
    // What was taken off is still an asset.
    expect((await caller.get(`assets/${type}/${first}/`)).status).toBe(200)
  })

  it.each(kinds)('refuses on %s an asset of another type or company', async (path, type, content) => {
    const product = await create()
    const wrongType = type === 'images' ? await asset('videos', files.mp4) : await asset('images', files.png)
    const foreign = await asset(type, content, await catalogueCaller(service, otherSourcing))
    const bodies = [
      {},
      { uuid: null },
      { uuid: 5 },
      { uuid: 'nonsense' },
      { uuid: product },
      { uuid: wrongType },
      { uuid: foreign },
    ]
    for (const address of [`products/${product}/${path}/`, `products/${product}/${path}/delete/`]) {
      for (const body of bodies) {
        expect(await caller.post(address, body)).toMatchObject({ status: 400, body: { uuid: [someText] } })
      }
    }
  })
})
