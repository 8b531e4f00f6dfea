import { describe, expect, it } from 'vitest'
import { ImportFormState, placeError } from '../../../src-renderer/receiving/import-form.svelte'
import { PosIds } from '../../../src-renderer/receiving/pos-ids.svelte'

describe('the package of an import', () => {
  it('is written as a scan writes it once the field is left, and shows the ids of that package', () => {
    const asked: string[] = []
    const ids = new PosIds()
    const form = new ImportFormState(
      () => '',
      (packageUid) => {
        asked.push(packageUid)
        return ids
      },
    )
    form.packageUid = ' 1a40e0300000b2f000000901'
    expect(form.values.packageUid).toBe('1A40E0300000B2F000000901')
    form.usePackage()
    expect([form.packageUid, asked.at(-1)]).toEqual(['1A40E0300000B2F000000901', '1A40E0300000B2F000000901'])
  })
})

describe('a refused import', () => {
  it.each([
    ['package_uid', 'packageUid'],
    ['pos_product_id', 'posProductId'],
    ['pos_inventory_id', 'posInventoryId'],
    ['sku', 'sku'],
  ] as const)('shows the service’s reason for refusing %s beside the field', (wire, field) => {
    const placed = placeError({ code: 'service/invalid-fields', fields: { [wire]: ['No.', 'Really.'] } })
    expect(placed.fields[field]?.values).toEqual({ words: 'No. Really.' })
    expect(placed.rest).toBeNull()
  })

  it('shows a fault of the packaged product beside its choice', () => {
    const placed = placeError({ code: 'service/invalid-fields', fields: { packaged_product_uuid: ['No.'] } })
    expect(placed.product?.values).toEqual({ words: 'No.' })
  })

  it('shows a fault of the case, or of a field we do not know, at the case', () => {
    expect(placeError({ code: 'service/invalid-fields', fields: { case_uuid: ['No.'] } }).rest).not.toBeNull()
    expect(placeError({ code: 'service/other-dispensary', detail: 'd' }).rest?.code).toBe('service/other-dispensary')
  })

  it('puts an unknown package beside the package field', () => {
    expect(placeError({ code: 'service/package-unknown', detail: 'd' }).fields.packageUid).toBeDefined()
  })
})

describe('a corrected field', () => {
  it('loses its error, and the others keep theirs', () => {
    const ids = new PosIds()
    const form = new ImportFormState(
      () => '',
      () => ids,
    )
    form.check()
    form.corrected('packageUid')
    expect(Object.keys(form.placed.fields)).toEqual(['posProductId', 'posInventoryId'])
    // The remembered value fills the field later.
    ids.posProductId = 'P-1'
    expect(form.wrongOf('posProductId')).toBeUndefined()
    expect(form.wrongOf('posInventoryId')?.key).toBe('receiving.field.missing')
  })
})
