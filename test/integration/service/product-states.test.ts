import { describe, expect } from 'vitest'
import { z } from 'zod'
import { toUuid } from '../../../src-shared/ids'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { at, flower, made, mp4, absentId, pdf, png, value } from './values'
import { fillers, products } from './world-catalogue'

const long = (id: string) => toUuid(id) ?? ''
const path = (id: string, rest = 'update/') => `/api/v1.5/products/${long(id)}/${rest}`
const Fields = z.record(z.string(), z.unknown())
const filler = at(fillers)

describe('publishing', () => {
  row('POST /api/v1.5/products/<uuid>/publish/', 'publishes a complete product', async ({ maker }) => {
    const photos = { photo_thumbnail: png, photo_primary: png, photo_banner: png }
    const complete = { ...flower, ...photos, usage: 'R', description: 'Fine.' } as const
    const { uuid } = await made(maker.v15.products.create(complete))
    await value(maker.v15.products.publish(uuid))
    expect((await value(maker.v15.products.get(uuid))).published_on).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(await maker.v15.products.publish(absentId)).toMatchObject({ error: { code: 'service/not-found' } })
  })

  row('State > publish', 'sets is_published', async ({ maker }) => {
    const { products: api } = maker.v15
    await value(api.change(products.gummies, { description: 'Sweet.' }))
    expect((await value(api.get(products.gummies))).is_published).toBe(false)
    await value(api.publish(products.gummies))
    expect((await value(api.get(products.gummies))).is_published).toBe(true)
  })

  row('State > publish needs', 'names each of the five that is missing, and nothing changes', async (world) => {
    const refused = await world.raw('POST', path(products.heavy, 'publish/'), { as: 'maker' })
    expect(refused).toMatchObject({
      status: 400,
      body: { description: someList, photo_thumbnail: someList, photo_banner: someList, photo_primary: someList },
    })
    const { uuid } = await made(world.maker.v15.products.create(flower))
    const five = await world.raw('POST', path(uuid, 'publish/'), { as: 'maker' })
    expect(Object.keys(Fields.parse(five.body))).toHaveLength(5)
    expect((await value(world.maker.v15.products.get(uuid))).is_published).toBe(false)
  })

  row('POST /api/v1.5/products/<uuid>/unpublish/', 'takes a product back', async ({ maker }) => {
    const photos = { photo_thumbnail: png, photo_primary: png, photo_banner: png, description: 'Fine.' }
    await value(maker.v15.products.change(filler, { ...photos, usage: 'R' }))
    await value(maker.v15.products.publish(filler))
    await value(maker.v15.products.unpublish(filler))
    expect((await value(maker.v15.products.get(filler))).published_on).toBeNull()
  })

  row('State > unpublish', 'unsets is_published', async ({ maker }) => {
    const photos = { photo_thumbnail: png, photo_primary: png, photo_banner: png, description: 'Fine.' }
    await value(maker.v15.products.change(filler, { ...photos, usage: 'M' }))
    await value(maker.v15.products.publish(filler))
    expect((await value(maker.v15.products.get(filler))).is_published).toBe(true)
    await value(maker.v15.products.unpublish(filler))
    expect((await value(maker.v15.products.get(filler))).is_published).toBe(false)
  })

  row('State > unpublish with TagIDs', 'is refused', async (world) => {
    const refused = await world.raw('POST', path(products.flower, 'unpublish/'), { as: 'maker' })
    expect(refused).toMatchObject({ status: 400, body: { detail: someText } })
    expect((await value(world.maker.v15.products.get(products.flower))).is_published).toBe(true)
  })
})

describe('media of products', () => {
  row('POST /api/v1.5/products/<product-uuid>/supplemental-photos/', 'adds an image', async ({ maker }) => {
    const { uuid } = await made(maker.v15.assets.createImage({ name: 'I', content: png }))
    await value(maker.v15.products.addSupplementalPhoto(filler, { uuid }))
    expect((await value(maker.v15.products.get(filler))).images?.supplemental).toMatchObject([{ name: 'I' }])
  })

  row('POST /api/v1.5/products/<product-uuid>/videos/', 'adds a video', async ({ maker }) => {
    const { uuid } = await made(maker.v15.assets.createVideo({ name: 'V', content: mp4 }))
    await value(maker.v15.products.addVideo(filler, { uuid }))
    expect((await value(maker.v15.products.get(filler))).videos).toMatchObject([{ name: 'V' }])
  })

  row('POST /api/v1.5/products/<product-uuid>/documents/', 'adds a document', async ({ maker }) => {
    const { uuid } = await made(maker.v15.assets.createFile({ name: 'F', content: pdf }))
    await value(maker.v15.products.addDocument(filler, { uuid }))
    expect((await value(maker.v15.products.get(filler))).documents).toMatchObject([{ name: 'F' }])
  })

  row('POST /api/v1.5/products/<product-uuid>/supplemental-photos/delete/', 'takes an image off', async ({ maker }) => {
    const { uuid } = await made(maker.v15.assets.createImage({ name: 'I', content: png }))
    await value(maker.v15.products.addSupplementalPhoto(filler, { uuid }))
    await value(maker.v15.products.removeSupplementalPhoto(filler, { uuid }))
    expect((await value(maker.v15.products.get(filler))).images?.supplemental ?? []).toEqual([])
    expect((await value(maker.v15.assets.get('images', uuid))).name).toBe('I')
  })

  row('POST /api/v1.5/products/<product-uuid>/videos/delete/', 'takes a video off', async ({ maker }) => {
    const { uuid } = await made(maker.v15.assets.createVideo({ name: 'V', content: mp4 }))
    await value(maker.v15.products.addVideo(filler, { uuid }))
    await value(maker.v15.products.removeVideo(filler, { uuid }))
    expect((await value(maker.v15.products.get(filler))).videos).toEqual([])
  })

  row('POST /api/v1.5/products/<product-uuid>/documents/delete/', 'takes a document off', async ({ maker }) => {
    const { uuid } = await made(maker.v15.assets.createFile({ name: 'F', content: pdf }))
    await value(maker.v15.products.addDocument(filler, { uuid }))
    await value(maker.v15.products.removeDocument(filler, { uuid }))
    expect((await value(maker.v15.products.get(filler))).documents).toEqual([])
  })
})
