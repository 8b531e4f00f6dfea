import './require-node.mjs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { policySchema } from '../src-main/policy/policy'

/** Writes `resources/policy.schema.json`. Run it as `npm run policy:schema` after a change to the policy. */

const file = join(import.meta.dirname, '..', 'resources', 'policy.schema.json')
const options = await resolveConfig(file)
writeFileSync(file, await format(JSON.stringify(policySchema()), { ...options, filepath: file }))
console.log(file)
