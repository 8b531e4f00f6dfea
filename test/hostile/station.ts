import { createHash } from 'node:crypto'
import process from 'node:process'
import { z } from 'zod'
import { compose } from '../../src-main/app/compose'
import { inMemoryCredentials } from '../../src-main/credentials/store'
import { createDispatch } from '../../src-main/ipc/dispatch'
import { unlimited } from '../../src-main/ipc/limits'
import { createSeal } from '../../src-main/privacy/seal'
import { fakeScanners } from '../fakes/hid-layer'

/** The hostile suite's child process: a station with the real core, called by its parent process. */

export const StationOrder = z.object({
  dataDir: z.string(),
  resourcesDir: z.string(),
  baseUrl: z.string(),
  authUrl: z.string(),
  caFile: z.string().nullable(),
  account: z.object({ clientId: z.string(), clientSecret: z.string() }),
  dispensary: z.object({ uuid: z.string(), name: z.string() }),
})
export type StationOrder = z.infer<typeof StationOrder>

/** The parent's messages: a call, or `close`. */
const ToStation = z.union([
  z.object({ id: z.number(), call: z.string(), input: z.unknown().optional() }),
  z.object({ close: z.literal(true) }),
])

/** Interval between checks of how long this process was continuously busy, in ms. */
const betweenLooks = 50

/**
 * The longest time, in ms, since it was last requested, that the event loop was blocked by this process's own work.
 * Load from other processes on the machine doesn't count.
 */
function watchTurns(): () => number {
  let lookedAt = performance.now()
  let used = process.cpuUsage()
  let longest = 0
  const look = () => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(used)
    longest = Math.max(longest, Math.min(now - lookedAt - betweenLooks, (user + system) / 1_000))
    lookedAt = now
    used = process.cpuUsage()
  }
  setInterval(look, betweenLooks).unref()
  return () => {
    look()
    const told = longest
    longest = 0
    return told
  }
}

async function live(order: StationOrder): Promise<void> {
  const { dataDir, resourcesDir, baseUrl, authUrl, caFile, account, dispensary } = order
  const app = await compose({
    dataDir,
    resourcesDir,
    version: '0.0.0-hostile',
    scanners: fakeScanners().layer,
    credentials: inMemoryCredentials({ retail: account }),
    // Customers are encrypted, as in a store: plain text in a file got there another way.
    seal: createSeal([createHash('sha256').update('hostile').digest()]),
    realProfile: {
      id: 'hostile',
      profile: {
        kind: 'test',
        name: dispensary.name,
        baseUrl,
        authUrls: { retail: authUrl },
        dispensaryId: dispensary.uuid,
        sendsSku: true,
        caFile,
      },
    },
  })
  const dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: () => true })
  const longestTurn = watchTurns()
  process.on('message', (message) => {
    const asked = ToStation.parse(message)
    if ('close' in asked) {
      void app.close().then(() => process.exit(0))
      return
    }
    // Timed here, because the suite's own process may be busy with the service.
    const startedAt = performance.now()
    void dispatch('hostile suite', asked.call, asked.input).then((answer) => {
      process.send?.({
        id: asked.id,
        answer: JSON.stringify(answer),
        ms: performance.now() - startedAt,
        turn: longestTurn(),
      })
    })
  })
  // Without its parent the process has no work.
  process.on('disconnect', () => process.exit(0))
  process.send?.({ isReady: true })
}

void live(StationOrder.parse(JSON.parse(process.argv[2] ?? '')))
