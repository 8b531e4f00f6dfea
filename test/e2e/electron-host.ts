import { join, resolve } from 'node:path'
import { type ElectronApplication, type Page, _electron } from '@playwright/test'
import { type PracticeKnobs, practiceKnobs } from '../fakes/practice-admin'
import { removeFolder } from '../remove-folder'
import { practiceAddress } from './practice-address'

/** The built app in Electron itself, for specs that usually run in a browser. */
export interface RunningElectron {
  app: ElectronApplication
  page: Page
  knobs: PracticeKnobs
}

const root = resolve(import.meta.dirname, '../..')

/** Starts the app with that data folder, and waits for its window and for the address of its practice service. */
export async function launchElectron(dataDir: string): Promise<RunningElectron> {
  const runtime = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const app = await _electron.launch({
    args: [root, '--data-dir', dataDir],
    // Without its own download, the electron package looks for the Linux program name on macOS too.
    ...(runtime &&
      process.platform === 'darwin' && { executablePath: join(runtime, 'Electron.app/Contents/MacOS/Electron') }),
    env: { ...ownEnvironment(), COUNTERTAG_SAY_PRACTICE: '1', COUNTERTAG_KEYCHAIN: 'off' },
  })
  const [adminUrl, page] = await Promise.all([practiceAddress(app.process()), app.firstWindow()])
  return { app, page, knobs: practiceKnobs(adminUrl) }
}

/** Ends the app the way a power cut would, and deletes its data. */
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
