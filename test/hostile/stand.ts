import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from './child'
import { type HostileService, authorityFile, startHostileService } from './service'
import { type Shop, account, dispensary, shopOf } from './shop'

/** A separate station, its service, and its folder. */
export interface Stand {
  service: HostileService
  child: Child
  shop: Shop
  dataDir: string
  /** The station's database, if it exists. */
  databaseFile(): string | undefined
  /** Restarts the station in its folder. */
  reopen(): Promise<void>
  close(): Promise<void>
}

interface StandParts {
  /** The station's bundle. */
  bundle: string
  rows: number
  isBehindTls: boolean
}

const resourcesDir = join(import.meta.dirname, '../../resources')

export async function openStand({ bundle, rows, isBehindTls }: StandParts): Promise<Stand> {
  const shop = shopOf(rows)
  const service = await startHostileService(shop, isBehindTls)
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-hostile-'))
  const { baseUrl, authUrl } = service
  const caFile = isBehindTls ? authorityFile : null
  const start = () => startChild(bundle, { dataDir, resourcesDir, baseUrl, authUrl, caFile, account, dispensary })
  const child = await start()
  const stand: Stand = {
    service,
    child,
    shop,
    dataDir,
    databaseFile: () =>
      readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.name === 'countertag.db')
        .map((entry) => join(entry.parentPath, entry.name))
        .at(0),
    async reopen() {
      await stand.child.close()
      stand.child = await start()
    },
    async close() {
      await stand.child.kill()
      await service.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return stand
}
