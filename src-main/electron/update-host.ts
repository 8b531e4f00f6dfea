import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, powerMonitor } from 'electron'
import { z } from 'zod'
import type { Locale } from '../../src-shared/ipc/app-view'
import type { Station } from '../station/station'
import { createUpdates } from './updates'

/** Written into the package's package.json when it is built with an address for updates. */
const Packaged = z.object({ updates: z.object({ publicKey: z.string() }) })

const firstLook = 60_000
const betweenLooks = 4 * 60 * 60_000
const betweenSteps = 5_000

interface Question {
  message: string
  detail: string
  later: string
  now: string
}

const questions: Record<Locale, (version: string) => Question> = {
  en: (version) => ({
    message: `Countertag ${version} is ready`,
    detail:
      'It is installed when Countertag restarts. That takes about a minute; nothing that waits to be sent is lost.',
    later: 'Later',
    now: 'Restart now',
  }),
  es: (version) => ({
    message: `Countertag ${version} está listo`,
    detail: 'Se instala cuando Countertag se reinicia. Tarda un minuto; nada de lo que espera para enviarse se pierde.',
    later: 'Más tarde',
    now: 'Reiniciar ahora',
  }),
}

/** Keeps a packaged app up to date, if it was built with an address for updates. Gives what ends it. */
export function keepUpToDate(station: Station, close: () => Promise<void>): () => void {
  const publicKey = app.isPackaged ? publicKeyOf(app.getAppPath()) : undefined
  if (publicKey === undefined) return () => undefined
  const timers: NodeJS.Timeout[] = []

  const start = async () => {
    // Loaded only here: it reaches for Electron as soon as it is looked at.
    const { autoUpdater } = await import('electron-updater')
    const updates = createUpdates({
      updater: autoUpdater,
      publicKey,
      sending: () => station.sending(),
      idleSeconds: () => powerMonitor.getSystemIdleTime(),
      ask: async (version) => askToRestart(questions[station.diagnostics.status().locale](version)),
      close,
      restart() {
        app.relaunch()
        app.quit()
      },
      log: station.log,
    })
    station.log.info('updates are looked for')
    const look = () => void updates.check()
    timers.push(setTimeout(look, firstLook), setInterval(look, betweenLooks))
    const step = () => {
      updates.consider().catch((cause: unknown) => {
        // While another profile is being opened nobody can say what is being sent: the next step asks again.
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

/** "Later" is the answer to Enter, Space and Escape: a scanner that types must not restart the till. */
async function askToRestart({ message, detail, later, now }: Question): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'info',
    message,
    detail,
    buttons: [later, now],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}
