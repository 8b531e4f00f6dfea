import { BrowserWindow, app, screen } from 'electron'
import type { Log } from '../log'
import { appOrigin } from './protocol'
import { isReachable, readWindowState, writeWindowState } from './window-state'

/** The screens are drawn for this size and more (a till's usual 1024 x 768). */
const smallest = { width: 1024, height: 768 }
const usual = { width: 1280, height: 800 }
const shortestLifeMs = 10_000

export interface WindowParts {
  preload: string
  icon: string
  /** Where its place on the screen is remembered. */
  stateFile: string
  log: Log
}

/** Makes the one window, where it was last time. It stays hidden and empty until `load`. */
export function createWindow({ preload, icon, stateFile, log }: WindowParts): BrowserWindow {
  const saved = readWindowState(stateFile)
  const workAreas = screen.getAllDisplays().map((display) => display.workArea)
  const window = new BrowserWindow({
    ...(saved && isReachable(saved.bounds, workAreas) ? saved.bounds : usual),
    minWidth: smallest.width,
    minHeight: smallest.height,
    title: 'Countertag',
    icon,
    show: false,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      devTools: !app.isPackaged,
      // Its dictionaries would come from a server on the internet.
      spellcheck: false,
    },
  })
  window.once('ready-to-show', () => {
    if (saved?.isMaximized) window.maximize()
    window.show()
  })
  window.on('close', () => {
    writeWindowState(stateFile, { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() })
  })
  reloadAfterCrash(window, log)
  return window
}

/** Loads our page. */
export const load = (window: BrowserWindow): Promise<void> => window.loadURL(`${appOrigin}/`)

/** Answers to a second start of the app: the window that is there comes to the front. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** A page that dies takes nothing with it, for the core lives in main: it is loaded again, unless it dies at once. */
function reloadAfterCrash(window: BrowserWindow, log: Log): void {
  let startedAt = Date.now()
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return
    const lifeMs = Date.now() - startedAt
    log.error('the page is gone', { reason, exitCode, lifeMs })
    if (lifeMs < shortestLifeMs) return
    startedAt = Date.now()
    window.webContents.reload()
  })
}
