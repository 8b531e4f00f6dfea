import { describe, expect } from 'vitest'
import { z } from 'zod'
import { toUuid } from '../../../src-shared/ids'
import { row } from './row'
import { error, absentId, value } from './values'
import { batches, coas, laboratory, moment } from './world-catalogue'

const long = (id: string) => toUuid(id) ?? ''

describe('laboratories and COAs', () => {
  row('GET /api/v1.5/digital_coas/<uuid>/', 'gives a COA, and 404 for none', async ({ maker }) => {
    expect((await value(maker.v15.digitalCoas.get(coas.batch))).uuid).toBe(coas.batch)
    expect(await error(maker.v15.digitalCoas.get(absentId))).toMatchObject({ code: 'service/not-found' })
  })

  row('Testing laboratory > fields', 'are eight texts', async ({ maker }) => {
    const coa = await value(maker.v15.digitalCoas.get(coas.batch))
    expect(coa.testing_laboratory).toEqual({
      uuid: laboratory,
      name: 'Garden State Labs',
      logo_url: 'https://lab.example/logo.png',
      street_address_1: '12 Assay Street',
      street_address_2: 'Floor 2',
      city: 'Newark',
      state: 'NJ',
      postal_code: '07102',
    })
  })

  row('Digital COA > fields', 'name batch, samples, dates and certificates', async ({ maker }) => {
    expect(await value(maker.v15.digitalCoas.get(coas.batch))).toMatchObject({
      batch_uuid: batches.flower,
      sample_regulator_id: 'SAMPLE-1',
      batch_regulatory_id: 'BATCH-1',
      sample_received_on: moment,
      report_created_on: moment,
      report_expires_on: '2027-09-01T12:00:00Z',
      certificate_url: 'https://lab.example/coa.pdf',
      certificate_source_url: 'https://lab.example/source.pdf',
      sample_tested_on: '2026-08-30',
      certificate_received_on: '2026-08-31',
      entered_on: moment,
    })
  })

  row('Digital COA > totals', 'are six, their value a text or null', async ({ maker }) => {
    const { totals } = await value(maker.v15.digitalCoas.get(coas.batch))
    expect(Object.keys(totals ?? {})).toHaveLength(6)
    expect(totals?.total_thc).toEqual({ name: 'THC', value: '24.1', unit: 'percentage' })
    expect(totals?.total_terpenes?.value).toBeNull()
  })

  row(
    'Digital COA > tests_performed',
    'has thirteen keys; a failing one is neither pass nor not_tested',
    async (world) => {
      const { tests_performed: passed } = await value(world.maker.v15.digitalCoas.get(coas.batch))
      expect(Object.keys(passed ?? {})).toHaveLength(13)
      expect(new Set(Object.values(passed ?? {}))).toEqual(new Set(['pass', 'not_tested']))
      const { tests_performed: failed } = await value(world.maker.v15.digitalCoas.get(coas.package))
      expect(['pass', 'not_tested']).not.toContain(failed?.['pesticides_tests'])
    },
  )

  row('Digital COA > findings', 'are thirteen objects by compound, some empty', async (world) => {
    const { body } = await world.raw('GET', `/api/v1.5/digital_coas/${long(coas.batch)}/`, { as: 'maker' })
    const fields = z.record(z.string(), z.unknown()).parse(body)
    const findings = Object.entries(fields).filter(([name]) => /^tests_(?!performed)/.test(name))
    expect(findings).toHaveLength(13)
    expect(fields).toMatchObject({
      tests_cannabinoids: { thc: { name: 'THC', value: '24.1', unit: 'percentage' } },
      tests_density: {},
    })
  })
})
