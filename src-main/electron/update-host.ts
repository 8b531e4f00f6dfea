import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { z } from 'zod'
import type { PolicyUpdates } from '../policy/policy'
import type { Station } from '../station/station'
import type { Quitting } from './quit'
import { createUpdates } from './updates'

/** Added to the package's package.json if it is built with an update URL. */
const Packaged = z.object({ updates: z.object({ publicKey: z.string() }) })

const firstLook = 60_000
const betweenLooks = 4 * 60 * 60_000
const betweenSteps = 5_000

/**
 * Keeps a packaged app up to date if it was built with an update URL and IT allows updates. Returns a function that stops
 * it.
 */
export function keepUpToDate(station: Station, quitting: Quitting, policy: PolicyUpdates = {}): () => void {
  if (policy.isAllowed === false) return () => undefined
  const publicKey = app.isPackaged ? publicKeyOf(app.getAppPath()) : undefined
  if (publicKey === undefined) return () => undefined
  const timers: NodeJS.Timeout[] = []

  const start = async () => {
    // Imported only here, because importing it loads Electron.
    const { autoUpdater } = await import('electron-updater')
    const updates = createUpdates({
      updater: autoUpdater,
      policy,
      publicKey,
      sending: () => station.sending(),
      offer: station.update,
      close: (graceMs) => quitting.close(graceMs),
      makeWay() {
        app.releaseSingleInstanceLock()
      },
      restart() {
        quitting.startAgain()
        app.quit()
      },
      log: station.log,
    })
    station.log.info('updates are looked for')
    const look = () => void updates.check()
    timers.push(setTimeout(look, firstLook), setInterval(look, betweenLooks))
    const step = () => {
      updates.consider().catch((cause: unknown) => {
        // While another profile is being opened the count is unknown; the next step tries again.
        station.log.warn('update put off', { cause })
      })
    }
    timers.push(setInterval(step, betweenSteps))
  }
  start().catch((cause: unknown) => {
    station.log.error('no updates', { cause })
  })
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}

function publicKeyOf(appPath: string): string | undefined {
  try {
    return Packaged.parse(JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8'))).updates.publicKey
  } catch {
    return undefined
  }
}
