import { join } from 'node:path'
import process from 'node:process'
import { type BrowserWindow, app } from 'electron'
import { hostKeychain } from '../credentials/host-keychain'
import { osKeychain } from '../credentials/os-keychain'
import { openStation } from '../station/station'
import { pageProblem } from '../support/start-problem'
import { makeFolder } from '../store/start-error'
import { refuseDebugging, refuseNavigation, refusePermissions } from './hardening'
import { connect } from './ipc'
import { setMenu } from './menu'
import { readOptions } from './options'
import { createOutside } from './outside'
import { registerAppScheme, serveRenderer } from './protocol'
import { closeBeforeQuit } from './quit'
import { showStartProblem } from './start-problem'
import { keepUpToDate } from './update-host'
import { bringToFront, createWindow, load } from './window'

const built = join(import.meta.dirname, '..')
const { dataDir, profile } = readOptions(process.argv)
const outside = createOutside()
/** Set once there is a core: a start that fails after that closes it first. */
let closeCore: (() => Promise<void>) | undefined

/**
 * The Electron host. `prepare` holds what Electron wants before it is ready, and so nothing is awaited before it; `open`
 * is the rest. What goes wrong in either is said on a page of its own, and ends the app.
 */
function prepare(): void {
  refuseDebugging()
  // First of all: they hold for the page that says what went wrong as well.
  app.enableSandbox()
  registerAppScheme()
  refuseNavigation(outside)
  if (dataDir !== undefined) {
    // Before the lock, which is one for each folder: two practice stations may run side by side.
    makeFolder(dataDir)
    app.setPath('userData', dataDir)
  }
}

async function open(): Promise<void> {
  let window: BrowserWindow | undefined
  app.on('second-instance', () => {
    if (window) bringToFront(window)
  })
  // On macOS as well: a till that looks closed must not go on running.
  app.on('window-all-closed', () => {
    window = undefined
    app.quit()
  })

  await app.whenReady()
  setMenu()
  refusePermissions()
  serveRenderer(join(built, 'renderer'))

  const station = app.getPath('userData')
  const resourcesDir = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources')
  const core = await openStation({
    dataDir: station,
    startWith: profile,
    resourcesDir,
    version: app.getVersion(),
    licencesFile: join(built, 'licences.txt'),
    // Of a package nothing in the environment decides where secrets are.
    keychain: app.isPackaged ? osKeychain() : hostKeychain(process.env),
  })
  closeCore = closeBeforeQuit(core)
  const stopUpdates = keepUpToDate(core, closeCore)
  app.on('will-quit', stopUpdates)

  window = createWindow({
    preload: join(built, 'preload/preload.cjs'),
    icon: join(resourcesDir, 'icons/countertag.png'),
    stateFile: join(station, 'window-state.json'),
    log: core.log,
    pageProblem: () => pageProblem({ dataDir: station, reportFile: core.diagnostics.files.logFile }),
  })
  connect(core, window, outside)
  // For the end-to-end tests, which turn its knobs.
  if (!app.isPackaged && process.env.COUNTERTAG_SAY_PRACTICE && core.practice) {
    console.log(`Practice service: ${JSON.stringify(core.practice)}`)
  }
  await load(window)
}

async function fail(cause: unknown): Promise<void> {
  console.error(cause)
  await closeCore?.()
  await showStartProblem(cause, dataDir ?? app.getPath('userData'))
}

try {
  prepare()
  // Without the lock there is another instance: it hears of us, comes to the front, and we are done.
  if (app.requestSingleInstanceLock()) open().catch(fail)
  else app.quit()
} catch (cause) {
  void fail(cause)
}
