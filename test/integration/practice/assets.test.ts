import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { TextUsage } from '../../../src-shared/service/allowed-values'
import { Asset, AssetPage } from '../../../src-shared/service/assets'
import {
  type CatalogueCaller,
  catalogueCaller,
  catalogueData,
  files,
  otherSourcing,
  sourcing,
  startCatalogue,
} from './catalogue'
import { someText } from './practice'

const Created = z.looseObject({ uuid: z.string(), content: z.string() })
const company = catalogueData.accounts.find(({ client_id }) => client_id === sourcing)?.company_uuid ?? ''

describe('assets', () => {
  let service: PracticeService
  let caller: CatalogueCaller
  beforeAll(async () => {
    service = await startCatalogue({
      data: {
        ...catalogueData,
        assets: [
          {
            uuid: '2222222222222222222AST',
            name: 'Dune',
            company_uuid: company,
            asset_type: 'images',
            content: 'blue-dune.svg',
            description: '',
            usage: '',
          },
        ],
      },
    })
    caller = await catalogueCaller(service, sourcing)
  })
  afterAll(() => service.close())

  const create = async (type: string, fields: Record<string, unknown>) => {
    const answer = await caller.post(`assets/${type}/create/`, { name: 'Name', ...fields })
    expect(answer).toMatchObject({ status: 200 })
    return Created.parse(answer.body)
  }

  it.each([...TextUsage.options, undefined])('of texts are stored unchanged, for %s', async (usage) => {
    const content = '  <p onclick="x()">Text</p>\n'
    const created = await create('texts', { content, usage, name: '  Name ' })
    expect(created).toEqual({ uuid: someText, name: 'Name', content, description: null, usage: usage ?? '' })
    expect(await caller.get(`assets/texts/${created.uuid}/`)).toMatchObject({ status: 200, body: created })
  })

  it.each([
    ['images', 'png', 'image/png', 'inline'],
    ['images', 'svg', 'image/svg+xml', 'inline'],
    ['videos', 'mp4', 'video/mp4', 'inline'],
    ['videos', 'webm', 'video/webm', 'inline'],
    ['files', 'pdf', 'application/pdf', 'attachment'],
    ['files', 'png', 'image/png', 'inline'],
    // What a browser would run is never called what it is.
    ['files', 'html', 'application/octet-stream', 'attachment'],
    ['files', 'text', 'application/octet-stream', 'attachment'],
  ] as const)('of %s that are a %s are served as %s, %s', async (type, name, mimeType, disposition) => {
    const created = await create(type, { content: files[name], description: 'About it' })
    expect(created).toMatchObject({ description: type === 'videos' ? 'About it' : null, usage: null })
    expect(created.content.startsWith(`${service.baseUrl}/media/`)).toBe(true)
    const response = await fetch(created.content)
    expect(response.headers.get('Content-Type')).toBe(mimeType)
    expect(response.headers.get('Content-Disposition')).toBe(disposition)
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(files[name])
    expect((await fetch(created.content, { method: 'POST' })).status).toBe(405)
    expect((await caller.get(`assets/${type}/${created.uuid}/`)).body).toEqual(created)
  })

  it.each([
    ['texts', 'no name', { name: undefined, content: 'x' }, 'name'],
    ['texts', 'a blank name', { name: ' ', content: 'x' }, 'name'],
    ['texts', 'no content', {}, 'content'],
    ['texts', 'null', { content: null }, 'content'],
    ['texts', 'an empty text', { content: '' }, 'content'],
    ['texts', 'a number', { content: 1 }, 'content'],
    ['texts', 'a text with a NUL', { content: 'a\0' }, 'content'],
    ['texts', 'a text of 100,001 characters', { content: 'x'.repeat(100_001) }, 'content'],
    ['texts', 'an unknown usage', { content: 'x', usage: 'title' }, 'usage'],
    ['texts', 'an empty usage', { content: 'x', usage: '' }, 'usage'],
    ['texts', 'a null usage', { content: 'x', usage: null }, 'usage'],
    ['images', 'no content', {}, 'content'],
    ['images', 'no name', { name: undefined, content: files.png }, 'name'],
    ['images', 'no Base64', { content: '<svg/>' }, 'content'],
    ['images', 'a video', { content: files.mp4 }, 'content'],
    ['images', 'a PDF', { content: files.pdf }, 'content'],
    ['images', 'a page', { content: files.html }, 'content'],
    ['images', 'six million bytes', { content: `${files.png}${'AAAA'.repeat(2_000_000)}` }, 'content'],
    ['videos', 'an image', { content: files.png }, 'content'],
    ['videos', 'an empty file', { content: '' }, 'content'],
    ['videos', 'a description that is a list', { content: files.mp4, description: [] }, 'description'],
    ['files', 'no Base64', { content: 'äöü=' }, 'content'],
    ['files', 'eleven million bytes', { content: 'AAAA'.repeat(3_700_000) }, 'content'],
  ])('of %s are refused with %s', async (type, _, fields, field) => {
    const before = await caller.get(`assets/${type}/`)
    const answer = await caller.post(`assets/${type}/create/`, { name: 'Name', ...fields })
    expect(answer).toMatchObject({ status: 400, body: { [field]: [someText] } })
    expect((await caller.get(`assets/${type}/`)).body).toEqual(before.body)
  })

  it('of more than thirty megabytes in Base64 are refused unread', async () => {
    const answer = await caller.post('assets/videos/create/', { name: 'x', content: 'AAAA'.repeat(7_600_000) })
    expect(answer).toMatchObject({ status: 413, body: { detail: someText } })
  })

  it('from the data file are included, with the address of their file', async () => {
    expect(AssetPage.parse((await caller.get('assets/images/')).body).results).toContainEqual(
      expect.objectContaining({ name: 'Dune', content: `${service.baseUrl}/media/blue-dune.svg` }),
    )
  })

  it('of texts can be deleted', async () => {
    const { uuid } = await create('texts', { content: 'x' })
    expect(await caller.delete(`assets/text/${uuid}/delete/`)).toMatchObject({ status: 204, body: undefined })
    expect((await caller.get(`assets/texts/${uuid}/`)).status).toBe(404)
    expect((await caller.delete(`assets/text/${uuid}/delete/`)).status).toBe(404)
    const list = AssetPage.parse((await caller.get('assets/texts/')).body)
    expect(list.results.map((asset) => asset.uuid)).not.toContain(Asset.shape.uuid.parse(uuid))
  })

  it('of other types are not deleted, whichever type the path names', async () => {
    const { uuid } = await create('images', { content: files.png })
    expect((await caller.delete(`assets/text/${uuid}/delete/`)).status).toBe(404)
    for (const type of ['images', 'image', 'texts']) {
      expect((await caller.delete(`assets/${type}/${uuid}/delete/`)).status).toBe(404)
    }
  })

  it('are 404 under an unknown type or another type', async () => {
    const { uuid } = await create('texts', { content: 'x' })
    for (const path of [
      'assets/text/',
      'assets/TEXTS/',
      'assets/sounds/',
      `assets/images/${uuid}/`,
      'assets/texts/x/',
      'assets/',
    ]) {
      expect((await caller.get(path)).status).toBe(404)
    }
    expect((await caller.post('assets/text/create/', { name: 'x', content: 'y' })).status).toBe(404)
  })

  it('belong to their company', async () => {
    const { uuid } = await create('texts', { content: 'x' })
    const other = await catalogueCaller(service, otherSourcing)
    expect((await other.get(`assets/texts/${uuid}/`)).status).toBe(404)
    expect((await other.delete(`assets/text/${uuid}/delete/`)).status).toBe(404)
    expect(await other.get('assets/texts/')).toMatchObject({
      body: { count: 0, next: null, previous: null, results: [] },
    })
  })

  it('are listed in linked pages, without a gap', async () => {
    const names = Array.from({ length: 120 }, (_, number) => `Page ${number}`)
    const other = await catalogueCaller(service, otherSourcing)
    for (const name of names) await other.post('assets/files/create/', { name, content: files.text })
    const pages: z.infer<typeof AssetPage>[] = []
    for (let next: string | null | undefined = `${service.baseUrl}/api/v1.5/assets/files/`; next;) {
      expect(next.startsWith(`${service.baseUrl}/api/v1.5/assets/files/`)).toBe(true)
      const page = AssetPage.parse((await other.get(next.replace(`${service.baseUrl}/api/v1.5/`, ''))).body)
      pages.push(page)
      next = page.next
    }
    expect(pages.map(({ count, results }) => [count, results.length])).toEqual([
      [120, 50],
      [120, 50],
      [120, 20],
    ])
    expect(pages.flatMap(({ results }) => results.map(({ name }) => name))).toEqual(names)
    expect(pages.map(({ previous }) => previous?.replace(/.*\?/, '') ?? null)).toEqual([null, 'page=1', 'page=2'])
    for (const page of ['4', '0', '-1', '1.5', 'x', '', '01', '1e1', '9'.repeat(30), '1&page=2', '%00', 'last']) {
      expect(await other.get(`assets/files/?page=${page}`)).toMatchObject({
        status: 404,
        body: { detail: 'Invalid page.' },
      })
    }
  })
})
