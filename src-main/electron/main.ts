import { join } from 'node:path'
import process from 'node:process'
import { app, crashReporter, powerMonitor, session } from 'electron'
import { hostKeychain, osKeychain } from '../credentials/os-keychain'
import { policyOfComputer } from '../policy/policy'
import { type Station, openStation } from '../station/station'
import { pageProblem } from '../support/start-problem'
import { makeFolder } from '../database/start-error'
import { readOptions, useLocalDataFolder } from './options'
import { avoidBrokenGpu } from './gpu'
import { createOutside, refuseNavigation, refuseNetwork, refusePermissions, refuseWeakening } from './hardening'
import { connect } from './ipc'
import { offerEditing, setMenu } from './menu'
import { registerAppScheme, serveRenderer } from './protocol'
import { type Quitting, closeBeforeQuit } from './quit'
import { bringToFront, createWindow, showStartProblem, type TillWindow } from './window'
import { createSecretClipboard } from './secret-clipboard'
import { createTillHost } from './till-host'
import { keepUpToDate } from './update-host'

const built = join(import.meta.dirname, '..')
const { dataDir, profile } = readOptions(process.argv)
const outside = createOutside()
/** Set once there is a core; a later failure closes it first. */
let core: Station | undefined
let quitting: Quitting | undefined
let till: TillWindow | undefined
let hasFailed = false

/**
 * The Electron host. `prepare` does what Electron requires before it is ready, so nothing is awaited before it; `open`
 * does the rest. A failure in either, or later, is shown on a separate page and ends the app. `prepare` returns false if
 * another process is already running.
 */
function prepare(): boolean {
  refuseWeakening()
  // First, so that both also apply to the page shown after a failure.
  app.enableSandbox()
  registerAppScheme()
  refuseNavigation(outside)
  // Must match the id in the installer's shortcut, or Windows shows two icons.
  if (process.platform === 'win32') app.setAppUserModelId('app.countertag.station')
  // Before the lock, which is per folder, so that two practice stations can run side by side.
  if (dataDir === undefined) {
    if (!useLocalDataFolder()) return false
  } else {
    makeFolder(dataDir)
    app.setPath('userData', dataDir)
  }
  // Crash dumps stay on this computer, beside the other data.
  const crashes = join(app.getPath('userData'), 'crashes')
  makeFolder(crashes)
  app.setPath('crashDumps', crashes)
  crashReporter.start({ uploadToServer: false })
  avoidBrokenGpu(join(app.getPath('userData'), 'gpu.json'), () => core?.log)
  return true
}

async function open(): Promise<void> {
  app.on('second-instance', bringToFront)
  // Quits on macOS too: a till that looks closed must not keep running.
  app.on('window-all-closed', () => {
    app.quit()
  })

  await app.whenReady()
  const language = app.getLocale().startsWith('es') ? 'es' : 'en'
  setMenu(language, false)
  refusePermissions(() => (till && !till.window.isDestroyed() ? till.window.webContents : undefined))
  refuseNetwork()
  serveRenderer(join(built, 'renderer'))

  const station = app.getPath('userData')
  const resourcesDir = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources')
  const tillHost = createTillHost((isKiosk) => {
    setMenu(language, isKiosk)
  })
  const policy = policyOfComputer({ isPackaged: app.isPackaged })
  const opened = await openStation({
    dataDir: station,
    startWith: profile,
    policy,
    resourcesDir,
    version: app.getVersion(),
    licencesFile: join(built, 'licences.txt'),
    onDeath: (cause) => void fail(cause),
    resolveProxy: (url) => session.defaultSession.resolveProxy(url),
    // In a packaged app, the environment must not decide where secrets are kept.
    keychain: app.isPackaged ? osKeychain() : hostKeychain(process.env),
    till: tillHost,
    secretOutlet: createSecretClipboard(),
  })
  core = opened
  const ending = closeBeforeQuit(opened)
  quitting = ending
  app.on('will-quit', keepUpToDate(opened, ending, policy?.updates))
  powerMonitor.on('resume', () => {
    opened.log.info('the computer woke up')
    opened.wokeUp()
  })

  till = createWindow({
    preload: join(built, 'preload/preload.cjs'),
    icon: join(resourcesDir, 'icons/countertag.png'),
    stateFile: join(station, 'window-state.json'),
    log: opened.log,
    isKiosk: () => tillHost.isKiosk(),
    pageProblem: () => pageProblem({ dataDir: station, reportFile: opened.diagnostics.files.logFile }),
  })
  const { window } = till
  ending.watchSession(window)
  tillHost.keep(window, () => ending.isClosing())
  connect(opened, window, outside)
  offerEditing(window, () => opened.diagnostics.status().locale)
  // HID scanners also work while another program is in front. The answer should be visible.
  const stop = opened.events.listen((name) => {
    if (name === 'scanner.scanned' && !window.isFocused()) bringToFront()
  })
  window.on('closed', stop)
  // For the end-to-end tests, which control the practice service.
  if (!app.isPackaged && process.env.COUNTERTAG_SAY_PRACTICE && opened.practice) {
    console.log(`Practice service: ${JSON.stringify(opened.practice)}`)
  }
  await till.load()
}

/** Ends the app after a failed start or an uncaught error, once: one mistake often causes another. */
async function fail(cause: unknown): Promise<void> {
  console.error(cause)
  core?.log.error('uncaught error', { cause })
  if (hasFailed) return
  hasFailed = true
  await quitting?.close()
  await showStartProblem(cause, dataDir ?? app.getPath('userData'))
  // The problem's window is already open, so this isn't the last window.
  if (till && !till.window.isDestroyed()) till.window.destroy()
}

process.on('uncaughtException', (cause) => void fail(cause))
process.on('unhandledRejection', (cause) => void fail(cause))

try {
  // Without the lock, another instance is running: it is notified and comes to the front, and this process quits.
  if (prepare() && app.requestSingleInstanceLock()) open().catch(fail)
  else app.quit()
} catch (cause) {
  void fail(cause)
}
