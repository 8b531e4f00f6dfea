import { randomUUID } from 'node:crypto'
import type { HubPolicy } from '../../src-shared/ipc/contract/hub'
import { systemClock } from '../../src-main/core/clock'
import type { Hub } from '../../src-main/hub/port'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import { createPostgresHub } from '../../src-main/hub/postgres/hub'
import { storeHashOf } from '../../src-main/hub/store-identity'
import { silentLog } from '../../src-main/core/log'

/** Generous: on a busy machine no test may be apart by chance. */
const patience = 5_000

export const testStore: { baseUrl: string; dispensaryId: string | null } = {
  baseUrl: 'http://127.0.0.1:1',
  dispensaryId: null,
}

/** A station's hub, once it is together. */
export async function joinHub(
  address: HubAddress,
  stationName: string,
  more: {
    policy?: HubPolicy
    stationId?: string
    store?: typeof testStore
    version?: string
    patience?: number
    longest?: number
  } = {},
): Promise<Hub> {
  const hub = openHub(address, stationName, more)
  await situation(hub, 'online')
  return hub
}

/** The same, not waited for. */
export const openHub = (
  address: HubAddress,
  stationName: string,
  { store = testStore, ...more }: NonNullable<Parameters<typeof joinHub>[2]> = {},
): Hub =>
  createPostgresHub({
    address: () => Promise.resolve(address),
    policy: 'warn',
    stationId: randomUUID(),
    stationName,
    version: '0.0.0-test',
    storeHash: storeHashOf(store),
    clock: systemClock,
    log: silentLog,
    patience,
    ...more,
  })

/** Resolves once the hub is in a situation. */
export const situation = (hub: Hub, wanted: 'online' | 'offline') =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (hub.view().situation !== wanted) return
      stop()
      resolve()
    }
    const stop = hub.onSituation(look)
    look()
  })
