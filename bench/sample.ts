import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDataFile } from '../src-practice/data-file'

/** The practice store as shipped: benches build larger stores from it. */

const parsed = parseDataFile(
  readFileSync(join(import.meta.dirname, '..', 'resources', 'practice', 'store.json'), 'utf8'),
)
if (!parsed.ok) throw new Error(parsed.error)
export const sample = parsed.value

export function only<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the practice store has changed: there is no such thing in it')
  return found
}

const retail = only(sample.accounts.find((one) => one.product === 'retail' && one.dispensary_uuid !== null))
export const account = { clientId: retail.client_id, clientSecret: retail.client_secret }
export const dispensary = only(sample.dispensaries.find(({ uuid }) => uuid === retail.dispensary_uuid))
