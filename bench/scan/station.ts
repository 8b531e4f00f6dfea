import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../../src-main/app/compose'
import { type OpenStation, openStation } from './open-station'
import { codeOf, factsOf } from './tags'

/** A station whose scans are watched on their way. */
export interface ScanStation extends Pick<OpenStation, 'url' | 'ask' | 'close'> {
  /** A scanner reads the label of the `n`-th item. Gives when its report entered the adapter. */
  scan: (n: number, scanner?: number) => number
  /** When main did what for the last scan. */
  steps: Steps
  /** Empties the cart. Returns how many items were in it. */
  newOrder(): Promise<number>
}

/** Moments of `performance.now()`. */
export interface Steps {
  announced: number
  asked: number
  answered: number
}

/** The first `items` are known from an earlier look-up, and the service is out of reach. */
export async function startScanStation(items: number): Promise<ScanStation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-scan-'))
  const steps: Steps = { announced: 0, asked: 0, answered: 0 }
  const { url, ask, read, close } = await openStation({
    dataDir,
    scanners: 2,
    remembered: Array.from({ length: items }, (_, n) => factsOf(n)),
    watched: (app) => timed(app, steps),
  })
  await ask('practice.setFault', { fault: 'offline' })

  return {
    url,
    steps,
    ask,
    scan: (n, scanner) => read(codeOf(n), scanner),
    async newOrder() {
      const full = await ask('checkout.cart', { mode: 'sale' })
      await ask('checkout.clear', { mode: 'sale', revision: full.revision })
      return full.itemCount
    },
    async close() {
      await close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** The same app; it notes when a scan is announced, when its item is asked for, and when that is answered. */
function timed(app: App, steps: Steps): App {
  // The first to listen: before the page's own connection is told.
  app.events.listen((event) => {
    if (event === 'scanner.scanned') steps.announced = performance.now()
  })
  const addItem = app.handlers['checkout.addItem']
  return {
    ...app,
    handlers: {
      ...app.handlers,
      async 'checkout.addItem'(input) {
        steps.asked = performance.now()
        const answer = await addItem(input)
        steps.answered = performance.now()
        return answer
      },
    },
  }
}
