import { describe, expect } from 'vitest'
import { z } from 'zod'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { all, at, error, made, absentId, shortId, value } from './values'
import { batches, brands, laboratory, moment, packaged } from './world-catalogue'
import { cases } from './world-data'

const batchFields = ['brand_uuid', 'digital_coa_uuids', 'name', 'produced_on', 'regulatory_id', 'updated_on', 'uuid']

describe('batches', () => {
  row('GET /api/v1.5/batches/', 'lists the batches of the company', async ({ maker, rival }) => {
    expect((await all(maker.v15.batches.list())).map(({ name }) => name)).toEqual(['BD-1', 'GU-1'])
    expect(await all(rival.v15.batches.list())).toHaveLength(1)
  })

  row('GET /api/v1.5/batches/<uuid>/', 'gives one batch, and 404 for none', async ({ maker }) => {
    expect((await value(maker.v15.batches.get(batches.flower))).name).toBe('BD-1')
    expect(await error(maker.v15.batches.get(absentId))).toMatchObject({ code: 'service/not-found' })
  })

  row('POST /api/v1.5/batches/create/', 'creates a batch and shows it', async ({ maker }) => {
    const batch = await made(maker.v15.batches.create({ name: 'New', produced_on: '2026-10-01T08:00:00+02:00' }))
    expect(batch).toMatchObject({ name: 'New', regulatory_id: '', brand_uuid: brands.nj, digital_coa_uuids: [] })
    expect(Date.parse(batch.produced_on ?? '')).toBe(Date.parse('2026-10-01T06:00:00Z'))
    expect((await value(maker.v15.batches.get(batch.uuid))).name).toBe('New')
  })

  row('PUT /api/v1.5/batches/<uuid>/update/', 'updates a batch and shows it', async ({ maker }) => {
    const batch = await made(maker.v15.batches.update(batches.flower, { name: 'Renamed' }))
    expect(batch).toMatchObject({ uuid: batches.flower, name: 'Renamed' })
    expect((await value(maker.v15.batches.get(batches.flower))).name).toBe('Renamed')
  })

  row('Batch > fields', 'are the seven, in the list and after creation', async (world) => {
    const { body } = await world.raw('GET', '/api/v1.5/batches/', { as: 'maker' })
    const results = z.object({ results: z.array(z.record(z.string(), z.unknown())) }).parse(body).results
    expect(Object.keys(at(results)).sort()).toEqual(batchFields)
    const created = await world.raw('POST', '/api/v1.5/batches/create/', { as: 'maker', body: { name: 'N' } })
    expect(Object.keys(z.record(z.string(), z.unknown()).parse(created.body)).sort()).toEqual(batchFields)
  })

  row('Batch > regulatory_id', 'may hold several identifiers, or none', async ({ maker }) => {
    expect((await value(maker.v15.batches.get(batches.flower))).regulatory_id).toBe('BATCH-1, BATCH-2')
    expect((await value(maker.v15.batches.get(batches.gummies))).regulatory_id).toBe('')
    expect((await made(maker.v15.batches.create({ name: 'N', regulatory_id: 'A,B' }))).regulatory_id).toBe('A,B')
  })

  row('Batch > detail', 'has laboratories and packaged products', async ({ maker }) => {
    expect(await value(maker.v15.batches.get(batches.flower))).toMatchObject({
      testing_laboratories: [{ uuid: laboratory }],
      packaged_products: [{ uuid: packaged.flower }],
    })
  })

  row('Batch > in v1.2 CaseID', 'says harvest, extraction and solvents', async ({ shop }) => {
    expect(at((await value(shop.v12.cases.get(cases.plain))).batches)).toMatchObject({
      uuid: batches.flower,
      harvested_on: '2026-08-20',
      extraction_method: 'none',
      solvents: 'none',
    })
  })

  row('Batch request > create', 'needs a name and takes the rest', async (world) => {
    expect(await world.raw('POST', '/api/v1.5/batches/create/', { as: 'maker', body: {} })).toMatchObject({
      status: 400,
      body: { name: someList },
    })
    const body = { name: 'N', regulatory_id: 'R', produced_on: moment, brand_uuid: shortId(brands.az) }
    expect(await made(world.maker.v15.batches.create(body))).toMatchObject(body)
  })

  row('Batch request > brand_uuid', 'is the account’s brand when it is left out', async ({ maker, rival }) => {
    expect((await made(maker.v15.batches.create({ name: 'N' }))).brand_uuid).toBe(brands.nj)
    expect((await made(rival.v15.batches.create({ name: 'N' }))).brand_uuid).toBe(brands.rival)
  })

  row('Batch request > update', 'leaves alone what is left out', async ({ maker }) => {
    const before = await value(maker.v15.batches.get(batches.flower))
    await made(maker.v15.batches.update(batches.flower, { regulatory_id: 'R-9' }))
    const after = await value(maker.v15.batches.get(batches.flower))
    expect(after).toEqual({ ...before, regulatory_id: 'R-9', updated_on: someText })
  })
})
