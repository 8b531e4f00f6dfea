import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../../src-main/app/compose'
import { type OpenStation, openStation } from './open-station'
import { codeOf, factsOf } from './tags'

/** A station that records the path of each scan. */
export interface ScanStation extends Pick<OpenStation, 'url' | 'ask' | 'close'> {
  /** A scanner reads the label of the `n`-th item. Returns when its report entered the adapter. */
  scan: (n: number, scanner?: number) => number
  /** Main's timestamps for the last scan. */
  steps: Steps
  /** Empties the cart. Returns how many items were in it. */
  newOrder(): Promise<number>
}

/** Times of `performance.now()`. */
interface Steps {
  announced: number
  asked: number
  answered: number
}

/** The first `items` are known from an earlier look-up, and the service is unreachable. */
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

/** The same app; it records when a scan is announced, when its item is looked up, and when the answer arrives. */
function timed(app: App, steps: Steps): App {
  // Subscribes first, before the page's own connection gets the event.
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
