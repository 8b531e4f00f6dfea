import { statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract'
import { createClient } from '../../src-shared/ipc/client'
import { assertNever } from '../../src-shared/result'
import { startBrowserHost } from '../../src-main/browser/server'
import { createStaticFiles } from '../../src-main/browser/pages'
import { compose } from '../../src-main/app/compose'
import type { HubSurroundings } from '../../src-main/hub/port'
import { createDispatch } from '../../src-main/ipc/dispatch'
import { unlimited } from '../../src-main/ipc/limits'
import { fakeScanners } from '../fakes/hid-layer'
import { outsidePractice } from '../fakes/outside-practice'
import { Asked, type Closing, type MainSample, type Request, type ShelfCounted, StationOrder } from './talk'

/** The soak's child process: one station with the real core and the built pages, until it is killed. */

async function live(order: StationOrder): Promise<void> {
  let { ahead } = order
  const app = await compose({
    dataDir: order.dataDir,
    resourcesDir: order.resourcesDir,
    version: '0.0.0-soak',
    clock: { now: () => Date.now() + ahead },
    // The soak ignores devices plugged into this computer.
    scanners: fakeScanners().layer,
    startPractice: outsidePractice({ ...order.service, account: order.account, dispensary: order.dispensary }),
    ...(order.hub && { hub: hubOf(order.hub) }),
  })
  const pages = createStaticFiles(order.pagesDir)
  const host = await startBrowserHost({ app, port: 0, pages: () => Promise.resolve(pages) })
  const dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: () => true })
  const client = createClient({
    invoke: (call, input) => dispatch('soak', call, input),
    subscribe: () => () => undefined,
  })
  const call = async <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> => {
    const answer = await client.call(name, input)
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
    return answer.value
  }
  const sample = createSampler(join(order.dataDir, 'practice', 'countertag.db'))

  const shelfCount = async (): Promise<ShelfCounted> => {
    const open = (await call('stock.open', undefined)).at(-1)
    const last = open ?? (await call('stock.history', { before: null })).counts[0]
    if (!last) throw new Error('nothing was counted')
    const { id: countId, scope, state, results } = last
    const tagsOf = async (result: 'missing' | 'unexpected') => {
      const tagIds: ShelfCounted['missing'] = []
      for (let after: number | null = null; ;) {
        const page: CallOutput<'stock.differences'> = await call('stock.differences', {
          ...{ countId, filter: { result }, after },
        })
        tagIds.push(...page.differences.map(({ tagId }) => tagId))
        after = page.next
        if (after === null) return tagIds
      }
    }
    return {
      ...{ names: scope.names, state, results },
      ...{ missing: await tagsOf('missing'), unexpected: await tagsOf('unexpected') },
    }
  }

  const answer = async (request: Request): Promise<MainSample | Closing | ShelfCounted | null> => {
    switch (request.ask) {
      case 'sample':
        return sample(request.isTidied)
      case 'new day':
        ahead = request.ahead
        await call('receiving.loadCatalogue', {
          fileName: 'catalogue.csv',
          start: 0,
          rows: request.catalogue,
          isLast: true,
        })
        return null
      case 'shelf count':
        return shelfCount()
      case 'closing': {
        const { day } = request
        return { report: await call('checkout.day', { day }), file: await call('checkout.exportDay', { day }) }
      }
      case 'close the store': {
        const { day } = request
        // The other station may just be telling its last reports.
        for (let tries = 0; tries < 50; tries++) {
          const { store } = await call('checkout.storeDay', { day })
          const closed = store && (await client.call('checkout.closeStoreDay', { day, mark: store.mark, name: 'Maya' }))
          if (closed?.ok) return { report: closed.value, file: await call('checkout.exportStoreDay', { day }) }
          await setTimeout(200)
        }
        throw new Error(`the day can't be closed: ${JSON.stringify((await call('checkout.storeDay', { day })).store)}`)
      }
      default:
        return assertNever(request)
    }
  }
  process.on('message', (message) => {
    const { id, request } = Asked.parse(message)
    void answer(request).then((value) => process.send?.({ id, answer: value }))
  })
  // Without the soak the process has no work.
  process.on('disconnect', () => process.exit(0))
  process.stdout.write(`Ready: ${host.url}\n`)
}

const hubOf = ({
  stationId,
  joined,
  password,
  storeKey,
  patience,
}: NonNullable<StationOrder['hub']>): HubSurroundings => ({
  ...{ stationId, joined, patience },
  secret: () => Promise.resolve({ password, storeKey }),
})

/** Interval of the timer that measures the delay, in ms. */
const resolution = 10

function createSampler(databaseFile: string): (isTidied: boolean) => MainSample {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  return (isTidied) => {
    const delays = { delayP99: beyond(delay.percentile(99)), delayMax: beyond(delay.max) }
    if (isTidied) globalThis.gc?.()
    // The garbage collection's own delay doesn't count.
    delay.reset()
    const { rss, heapUsed } = process.memoryUsage()
    const database = sizeOf(databaseFile) + sizeOf(`${databaseFile}-wal`)
    return { rss, heap: heapUsed, database, ...delays }
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

void live(StationOrder.parse(JSON.parse(process.argv[2] ?? '')))
