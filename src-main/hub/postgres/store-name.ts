import { z } from 'zod'
import type { Query } from './line'

/**
 * Writes the identity of the store's key into its hub. `isNew`: the store has got another key. A role that may not write there
 * leaves it as it is: the identity is needed only to recognize the store at another address.
 */
export async function nameStore(query: Query, storeId: string | undefined, isNew: boolean): Promise<void> {
  const [store] = await query({
    text: `SELECT (key_id IS NULL OR ($2 AND key_id <> $1)) AND has_table_privilege('countertag.store', 'UPDATE') AS is_open
      FROM countertag.store`,
    values: [storeId ?? null, isNew],
    row: z.object({ is_open: z.boolean() }),
  })
  if (storeId === undefined || store?.is_open !== true) return
  await query({ text: 'UPDATE countertag.store SET key_id = $1', values: [storeId], row: z.unknown() })
}
