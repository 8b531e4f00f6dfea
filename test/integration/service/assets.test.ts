import { describe, expect } from 'vitest'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { all, at, error, made, mp4, absentId, pdf, png, value } from './values'
import type { World } from './world'

const post = (world: World, type: string, body: object) =>
  world.raw('POST', `/api/v1.5/assets/${type}/create/`, { as: 'maker', body })

describe('assets', () => {
  row('GET /api/v1.5/assets/<asset_type>/', 'lists the company’s assets of one type', async ({ maker, rival }) => {
    expect((await all(maker.v15.assets.list('texts'))).map(({ name }) => name)).toEqual(['A text'])
    expect(await all(maker.v15.assets.list('images'))).toEqual([])
    expect(await all(rival.v15.assets.list('texts'))).toEqual([])
  })

  row('GET /api/v1.5/assets/<asset_type>/<asset_uuid>/', 'gives an asset, and 404 for none', async ({ maker }) => {
    const text = at(await all(maker.v15.assets.list('texts')))
    expect(await value(maker.v15.assets.get('texts', text.uuid))).toEqual(text)
    expect(await error(maker.v15.assets.get('images', text.uuid))).toMatchObject({ code: 'service/not-found' })
    expect(await error(maker.v15.assets.get('texts', absentId))).toMatchObject({ code: 'service/not-found' })
  })

  row('POST /api/v1.5/assets/<asset_type>/create/', 'creates an asset and shows it', async ({ maker }) => {
    const image = await made(maker.v15.assets.createImage({ name: 'I', content: png }))
    expect(await value(maker.v15.assets.get('images', image.uuid))).toEqual(image)
  })

  row('DELETE /api/v1.5/assets/text/<asset_uuid>/delete/', 'answers 204, and it is gone', async (world) => {
    const text = at(await all(world.maker.v15.assets.list('texts')))
    await value(world.maker.v15.assets.deleteText(text.uuid))
    expect(await error(world.maker.v15.assets.get('texts', text.uuid))).toMatchObject({ code: 'service/not-found' })
    expect(await error(world.maker.v15.assets.deleteText(text.uuid))).toMatchObject({ code: 'service/not-found' })
  })

  row('Asset > types', 'are texts, images, videos and files, and no other', async (world) => {
    for (const type of ['texts', 'images', 'videos', 'files']) {
      expect((await world.raw('GET', `/api/v1.5/assets/${type}/`, { as: 'maker' })).status, type).toBe(200)
    }
    expect((await world.raw('GET', '/api/v1.5/assets/sounds/', { as: 'maker' })).status).toBe(404)
  })

  row('Asset > fields', 'content is a URL that serves the file, or the text', async ({ maker }) => {
    const { assets } = maker.v15
    const text = await made(assets.createText({ name: 'T', content: '<b>x</b>', usage: 'usage_recommendation' }))
    expect(text).toMatchObject({ name: 'T', content: '<b>x</b>', usage: 'usage_recommendation' })
    const film = await made(assets.createVideo({ name: 'V', content: mp4, description: 'A film' }))
    expect(film).toMatchObject({ name: 'V', content: someText, description: 'A film' })
    const file = await made(assets.createFile({ name: 'F', content: pdf }))
    const served = await fetch(file.content)
    expect(served.headers.get('content-type')).toBe('application/pdf')
    expect(Buffer.from(await served.arrayBuffer()).toString('base64')).toBe(pdf)
  })

  row('Asset > usage', 'of a text is one of four', async (world) => {
    for (const usage of ['description', 'usage_recommendation', 'testing_methodology', 'about_ingredients']) {
      expect((await post(world, 'texts', { name: 'T', content: 'x', usage })).status, usage).toBe(200)
    }
    expect((await post(world, 'texts', { name: 'T', content: 'x', usage: 'label' })).status).toBe(400)
  })

  row('Asset request > required', 'are name and content', async (world) => {
    for (const type of ['texts', 'images', 'videos', 'files']) {
      expect(await post(world, type, {}), type).toMatchObject({
        status: 400,
        body: { name: someList, content: someList },
      })
    }
  })

  row('Asset request > content', 'is Base64 of the right kind of file, except for texts', async (world) => {
    for (const type of ['images', 'videos', 'files']) {
      expect((await post(world, type, { name: 'X', content: 'no base64!' })).status, type).toBe(400)
    }
    expect((await post(world, 'images', { name: 'X', content: pdf })).status).toBe(400)
    expect((await post(world, 'videos', { name: 'X', content: png })).status).toBe(400)
    expect((await post(world, 'texts', { name: 'X', content: 'no base64!' })).status).toBe(200)
  })
})
