import { describe, expect } from 'vitest'
import { toUuid } from '../../../src-shared/ids'
import { someText, textLike } from '../practice/practice'
import { row } from './row'
import { at, flower, made, pdf, png, value } from './values'
import { brands, moment, products } from './world-catalogue'
import { cases } from './world-data'

const long = (id: string) => toUuid(id) ?? ''
const media = {
  name: someText,
  url: textLike(/^http:\/\/127\.0\.0\.1:\d+\/media\//),
  mime_type: 'image/svg+xml',
  size_bytes: 106,
  updated_on: someText,
}

describe('brands', () => {
  row('GET /api/v1.5/brands/', 'lists the brands of the user’s company', async ({ maker }) => {
    const list = await value(maker.v15.brands.list())
    expect(list.map(({ name }) => name)).toEqual(['Hudson Fields', 'Desert Fields', 'Show-Me Fields'])
  })

  row('GET /api/v1.5/brands/<uuid>/', 'gives one brand, and 404 for none', async (world) => {
    expect((await value(world.maker.v15.brands.get(brands.nj))).name).toBe('Hudson Fields')
    expect(await world.maker.v15.brands.get(products.flower)).toMatchObject({ error: { code: 'service/not-found' } })
  })

  row('Brand > list item', 'has uuid, name and state, and nothing else', async (world) => {
    const { body } = await world.raw('GET', '/api/v1.5/brands/', { as: 'rival' })
    expect(body).toEqual([{ uuid: long(brands.rival), name: 'Rival Farms', state: 'NJ' }])
  })

  row('Brand > detail', 'has its twelve fields, the address with its line break', async (world) => {
    const { body } = await world.raw('GET', `/api/v1.5/brands/${long(brands.nj)}/`, { as: 'maker' })
    expect(body).toEqual({
      uuid: long(brands.nj),
      name: 'Hudson Fields',
      company: 'maker LLC',
      slug: 'hudson-fields',
      description: 'Hudson Fields, grown with care.',
      website: 'https://brand.example',
      updated_on: moment,
      state: 'NJ',
      country: 'US',
      images: { thumbnail: media, primary: media, banner: media },
      brand_video: null,
      address: '1 River Road\nHoboken, NJ 07030',
    })
  })

  row('Brand > in v1.2 CaseID', 'has two fields more', async ({ shop }) => {
    const brand = at((await value(shop.v12.cases.get(cases.plain))).brands)
    expect(brand).toMatchObject({ uuid: brands.nj, enable_product_data_for_retail_inventory_ai: false })
    expect(brand.reward_program_uuid).toHaveLength(22)
  })
})

describe('media', () => {
  row(
    'Media object > fields',
    'say name, address, type, size and date, and the address serves it',
    async ({ maker }) => {
      const picture = (await value(maker.v15.brands.get(brands.nj))).images?.primary
      expect(picture).toMatchObject(media)
      const served = await fetch(picture?.url ?? '')
      expect(served.headers.get('content-type')).toBe('image/svg+xml')
      expect((await served.arrayBuffer()).byteLength).toBe(picture?.size_bytes)
    },
  )

  row('Media object > uploaded_by', 'is on documents, videos and images of products', async ({ maker, shop }) => {
    const product = await made(maker.v15.products.create({ ...flower, photo_primary: png }))
    const file = await made(maker.v15.assets.createFile({ name: 'Sheet', content: pdf }))
    await value(maker.v15.products.addDocument(product.uuid, { uuid: file.uuid }))
    const detail = await value(maker.v15.products.get(product.uuid))
    expect(at(detail.documents).uploaded_by).toBe('maker LLC')
    expect(detail.images?.primary?.uploaded_by).toBe('maker LLC')
    const inCase = at((await value(shop.v12.cases.get(cases.plain))).products)
    expect(inCase.images?.primary?.uploaded_by).toBe('maker LLC')
  })

  row(
    'Brand video > fields',
    'are a media object’s and three more; a brand without one has null',
    async ({ maker }) => {
      expect((await value(maker.v15.brands.get(brands.az))).brand_video).toMatchObject({
        url: someText,
        mime_type: 'video/mp4',
        description: 'The farm',
        length_in_minutes: 2,
        video_source_link: '',
      })
      expect((await value(maker.v15.brands.get(brands.nj))).brand_video).toBeNull()
    },
  )

  row('Image set > keys', 'are thumbnail, primary and banner', async ({ maker }) => {
    const { images } = await value(maker.v15.brands.get(brands.nj))
    expect(Object.keys(images ?? {}).sort()).toEqual(['banner', 'primary', 'thumbnail'])
  })

  row('Image set > supplemental', 'is null or an array on products', async ({ maker }) => {
    const supplemental = async () => (await value(maker.v15.products.get(products.flower))).images?.supplemental
    expect(await supplemental()).toBeNull()
    const image = await made(maker.v15.assets.createImage({ name: 'Side', content: png }))
    await value(maker.v15.products.addSupplementalPhoto(products.flower, { uuid: image.uuid }))
    expect(await supplemental()).toMatchObject([{ name: 'Side', mime_type: 'image/png' }])
  })
})
