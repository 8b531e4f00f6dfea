import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toShortUuid } from '../../../src-shared/ids'
import {
  catalogueCaller,
  catalogueData,
  files,
  foreignProduct,
  leastProduct,
  sourcing,
  startCatalogue,
} from './catalogue'
import { callerOf, sale, shop, start } from './practice'
import { data, onSale, only, tag } from './sample'

describe('the catalogue in a database file', () => {
  let folder: string
  let db: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'practice-'))
    db = join(folder, 'practice.db')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** What an earlier version of the service left: its mark, its version, and tables that are not ours. */
  function age(version: number): void {
    const old = new Database(db)
    old.pragma(`user_version = ${version}`)
    old.exec('ALTER TABLE products DROP COLUMN body; DROP TABLE media; CREATE TABLE forgotten (x)')
    old.close()
  }

  it('is emptied and filled again if it is of an earlier version', async () => {
    const first = await start({ db })
    const caller = await callerOf(first, shop)
    expect((await caller.post('transactions/complete/', sale('1', [tag(onSale, 0)]))).status).toBe(200)
    await first.close()
    age(1)

    await expect(start({ db, data: undefined })).rejects.toThrow(/outdated and no data file/)
    const second = await start({ db })
    try {
      expect(second.admin.transactions()).toEqual([])
      expect((await (await catalogueCaller(second, sourcing)).get('products/')).status).toBe(200)
    } finally {
      await second.close()
    }
    const after = new Database(db, { readonly: true })
    expect(after.prepare("SELECT name FROM sqlite_schema WHERE name = 'forgotten'").all()).toEqual([])
    expect(after.pragma('foreign_key_check')).toEqual([])
    after.close()
  })

  it('is left unchanged if it is of a later version', async () => {
    await (await start({ db })).close()
    age(99)
    await expect(start({ db })).rejects.toThrow(/later version/)
    const after = new Database(db, { readonly: true })
    expect(after.prepare("SELECT name FROM sqlite_schema WHERE name = 'forgotten'").all()).toHaveLength(1)
    after.close()
  })

  it('keeps products and uploads over a restart', async () => {
    const Created = z.looseObject({
      uuid: z.string(),
      images: z.looseObject({ primary: z.object({ url: z.string() }) }),
    })
    const first = await startCatalogue({ db })
    const product = { ...leastProduct, photo_primary: files.png }
    const created = Created.parse(
      (await (await catalogueCaller(first, sourcing)).post('products/create/', product)).body,
    )
    await first.close()
    const second = await startCatalogue({ db })
    try {
      const read = await (await catalogueCaller(second, sourcing)).get(`products/${created.uuid}/`)
      const { images } = Created.parse(read.body)
      expect(images.primary.url.startsWith(second.baseUrl)).toBe(true)
      const bytes = Buffer.from(await (await fetch(images.primary.url)).arrayBuffer())
      expect(bytes.toString('base64')).toBe(files.png)
    } finally {
      await second.close()
    }
  })

  it('lists more products and batches than fit on a page', async () => {
    const ofHudson = only(
      data.products.find(({ brand_uuid }) => brand_uuid !== foreignProduct.brand_uuid),
      'product',
    )
    const batch = only(
      data.batches.find(({ brand_uuid }) => brand_uuid === ofHudson.brand_uuid),
      'batch',
    )
    const id = (kind: string, number: number) =>
      only(toShortUuid(`${kind}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`), 'id')
    const many = Array.from({ length: 101 }, (_, number) => number)
    const service = await startCatalogue({
      data: {
        ...catalogueData,
        products: [...data.products, ...many.map((number) => ({ ...ofHudson, uuid: id('a', number) }))],
        batches: [
          ...data.batches,
          ...many.map((number) => ({ ...batch, uuid: id('b', number), packaged_products: [] })),
        ],
      },
    })
    try {
      const caller = await catalogueCaller(service, sourcing)
      for (const list of ['products', 'batches']) {
        const address = `${service.baseUrl}/api/v1.5/${list}/`
        expect(await caller.get(`${list}/`)).toMatchObject({
          body: { count: 106, next: `${address}?page=2`, previous: null, results: { length: 50 } },
        })
        expect(await caller.get(`${list}/?page=3`)).toMatchObject({
          body: { count: 106, next: null, previous: `${address}?page=2`, results: { length: 6 } },
        })
        expect(await caller.get(`${list}/?page=4`)).toMatchObject({ status: 404 })
        expect(await caller.get(`${list}/?page=rubbish`)).toMatchObject({ status: 404 })
      }
    } finally {
      await service.close()
    }
  })
})
