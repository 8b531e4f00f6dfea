import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dataSchema } from '../../../src-practice/data-file'

const file = join(import.meta.dirname, '../../../resources/practice/data.schema.json')
const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))

describe('resources/practice/data.schema.json', () => {
  it('is up to date; if not, run npm run practice:schema', () => {
    // Compared as JSON, because zod's schema objects carry more than the file.
    expect(kept).toEqual(JSON.parse(JSON.stringify(dataSchema())))
  })

  it('names every part of the data file, the required parts, and the form of ids', () => {
    const { properties, required, $defs } = z
      .object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()), $defs: z.unknown() })
      .parse(kept)
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['companies', 'tag_ids', 'collections', 'imports']))
    expect(required).toEqual(['format', 'version', 'tag_url'])
    expect($defs).toHaveProperty('Id.pattern')
  })
})
