import { join } from 'node:path'
import type { TagFacts } from '../../src-shared/service/facts'
import { type App, compose } from '../../src-main/app/compose'
import { Memory } from '../../src-main/memory/store'
import type { StartTraining } from '../../src-main/practice/handlers'
import { openStore } from '../../src-main/database/open'
import { fakeScanners } from '../../test/fakes/hid-layer'
import { reports } from '../../test/fakes/hid-reports'
import { type Served, serve } from '../served'

/** A whole station in this process, as a till runs it; only its scanners are simulated. */
export interface OpenStation extends Served {
  /** A scanner reads a label. Returns when its report entered the adapter. */
  read: (text: string, scanner?: number) => number
}

interface StationParts {
  dataDir: string
  scanners: number
  /** Memory from earlier look-ups. */
  remembered: TagFacts[]
  /** An external service; by default the practice service in the station itself. */
  startPractice?: StartTraining
  /** The same app, observed. */
  watched?: (app: App) => App
}

const root = join(import.meta.dirname, '..', '..')

/** Online and with its scanners ready. */
export async function openStation({
  dataDir,
  scanners: count,
  remembered,
  startPractice,
  watched = (app) => app,
}: StationParts): Promise<OpenStation> {
  remember(join(dataDir, 'practice', 'countertag.db'), remembered)
  const scanners = fakeScanners()
  const plugged = Array.from({ length: count }, (_, n) =>
    scanners.plug({ path: `/dev/hidraw${n}`, serialNumber: `BENCH-${n}` }),
  )
  const app = watched(
    await compose({
      dataDir,
      resourcesDir: join(root, 'resources'),
      version: '0.0.0-bench',
      scanners: scanners.layer,
      ...(startPractice && { startPractice }),
    }),
  )
  const served = await serve(app, count)

  return {
    ...served,
    read(text, scanner = 0) {
      const sent = reports(text)
      const at = performance.now()
      plugged[scanner]?.send(...sent)
      return at
    },
  }
}

function remember(file: string, items: TagFacts[]) {
  const store = openStore(file)
  const seen = new Memory(store.db)
  store.db
    .transaction(() => {
      for (const facts of items) seen.keepTag(facts, Date.now())
    })
    .immediate()
  store.close()
}
