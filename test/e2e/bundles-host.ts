import { type ChildProcess, fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { type Line, createLine } from '../fakes/electron/chromium/line'
import { type Windows, createWindows } from '../fakes/electron/chromium/windows'
import { removeFolder } from '../remove-folder'
import { practiceAddress } from './practice-address'

const root = resolve(import.meta.dirname, '../..')
const mainProcess = join(root, 'test/fakes/electron/chromium/main-process.mjs')

/** Electron's built main and preload bundles in a separate process, with a page of this Chromium as the window. */
interface RunningBundles {
  adminUrl: string
  windows: Windows
  /** Closes the way the last window does: the core closes first. Returns the exit code. */
  quit(): Promise<number | null>
  /** Simulates a power cut: the window disappears with its main process. */
  kill(): Promise<void>
}

/** Starts the bundles on that data folder, and waits until the window is loaded. */
export async function launchBundles(page: Page, dataDir: string): Promise<RunningBundles> {
  const child: ChildProcess = fork(mainProcess, ['--data-dir', dataDir], {
    cwd: root,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, COUNTERTAG_SAY_PRACTICE: '1', COUNTERTAG_KEYCHAIN: 'off' },
  })
  const windows: Windows = createWindows(page, () => line)
  const shown = Promise.withResolvers<undefined>()
  const answers = {
    ...windows.answers,
    async load(input: unknown) {
      const loaded = await windows.answers.load?.(input)
      shown.resolve(undefined)
      return loaded
    },
  }
  const line: Line = createLine((message) => child.send(message), answers)
  child.on('message', (message) => {
    line.receive(message)
  })
  const ended = new Promise<number | null>((done) => {
    child.on('exit', (code) => {
      line.end(new Error('main is gone'))
      done(code)
    })
  })

  const [adminUrl] = await Promise.all([practiceAddress(child), shown.promise])
  return {
    adminUrl,
    windows,
    quit() {
      line.tell('quit', {})
      return ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
      await windows.end()
    },
  }
}

/** Hosts that were told to quit; the next one starts without waiting for them. */
export interface Quitting {
  /** Quits, and deletes the data. */
  later(running: RunningBundles, dataDir: string): void
  /** Fails if a host did not end cleanly. */
  end(): Promise<void>
}

export function createQuitting(): Quitting {
  const all: Promise<void>[] = []
  const quit = async (running: RunningBundles, dataDir: string) => {
    const code = await running.quit()
    if (code !== 0) throw new Error(`the bundles ended with code ${code} when they were told to quit`)
    await removeFolder(dataDir)
  }
  return {
    later(running, dataDir) {
      const done = quit(running, dataDir)
      // A caller that awaits the promise gets the error.
      done.catch(() => undefined)
      all.push(done)
    },
    async end() {
      await Promise.all(all)
    },
  }
}
