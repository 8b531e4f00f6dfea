import { createLookup } from '../memory/lookup'
import { createMemory } from '../memory/store'
import { createKnownCodes } from '../scanner/known-codes'
import type { CoreContext } from './context'
import type { Network } from './network'

export type LookupParts = ReturnType<typeof createLookupParts>

/** Looks up cases and items by scanned code, from the service or from what this station remembers. */
export function createLookupParts({ db, settings, events, clock, log }: CoreContext, { v12 }: Network) {
  const seen = createMemory(db)
  const codes = createKnownCodes(settings, (known) => {
    events.emit('scanner.known', known)
  })
  const lookup = createLookup({ client: v12, seen, clock, log, learn: (kind, url, id) => codes.learn(kind, url, id) })
  return { seen, codes, lookup }
}
