import { z } from 'zod'
import { type Store, query } from '../store/query'

const Known = z.object({ uuid: z.string() })

/** Which of some COAs are not there, or not of a batch of the company. */
export function createCoaCheck(store: Store) {
  const owned = query(
    store,
    `SELECT d.uuid FROM digital_coas d JOIN batches t ON t.uuid = d.batch_uuid JOIN brands b ON b.uuid = t.brand_uuid
     WHERE b.company_uuid = ? AND d.uuid IN (SELECT value FROM json_each(?))`,
    Known,
  )
  return function unknownCoas(uuids: readonly string[], companyUuid: string): string[] {
    const known = new Set(owned.all(companyUuid, JSON.stringify(uuids)).map(({ uuid }) => uuid))
    return uuids.filter((uuid) => !known.has(uuid))
  }
}
