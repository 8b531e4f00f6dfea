import { createHubMemory } from '../hub/memory'
import type { Hub, HubSurroundings } from '../hub/port'
import type { CoreContext } from './context'

/** Only a station with a hub loads the client of one. */
export async function openHub(
  { stationId, joined, secret, patience }: HubSurroundings,
  { clock, db, settings, log, secrets }: Pick<CoreContext, 'clock' | 'db' | 'settings' | 'log' | 'secrets'>,
  version: string,
  storeHash: string,
): Promise<Hub> {
  const { createPostgresHub } = await import('../hub/postgres/hub')
  const { host, port, database, user, certificate, stationName, policy } = joined
  return createPostgresHub({
    address: async () => {
      const given = await secret()
      if (!given) return null
      secrets.add(given.password)
      secrets.add(given.storeKey)
      return { host, port, database, user, certificate, password: given.password }
    },
    policy,
    stationId,
    stationName,
    version,
    storeHash,
    storeId: joined.storeId,
    memory: createHubMemory(db, settings, { id: stationId, name: stationName, storeId: joined.storeId }),
    clock,
    log,
    patience,
  })
}
