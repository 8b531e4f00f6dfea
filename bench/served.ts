import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallInput, CallName, CallOutput } from '../src-shared/ipc/contract'
import { createClient } from '../src-shared/ipc/client'
import { startBrowserHost } from '../src-main/browser/server'
import { createStaticFiles } from '../src-main/browser/pages'
import type { App } from '../src-main/app/compose'
import { createDispatch } from '../src-main/ipc/dispatch'
import { unlimited } from '../src-main/ipc/limits'

/** An app that a browser can open, and that the bench can call. */
export interface Served {
  url: string
  /** The value of a call that must succeed. */
  ask: <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallOutput<Name>>
  /** Closes the host and the app. */
  close: () => Promise<void>
}

/** Serves the built screens; resolves once the app is online and this many scanners are ready. */
export async function serve(app: App, scanners: number): Promise<Served> {
  const pages = createStaticFiles(join(import.meta.dirname, '..', 'out', 'renderer'))
  const host = await startBrowserHost({ app, port: 0, pages: () => Promise.resolve(pages) })
  const ask = askOf(app)
  await until(async () => (await ask('app.status', undefined)).connection.state === 'online')
  await until(async () => {
    const { devices } = await ask('scanner.scanners', undefined)
    return devices.length === scanners && devices.every(({ state }) => state === 'ready')
  })
  return {
    url: host.url,
    ask,
    async close() {
      await host.close()
      await app.close()
    },
  }
}

/** Calls an app as its screens do. */
export function askOf(app: App): Served['ask'] {
  const dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: () => true })
  const client = createClient({
    invoke: (call, input) => dispatch('bench', call, input),
    subscribe: () => () => undefined,
  })
  return async (name, input) => {
    const answer = await client.call(name, input)
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
    return answer.value
  }
}

/** Polls ten times a second, for a minute at most, and then throws. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks++) {
    if (looks > 600) throw new Error('the station did not get there within a minute')
    await sleep(100)
  }
}
