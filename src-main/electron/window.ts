import { BrowserWindow, app, screen } from 'electron'
import type { Log } from '../log'
import { startPage } from '../support/start-page'
import type { StartProblem } from '../support/start-problem'
import { keepAlive } from './page-life'
import { placementOf, readWindowState, refit, writeWindowState } from './placement'
import { appOrigin } from './protocol'

interface WindowParts {
  preload: string
  icon: string
  /** Where its place on the screen is remembered. */
  stateFile: string
  log: Log
  /** Whether the window is to fill its display for good. */
  isKiosk: () => boolean
  /** What to say of a page that can't be kept alive. */
  pageProblem: () => StartProblem
}

/** Makes the one window, where it was last time. It stays hidden and empty until `load`. */
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
      // Its dictionaries would come from a server on the internet.
      spellcheck: false,
    },
  })
  const page = window.webContents
  // The menu is only there for its keyboard shortcuts.
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
      // On Windows and Linux a window in kiosk mode says the same of itself.
      isFullScreen: window.isFullScreen() && !isKiosk(),
      zoomLevel: page.getZoomLevel(),
    })
  }
  window.on('close', remember)
  // After this Windows ends the process without closing anything.
  window.on('session-end', remember)
  followDisplays(window)
  const load = async () => {
    try {
      await window.loadURL(`${appOrigin}/`)
    } catch (cause) {
      // The window was closed, or another load took the place of this one.
      if (!window.isDestroyed() && !isAborted(cause)) throw cause
    }
  }
  const life = keepAlive({
    window,
    log,
    load,
    giveUp() {
      // Its window closes as ever, and with it the app in its usual order.
      showProblem(window, pageProblem())
        .catch((cause: unknown) => {
          log.error('the page that says so can not be shown', { cause })
        })
        .finally(() => {
          if (window.isDestroyed()) return
          // It has no Settings in which kiosk mode could be left, and a touch screen has no keys.
          window.setKiosk(false)
          window.setFullScreen(false)
        })
    },
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

/** Keeps the window inside what its display leaves to it: a taskbar that grows, a display that is turned or unplugged. */
function followDisplays(window: BrowserWindow): void {
  const follow = () => {
    if (window.isMinimized()) return
    const before = window.getNormalBounds()
    const { bounds, minimum } = refit(before, workAreas())
    window.setMinimumSize(minimum.width, minimum.height)
    // What fills its display is fitted by the system.
    const isFilling = window.isMaximized() || window.isFullScreen() || window.isKiosk()
    const isMoved = (['x', 'y', 'width', 'height'] as const).some((side) => bounds[side] !== before[side])
    if (!isFilling && isMoved) window.setBounds(bounds)
  }
  // The smallest size depends on the display. The window stays where it was dragged to.
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

/** Not over app://, which may be what failed. The page says itself what it may load: nothing. */
export const showProblem = (window: BrowserWindow, problem: StartProblem): Promise<void> =>
  window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(startPage(problem))}`)

/** Brings the open window to the front, the till's or the one that shows a problem: after a second start, or a scan. */
export function bringToFront(): void {
  const window = BrowserWindow.getAllWindows().at(-1)
  if (!window) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** A page that was loaded has drawn by then, in ms, whatever `ready-to-show` says. */
const drawn = 1_500
/** The window is shown after this time in any case, in ms. */
const limit = 10_000

/**
 * Shows a hidden window as soon as there is something to see, once. Electron's `ready-to-show` may never come (Wayland,
 * broken graphics on Windows): then a page that was loaded, one that could not be, or time will do.
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
    // A load that gave way to another one is not a failure.
    if (isMainFrame && code !== -3) reveal()
  })
  window.on('closed', () => {
    clearTimeout(timer)
  })
}
