import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDataFile } from '../../../src-practice/data-file'
import { toUuid } from '../../../src-shared/ids'

const text = readFileSync(join(import.meta.dirname, '../../../resources/practice/store.json'), 'utf8')

const company = '2222222222222222222223'
const brand = '2222222222222222222224'
const updated_on = '2026-01-01T00:00:00Z'
/** The smallest data file with one object of most types. */
const small = () => ({
  format: 'countertag-practice-data',
  version: 1,
  tag_url: 'https://tag.example',
  companies: [{ uuid: company, name: 'Company' }],
  brands: [{ uuid: brand, name: 'Brand', company_uuid: company, updated_on }],
  products: [
    {
      uuid: '2222222222222222222225',
      brand_uuid: brand,
      sku: 'A',
      name: 'Product',
      updated_on,
      product_type: 'FLOWER',
      package_size: { value: '1', unit: 'gram' },
    },
  ],
})

const errorOf = (data: unknown) => {
  const parsed = parseDataFile(JSON.stringify(data))
  return parsed.ok ? 'no error' : parsed.error
}

function parsedStore() {
  const parsed = parseDataFile(text)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

describe('the data file', () => {
  it('is valid for the practice store', () => {
    const parsed = parseDataFile(text)
    expect(parsed.ok).toBe(true)
  })

  it('may omit optional parts', () => {
    const parsed = parseDataFile('{"format":"countertag-practice-data","version":1,"tag_url":"https://tag.example"}')
    expect(parsed).toMatchObject({ ok: true, value: { expires_in: 36_000, companies: [], imports: [] } })
  })

  it('accepts ids as UUIDs, and finds them in either form', () => {
    const data = small()
    const uuid = toUuid(company) ?? ''
    const parsed = parseDataFile(JSON.stringify({ ...data, companies: [{ uuid, name: 'Company' }] }))
    expect(parsed).toMatchObject({ ok: true, value: { companies: [{ uuid: company }] } })
  })

  it.each([
    [
      'a reference to nothing',
      { brands: [{ ...small().brands[0], company_uuid: brand }] },
      `brands[0].company_uuid: no company ${brand} in this file`,
    ],
    [
      'an id that is there twice',
      { companies: [small().companies[0], small().companies[0]] },
      `companies[1].uuid: is there twice (${company})`,
    ],
    [
      'an id that is none',
      { companies: [{ uuid: 'x', name: 'y' }] },
      'companies[0].uuid: is neither a ShortUUID nor a UUID',
    ],
    [
      'a product type that is none',
      { products: [{ ...small().products[0], product_type: 'CIGAR' }] },
      'products[0].product_type: ',
    ],
    [
      'a picture outside its folder',
      { products: [{ ...small().products[0], picture: '../x.svg' }] },
      'products[0].picture: is not the plain name of a picture',
    ],
    [
      'a time without an offset',
      { brands: [{ ...small().brands[0], updated_on: '2026-01-01T00:00:00' }] },
      'brands[0].updated_on: ',
    ],
    [
      'a member that was never added',
      {
        collections: [
          {
            uuid: company,
            identifier: 'C',
            collection_type: 'case',
            company_uuid: company,
            added_on: updated_on,
            members: [{ tag_id: brand, added_on: updated_on, added_by_company_uuid: brand }],
          },
        ],
      },
      `collections[0].members[0].added_by_company_uuid: no company ${brand} in this file`,
    ],
    ['a field that it does not know', { shops: [] }, 'the file: Unrecognized key'],
    ['another version', { version: 2 }, 'version: '],
    ['an address with a slash at the end', { tag_url: 'https://tag.example/' }, 'tag_url: must not end with a slash'],
    ['an invalid address', { tag_url: 'tag.example' }, 'tag_url: '],
    [
      'an account of a product that is none',
      { accounts: [{ client_id: 'a', client_secret: 'b', product: 'x', company_uuid: company }] },
      'accounts[0].product: ',
    ],
  ])('is refused with the path of the fault: %s', (_, change, message) => {
    expect(errorOf({ ...small(), ...change })).toContain(message)
  })

  it('is refused for references to members, packaged products, COAs and imports that are not in the file', () => {
    const other = '2222222222222222222229'
    const data = {
      ...small(),
      dispensaries: [{ uuid: other, name: 'Shop', state: 'NJ', company_uuid: company }],
      batches: [
        {
          uuid: other,
          name: 'B',
          brand_uuid: brand,
          updated_on,
          packaged_products: [{ uuid: other, product_uuid: other, digital_coa_uuids: [other] }],
        },
      ],
      tag_ids: [{ uuid: other, created: updated_on, packaged_product_uuid: brand }],
      collections: [
        {
          uuid: other,
          identifier: 'c',
          collection_type: 'case',
          company_uuid: company,
          added_on: updated_on,
          members: [brand],
        },
      ],
    }
    const imports = [
      {
        case_uuid: brand,
        packaged_product_uuid: other,
        dispensary_uuid: other,
        package_uid: 'P',
        pos_product_id: 'p',
        pos_inventory_id: 'i',
        imported_on: updated_on,
      },
    ]
    expect(errorOf(data).split('; ')).toEqual([
      `batches[0].packaged_products[0].product_uuid: no product ${other} in this file`,
      `batches[0].packaged_products[0].digital_coa_uuids[0]: no COA ${other} in this file`,
      `tag_ids[0].packaged_product_uuid: no packaged product ${brand} in this file`,
      `collections[0].members[0]: no TagID ${brand} in this file`,
    ])
    expect(errorOf({ ...small(), dispensaries: data.dispensaries, imports })).toBe(
      `imports[0].case_uuid: no case ${brand} in this file`,
    )
  })

  it('is refused for duplicate items in a case, for imports of products outside the case, and for duplicate imports', () => {
    const practice = () => parsedStore()
    const first = practice().imports[0]
    const other = practice().imports[1]
    const twice = practice()
    twice.collections[0]?.members.push(twice.collections[0].members[0] ?? '')
    expect(errorOf(twice)).toMatch(/^collections\[0\]\.members\[24\]: is there twice/)
    expect(errorOf({ ...practice(), imports: [first, first] })).toBe(
      'imports[1].case_uuid: its items are imported already',
    )
    expect(
      errorOf({ ...practice(), imports: [{ ...first, packaged_product_uuid: other?.packaged_product_uuid }] }),
    ).toBe('imports[0].packaged_product_uuid: the case holds no item of it')
  })

  it('names five mistakes and counts the rest', () => {
    expect(errorOf({ ...small(), assets: Array.from({ length: 7 }, () => 1) })).toMatch(/assets\[4\].*; and 2 more$/)
  })

  it('is refused if it is not JSON', () => {
    for (const bad of ['', '{', 'nonsense']) expect(parseDataFile(bad)).toMatchObject({ ok: false })
  })
})
