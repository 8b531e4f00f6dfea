import { join, resolve } from 'node:path'
import { type ElectronApplication, type Page, _electron } from '@playwright/test'
import { type PracticeKnobs, practiceKnobs } from '../fakes/practice-admin'
import { removeFolder } from '../remove-folder'
import { practiceAddress } from './practice-address'

/** The built app in Electron itself, for the specs that otherwise run it in a browser. */
export interface RunningElectron {
  app: ElectronApplication
  page: Page
  knobs: PracticeKnobs
}

const root = resolve(import.meta.dirname, '../..')

/** Starts it with that data folder, and waits for its window and for the address of its practice service. */
export async function launchElectron(dataDir: string): Promise<RunningElectron> {
  const runtime = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const app = await _electron.launch({
    args: [root, '--data-dir', dataDir],
    // Without a download of its own the electron package looks there for the program's name on Linux.
    ...(runtime &&
      process.platform === 'darwin' && { executablePath: join(runtime, 'Electron.app/Contents/MacOS/Electron') }),
    env: { ...ownEnvironment(), COUNTERTAG_SAY_PRACTICE: '1', COUNTERTAG_KEYCHAIN: 'off' },
  })
  const [adminUrl, page] = await Promise.all([practiceAddress(app.process()), app.firstWindow()])
  return { app, page, knobs: practiceKnobs(adminUrl) }
}

/** Ends it as a power cut would, and takes its data away. */
export async function endElectron({ app }: RunningElectron, dataDir: string): Promise<void> {
  const child = app.process()
  const ended = new Promise((done) => child.once('exit', done))
  if (child.exitCode === null && child.kill('SIGKILL')) await ended
  await removeFolder(dataDir)
}

const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
