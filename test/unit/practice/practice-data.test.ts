import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDataFile } from '../../../src-practice/data-file'

const folder = join(import.meta.dirname, '../../../resources/practice')
const parsed = parseDataFile(readFileSync(join(folder, 'store.json'), 'utf8'))
if (!parsed.ok) throw new Error(parsed.error)
const data = parsed.value
const cases = data.collections.filter((one) => one.collection_type === 'case')
const sizeOf = (one: (typeof cases)[number]) => one.members.length

describe('the practice store', () => {
  it('has four brands, thirteen products, fifteen cases and about 200 TagIDs', () => {
    expect([data.brands.length, data.products.length, cases.length, data.tag_ids.length]).toEqual([4, 13, 15, 209])
  })

  it('has a picture of every product, small, of one size and without scripts or links', () => {
    const pictures = data.products.map(({ picture }) => picture)
    expect(readdirSync(join(folder, 'pictures')).sort()).toEqual(pictures.sort())
    for (const picture of pictures) {
      const svg = readFileSync(join(folder, 'pictures', picture ?? ''), 'utf8')
      expect(svg).toContain('width="240" height="240"')
      expect(svg).not.toMatch(/<script|href|on\w+=|url\(/)
      expect(svg.length).toBeLessThan(5000)
    }
  })

  it('has two cases with missing items, and thirteen complete cases', () => {
    const short = cases.filter((one) => sizeOf(one) < (one.required_items_per_caseid ?? 0))
    expect(short.map((one) => [sizeOf(one), one.required_items_per_caseid, one.removed_members.length])).toEqual([
      [18, 20, 2],
      [10, 12, 0],
    ])
  })

  it('has a package of our own company, with the missing items of its short case lying beside it', () => {
    const dispensary = data.dispensaries.find(({ name }) => name === 'Green Door, Newark')
    const own = cases.filter((one) => one.company_uuid === dispensary?.company_uuid)
    const inCases = new Set(cases.flatMap((one) => one.members))
    const delivery = data.collections.find(
      (one) => one.sub_type === 'Transfer' && one.members.includes(own[0]?.members[0] ?? ''),
    )
    expect(own).toHaveLength(3)
    expect(delivery?.members.filter((tagId) => !inCases.has(tagId))).toHaveLength(2)
    expect(
      data.accounts.filter((one) => one.company_uuid === dispensary?.company_uuid).map(({ product }) => product),
    ).toEqual(['retail', 'retail', 'sourcing'])
  })

  it('has deliveries with tags that look like those of a regulator', () => {
    const tags = data.collections.filter((one) => one.sub_type === 'Transfer').map(({ identifier }) => identifier)
    expect(tags).toHaveLength(4)
    for (const tag of tags) expect(tag).toMatch(/^1A4[0-9A-Z]{21}$/)
  })

  it('names every import by the dispensary that made it', () => {
    const names = data.imports.map((one) => data.dispensaries.find(({ uuid }) => uuid === one.dispensary_uuid)?.name)
    expect(names).toEqual([
      'Green Door, Hoboken',
      'Corner Leaf, Jersey City',
      ...Array.from({ length: 5 }, () => 'Green Door, Newark'),
    ])
  })
})
