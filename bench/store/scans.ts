import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import type { HubSurroundings } from '../../src-main/hub/port'
import { compose } from '../../src-main/app/compose'
import { startPracticeService } from '../../src-practice/start'
import { fakeScanners } from '../../test/fakes/hid-layer'
import { outsidePractice } from '../../test/fakes/outside-practice'
import { account, dispensary, shopOf } from '../../test/partition/shop'
import { removeFolder } from '../../test/remove-folder'
import { askOf, until } from '../served'
import { startFarLine } from '../servers'

const resourcesDir = join(import.meta.dirname, '../../resources')
/** How far away the hub is, in ms there and back. */
export const away = 1
/** So many scans fill a cart, which is then emptied. */
const perCart = 20

interface Scans {
  together: number[]
  alone: number[]
  /** What the hub takes to answer nothing: the way there and back. */
  line: number[]
}

/** What scans took until they were answered, in ms: by turns at a station with a hub some ms away, and at one alone. */
export async function benchScans(address: HubAddress, count: number): Promise<Scans> {
  const root = mkdtempSync(join(tmpdir(), 'countertag-bench-store-'))
  const warmUp = 40
  const shop = shopOf(count + warmUp)
  const service = await startPracticeService({ data: shop.data, db: ':memory:', port: 0, picturesDir: undefined })
  const line = await startFarLine(address.port, away)
  const { password, ...place } = address
  const open = async (name: string, hub?: HubSurroundings) => {
    const { baseUrl, authUrl, adminUrl } = service
    const app = await compose({
      dataDir: join(root, name),
      resourcesDir,
      version: '0.0.0-bench',
      scanners: fakeScanners().layer,
      startPractice: outsidePractice({ baseUrl, authUrl, adminUrl, account, dispensary }),
      hub,
    })
    const ask = askOf(app)
    await until(async () => (await ask('app.status', undefined)).connection.state === 'online')
    const took: number[] = []
    return {
      app,
      ask,
      took,
      async scan(tagId: (typeof shop.tagIds)[number]) {
        const from = performance.now()
        await ask('checkout.addItem', { mode: 'sale', tagId })
        took.push(performance.now() - from)
      },
      async empty() {
        const { revision } = await ask('checkout.cart', { mode: 'sale' })
        await ask('checkout.clear', { mode: 'sale', revision })
      },
    }
  }
  const alone = await open('alone')
  const together = await open('together', {
    stationId: randomUUID(),
    joined: { ...place, port: line.places.port, stationName: 'Bench', policy: 'refuse' },
    secret: () => Promise.resolve({ password, storeKey: randomBytes(32).toString('base64') }),
    patience: 5_000,
  })
  await until(async () => (await together.ask('hub.view', undefined)).situation === 'online')
  for (const [n, tagId] of shop.tagIds.entries()) {
    await alone.scan(tagId)
    await together.scan(tagId)
    if (n % perCart === perCart - 1) await Promise.all([alone.empty(), together.empty()])
  }
  const bare = await bareAnswers({ ...address, port: line.places.port }, count)
  await alone.app.close()
  await together.app.close()
  line.stop()
  await service.close()
  await removeFolder(root)
  return { together: together.took.slice(warmUp), alone: alone.took.slice(warmUp), line: bare }
}

async function bareAnswers(address: HubAddress, count: number): Promise<number[]> {
  const client = new pg.Client({ ...address, ssl: false })
  await client.connect()
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const from = performance.now()
    await client.query({ name: 'nothing', text: 'SELECT' })
    took.push(performance.now() - from)
  }
  await client.end()
  return took
}
