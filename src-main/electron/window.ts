import { BrowserWindow, app, screen } from 'electron'
import type { Log } from '../log'
import { startPage } from '../support/start-page'
import type { StartProblem } from '../support/start-problem'
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
  /** What to say of a page that can't be kept alive. */
  pageProblem: () => StartProblem
}

/** Makes the one window, where it was last time. It stays hidden and empty until `load`. */
export function createWindow({ preload, icon, stateFile, log, pageProblem }: WindowParts): BrowserWindow {
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
  reloadAfterCrash(window, log, pageProblem)
  return window
}

/** Loads our page. */
export const load = (window: BrowserWindow): Promise<void> => window.loadURL(`${appOrigin}/`)

/** Not over app://, which may be what failed. The page says itself what it may load: nothing. */
export const showProblem = (window: BrowserWindow, problem: StartProblem): Promise<void> =>
  window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(startPage(problem))}`)

/** Answers to a second start of the app: the window that is there comes to the front. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/**
 * A page that dies takes nothing with it, for the core lives in main: it is loaded again. One that dies again at once would
 * do so for ever: then the window says what to do, instead of staying blank.
 */
function reloadAfterCrash(window: BrowserWindow, log: Log, problem: () => StartProblem): void {
  let diedAt = Number.NEGATIVE_INFINITY
  let isGivenUp = false
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || isGivenUp) return
    const lifeMs = Date.now() - diedAt
    diedAt = Date.now()
    log.error('the page is gone', { reason, exitCode })
    if (lifeMs >= shortestLifeMs) {
      window.webContents.reload()
      return
    }
    isGivenUp = true
    // Its window closes as ever, and with it the app in its usual order.
    showProblem(window, problem()).catch((cause: unknown) => {
      log.error('the page that says so can not be shown', { cause })
    })
  })
}
