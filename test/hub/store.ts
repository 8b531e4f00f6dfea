import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { HubPolicy } from '../../src-shared/ipc/contract/hub'
import type { Surroundings } from '../../src-main/app/compose'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import { startTraining } from '../../src-main/practice/training'
import { type Station, startStation } from '../integration/core/station'
import { removeFolder } from '../remove-folder'

/** Whole stations of one store: one practice service, one hub. */
export interface TestStore {
  /** A station whose hub answers. */
  station(name: string, policy?: HubPolicy, gateLevels?: Surroundings['gateLevels']): Promise<Station>
  close(): Promise<void>
}

/** Generous: on a busy machine no station may be apart by chance. */
const patience = 5_000

export async function openTestStore(address: HubAddress): Promise<TestStore> {
  const root = mkdtempSync(join(tmpdir(), 'countertag-store-'))
  const settings = new Map<string, unknown>()
  const training = await startTraining({
    folder: root,
    resourcesDir: join(import.meta.dirname, '../../resources'),
    settings: {
      read: (name, schema) => schema.safeParse(settings.get(name)).data,
      write: (name, value) => void settings.set(name, value),
      keep: (name, value) => void settings.set(name, value),
    },
  })
  const stations: Station[] = []
  const { password, ...place } = address
  const storeKey = randomBytes(32).toString('base64')
  return {
    async station(stationName, policy = 'warn', gateLevels) {
      const station = await startStation({
        // The service outlives each station.
        startPractice: () => Promise.resolve({ ...training, close: () => Promise.resolve() }),
        hub: {
          stationId: randomUUID(),
          joined: { ...place, stationName, policy },
          secret: () => Promise.resolve({ password, storeKey }),
          patience,
        },
        ...(gateLevels && { gateLevels }),
      })
      stations.push(station)
      await situation(station, 'online')
      return station
    },
    async close() {
      await Promise.all(stations.map((station) => station.close()))
      await training.close()
      await removeFolder(root)
    },
  }
}

/** Changes the store of a station that is closed. */
export function inStore(station: Station, statements: string): void {
  const db = new Sqlite(join(station.dataDir, 'practice', 'countertag.db'))
  db.exec(statements)
  db.close()
}

/** Resolves once a station is in a situation. */
export async function situation(station: Station, wanted: 'online' | 'offline'): Promise<void> {
  const arrived = new Promise<null>((resolve) => {
    const stop = station.client.on('hub.changed', (view) => {
      if (view.situation !== wanted) return
      stop()
      resolve(null)
    })
  })
  if ((await station.ask('hub.view', undefined)).situation !== wanted) await arrived
}
