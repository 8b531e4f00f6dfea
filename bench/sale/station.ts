import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultsInput } from '../../src-practice/admin'
import { outsidePractice } from '../../test/fakes/outside-practice'
import { practiceKnobs } from '../../test/fakes/practice-admin'
import { type OpenStation, openStation } from '../scan/open-station'
import { startPractice } from '../servers'
import { account, dispensary } from '../sample'
import { factsOf, fillStore } from './store'

/** A station with one scanner, and with its service in a separate process. */
export interface SaleStation extends Pick<OpenStation, 'url' | 'ask' | 'read'> {
  service: { baseUrl: string; authUrl: string }
  setFaults(faults: FaultsInput): Promise<void>
  /** The orders that the service holds as sold, one for each accepted report. */
  soldOrders(): Promise<string[]>
  /** A folder on the station's file system, deleted at the end. */
  folder: string
  close(): Promise<void>
}

/** This store's order number prefix. */
export const orderPrefix = 'ORD-'

/** This many items are in stock, and known here from their receipt. */
export async function startSaleStation(items: number): Promise<SaleStation> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sale-'))
  const db = join(folder, 'service.db')
  fillStore(db, items)
  const service = await startPractice(db)
  const knobs = practiceKnobs(service.places.adminUrl)
  const { url, ask, read, close } = await openStation({
    dataDir: join(folder, 'station'),
    scanners: 1,
    remembered: Array.from({ length: items }, (_, n) => factsOf(n)),
    startPractice: outsidePractice({ ...service.places, account, dispensary }),
  })
  const settings = await ask('scanner.settings', undefined)
  await ask('scanner.setSettings', { ...settings, prefixes: { ...settings.prefixes, order: orderPrefix } })

  return {
    url,
    ask,
    read,
    service: service.places,
    setFaults: (faults) => knobs.setFaults(faults),
    soldOrders: async () =>
      (await knobs.transactions()).filter(({ kind }) => kind === 'complete').map(({ orderId }) => orderId),
    folder,
    async close() {
      await close()
      service.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
