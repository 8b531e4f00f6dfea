import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type BrowserWindow, app, dialog } from 'electron'
import { compose } from '../compose'
import { refuseNavigation, refusePermissions } from './hardening'
import { connect } from './ipc'
import { setMenu } from './menu'
import { readOptions } from './options'
import { registerAppScheme, serveRenderer } from './protocol'
import { closeBeforeQuit } from './quit'
import { startProblem } from './start-problem'
import { bringToFront, createWindow, load } from './window'

const built = join(import.meta.dirname, '..')

/**
 * The Electron host. `prepare` holds what Electron wants before it is ready, and so nothing is awaited before it; `open`
 * is the rest. What goes wrong in either is said in a dialog, and ends the app.
 */
function prepare(): void {
  const { dataDir } = readOptions(process.argv)
  if (dataDir !== undefined) {
    // Before the lock, which is one for each folder: two practice stations may run side by side.
    mkdirSync(dataDir, { recursive: true })
    app.setPath('userData', dataDir)
  }
  app.enableSandbox()
  registerAppScheme()
  refuseNavigation()
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
  const core = await compose({ dataDir: station, resourcesDir, version: app.getVersion() })
  closeBeforeQuit(core)

  window = createWindow({
    preload: join(built, 'preload/preload.cjs'),
    icon: join(resourcesDir, 'icons/countertag.png'),
    stateFile: join(station, 'window-state.json'),
    log: core.log,
  })
  connect(core, window)
  await load(window)
}

function fail(cause: unknown): void {
  console.error(cause)
  dialog.showErrorBox('Countertag cannot start', startProblem(cause))
  app.exit(1)
}

try {
  prepare()
  // Without the lock there is another instance: it hears of us, comes to the front, and we are done.
  if (app.requestSingleInstanceLock()) open().catch(fail)
  else app.quit()
} catch (cause) {
  fail(cause)
}
