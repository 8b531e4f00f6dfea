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
  it('has three brands, twelve products, eight cases and about 150 TagIDs', () => {
    expect([data.brands.length, data.products.length, cases.length, data.tag_ids.length]).toEqual([3, 12, 8, 157])
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

  it('has one case that is short of its count, and seven that are complete', () => {
    const short = cases.filter((one) => sizeOf(one) < (one.required_items_per_caseid ?? 0))
    expect(short.map((one) => [sizeOf(one), one.required_items_per_caseid, one.removed_members.length])).toEqual([
      [18, 20, 2],
    ])
  })

  it('has deliveries whose tags look like those of a regulator', () => {
    const tags = data.collections.filter((one) => one.sub_type === 'Transfer').map(({ identifier }) => identifier)
    expect(tags).toHaveLength(3)
    for (const tag of tags) expect(tag).toMatch(/^1A4[0-9A-Z]{21}$/)
  })

  it('names every import by the dispensary that made it', () => {
    const names = data.imports.map((one) => data.dispensaries.find(({ uuid }) => uuid === one.dispensary_uuid)?.name)
    expect(names).toEqual(['Green Door, Hoboken', 'Corner Leaf, Jersey City', 'Green Door, Newark'])
  })
})
