import '../require-node.mjs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { dataSchema } from '../../src-practice/data-file'

/** Writes `resources/practice/data.schema.json`. Run it as `npm run practice:schema` after a change to the data file. */

const file = join(import.meta.dirname, '..', '..', 'resources', 'practice', 'data.schema.json')
const options = await resolveConfig(file)
writeFileSync(file, await format(JSON.stringify(dataSchema()), { ...options, filepath: file }))
console.log(file)
