import { app, BrowserWindow, dialog, screen } from 'electron'
import type { Log } from '../core/log'
import { startPage } from '../support/start-page'
import { type StartProblem, startProblemOf, writeStartReport } from '../support/start-problem'
import { keepAlive } from './page-life'
import { placementOf, readWindowState, refit, writeWindowState } from './placement'
import { appOrigin } from './protocol'

interface WindowParts {
  preload: string
  icon: string
  /** The file for the window's position. */
  stateFile: string
  log: Log
  /** Whether kiosk mode is on. */
  isKiosk: () => boolean
  /** The problem to show for a page that can't be kept alive. */
  pageProblem: () => StartProblem
}

/** Creates the only window at its last position. It stays hidden and empty until `load`. */
export function createWindow({ preload, icon, stateFile, log, isKiosk, pageProblem }: WindowParts) {
  const saved = readWindowState(stateFile)
  const { bounds, minimum, isMaximized } = placementOf(saved, workAreas())
  const window = new BrowserWindow({
    ...bounds,
    minWidth: minimum.width,
    minHeight: minimum.height,
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
      // Dictionaries would be downloaded from the internet.
      spellcheck: false,
    },
  })
  const page = window.webContents
  // The menu is only needed for its keyboard shortcuts.
  window.setMenuBarVisibility(false)
  showOnceThere(window, () => {
    if (isKiosk()) window.setKiosk(true)
    else if (saved?.isFullScreen) window.setFullScreen(true)
    else if (isMaximized) window.maximize()
    window.show()
  })
  page.once('did-finish-load', () => {
    if (saved) page.setZoomLevel(saved.zoomLevel)
  })
  const remember = () => {
    writeWindowState(stateFile, {
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
      // On Windows and Linux, a window in kiosk mode also counts as full screen.
      isFullScreen: window.isFullScreen() && !isKiosk(),
      zoomLevel: page.getZoomLevel(),
    })
  }
  window.on('close', remember)
  // Windows then ends the process without closing the window.
  window.on('session-end', remember)
  followDisplays(window)
  const load = async () => {
    try {
      await window.loadURL(`${appOrigin}/`)
    } catch (cause) {
      // An error after the window was closed or another load replaced this one is ignored.
      if (!window.isDestroyed() && !isAborted(cause)) throw cause
    }
  }
  const life = keepAlive(window, log, load, () => {
    // The window closes normally, and the app quits in its usual order.
    showProblem(window, pageProblem())
      .catch((cause: unknown) => {
        log.error('the page about the problem could not be shown', { cause })
      })
      .finally(() => {
        if (window.isDestroyed()) return
        // This page has no Settings for leaving kiosk mode, and a touch screen has no keys.
        window.setKiosk(false)
        window.setFullScreen(false)
      })
  })
  return {
    window,
    /** Loads the page. Rejects if it can't be loaded, but not if the window was closed or the page is being reloaded after a crash. */
    async load() {
      try {
        await load()
      } catch (cause) {
        if (!life.isComingBack()) throw cause
      }
    },
  }
}

export type TillWindow = ReturnType<typeof createWindow>

/** ERR_ABORTED. */
const isAborted = (cause: unknown) => cause instanceof Error && 'errno' in cause && cause.errno === -3

/** The main display first. */
function workAreas() {
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  return [main, ...others].map(({ workArea }) => workArea)
}

/** Keeps the window inside its display's work area when a taskbar grows or a display is rotated or unplugged. */
function followDisplays(window: BrowserWindow): void {
  const follow = () => {
    if (window.isMinimized()) return
    const before = window.getNormalBounds()
    const { bounds, minimum } = refit(before, workAreas())
    window.setMinimumSize(minimum.width, minimum.height)
    // The system fits windows that fill their display.
    const isFilling = window.isMaximized() || window.isFullScreen() || window.isKiosk()
    const isMoved = (['x', 'y', 'width', 'height'] as const).some((side) => bounds[side] !== before[side])
    if (!isFilling && isMoved) window.setBounds(bounds)
  }
  // The minimum size depends on the display. The window stays where it was dragged.
  const measure = () => {
    const { minimum } = refit(window.getNormalBounds(), workAreas())
    window.setMinimumSize(minimum.width, minimum.height)
  }
  window.on('moved', measure)
  screen.on('display-metrics-changed', follow)
  screen.on('display-added', follow)
  screen.on('display-removed', follow)
  window.on('closed', () => {
    screen.off('display-metrics-changed', follow)
    screen.off('display-added', follow)
    screen.off('display-removed', follow)
  })
}

/** Doesn't use app://, which may be what failed. The page's own policy lets it load nothing. */
const showProblem = (window: BrowserWindow, problem: StartProblem): Promise<void> =>
  window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(startPage(problem))}`)

/** Brings the open window (the till's or a problem's) to the front after a second start or a scan. */
export function bringToFront(): void {
  const window = BrowserWindow.getAllWindows().at(-1)
  if (!window) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** A loaded page has drawn by then, in ms, even without `ready-to-show`. */
const drawn = 1_500
/** The window is always shown after this time, in ms. */
const limit = 10_000

/**
 * Shows a hidden window once, as soon as there is something to see. Electron's `ready-to-show` may never come (Wayland,
 * broken graphics on Windows), so a loaded page, a failed load or a timeout also shows it.
 */
function showOnceThere(window: BrowserWindow, show: () => void): void {
  let timer: NodeJS.Timeout | undefined = setTimeout(reveal, limit)
  let isShown = false

  function reveal(): void {
    clearTimeout(timer)
    timer = undefined
    if (isShown || window.isDestroyed()) return
    isShown = true
    show()
  }
  window.once('ready-to-show', reveal)
  window.webContents.once('did-finish-load', () => {
    if (isShown || timer === undefined) return
    clearTimeout(timer)
    timer = setTimeout(reveal, drawn)
  })
  window.webContents.on('did-fail-load', (_event, code, _text, _url, isMainFrame) => {
    // A load that was replaced by another isn't a failure.
    if (isMainFrame && code !== -3) reveal()
  })
  window.on('closed', () => {
    clearTimeout(timer)
  })
}

/**
 * Shows the person why Countertag can't start, in a separate window; the app exits with code 1 once it is closed. If no
 * window can be opened, uses Electron's error box. Waits until Electron is ready.
 */
export async function showStartProblem(cause: unknown, dataDir: string): Promise<void> {
  const reportFile = writeStartReport(cause, { dataDir, version: app.getVersion() })
  const problem = startProblemOf(cause, { dataDir, reportFile })
  try {
    await app.whenReady()
    const window = new BrowserWindow({
      width: 1024,
      height: 768,
      title: 'Countertag',
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        javascript: false,
        devTools: false,
        spellcheck: false,
      },
    })
    window.on('closed', () => {
      app.exit(1)
    })
    await showProblem(window, problem)
  } catch (noWindow) {
    process.stderr.write(`${String(noWindow)}\n`)
    dialog.showErrorBox('Countertag cannot start', `${problem.sentence}\n\n${dataDir}`)
    app.exit(1)
  }
}
