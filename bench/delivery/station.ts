import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../src-main/app/compose'
import { fakeScanners } from '../../test/fakes/hid-layer'
import { reports } from '../../test/fakes/hid-reports'
import { outsidePractice } from '../../test/fakes/outside-practice'
import { practiceKnobs } from '../../test/fakes/practice-admin'
import { startPractice } from '../servers'
import { account, dispensary } from '../sample'
import { type Served, serve } from '../served'
import { catalogue, fillStore } from './data'

/** A whole station in this process, as a till runs it; its service is a separate process, `latency` ms away. */
export interface DeliveryStation extends Served {
  /** A scanner reads a label. */
  scan: (text: string) => void
  /** The cases that the service holds as imported. */
  imports: () => Promise<number>
}

/** Latency to the service, in ms. */
export const latency = 50

const root = join(import.meta.dirname, '..', '..')

/** The POS catalog is loaded, so received products are filled in. */
export async function startDeliveryStation(): Promise<DeliveryStation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-delivery-'))
  const db = join(dataDir, 'service.db')
  fillStore(db)
  const service = await startPractice(db)
  const knobs = practiceKnobs(service.places.adminUrl)
  const scanners = fakeScanners()
  const scanner = scanners.plug({ path: '/dev/hidraw0', serialNumber: 'BENCH' })
  const app = await compose({
    dataDir,
    resourcesDir: join(root, 'resources'),
    version: '0.0.0-bench',
    scanners: scanners.layer,
    startPractice: outsidePractice({ ...service.places, account, dispensary }),
  })
  const served = await serve(app, 1)
  await served.ask('receiving.loadCatalogue', { fileName: 'catalogue.csv', start: 0, rows: catalogue, isLast: true })
  await knobs.setFaults({ rules: [{ kind: 'latency', ms: latency }] })

  return {
    ...served,
    scan(text) {
      scanner.send(...reports(text))
    },
    imports: async () => new Set((await knobs.imports()).map(({ caseId }) => caseId)).size,
    async close() {
      await served.close()
      service.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}
