import '../require-node.mjs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDataFile } from '../../src-practice/data-file'
import { batches } from './batches'
import { collections, imports, tagIds } from './cases'
import { coas, laboratories } from './coas'
import { accounts, brands, companies, dispensaries } from './people'
import { products } from './products'

/** Writes `resources/practice/store.json`, the same one each time. Run it as `npm run practice:data`. */

const file = join(import.meta.dirname, '..', '..', 'resources', 'practice', 'store.json')
const text = JSON.stringify({
  format: 'countertag-practice-data',
  version: 1,
  tag_url: 'https://tag.example',
  companies: Object.values(companies),
  dispensaries: Object.values(dispensaries),
  accounts,
  brands: Object.values(brands),
  products,
  batches,
  laboratories,
  digital_coas: coas,
  tag_ids: tagIds,
  collections,
  imports,
  assets: [],
})
const data = parseDataFile(text)
if (!data.ok) throw new Error(`The practice data is wrong: ${data.error}`)
writeFileSync(file, text)
console.log(`${data.value.tag_ids.length} TagIDs in ${file}`)
