import type { BrowserWindow } from 'electron'
import type { Log } from '../core/log'

/** A page that crashes again this soon after a crash, in ms, is assumed to crash forever. */
const shortestLife = 10_000
/** A hanging page may be busy: it has this long to recover, in ms. */
const patience = 15_000
const mostLines = 200
const longestLine = 500

/**
 * Reloads the page after a crash; nothing is lost, because the core runs in main. Gives up a page that crashes twice in a
 * row or has a failing preload: `giveUp` shows what to do instead. A hanging page is killed and then reloaded.
 */
export function keepAlive(window: BrowserWindow, log: Log, load: () => Promise<void>, giveUp: () => void) {
  const page = window.webContents
  let diedAt = Number.NEGATIVE_INFINITY
  let isGivenUp = false
  let isComingBack = false
  let hanging: NodeJS.Timeout | undefined

  const stopWaiting = () => {
    clearTimeout(hanging)
    hanging = undefined
  }
  const abandon = () => {
    if (isGivenUp) return
    isGivenUp = true
    stopWaiting()
    giveUp()
  }

  page.on('render-process-gone', (_event, { reason, exitCode }) => {
    stopWaiting()
    if (reason === 'clean-exit' || isGivenUp) return
    const life = Date.now() - diedAt
    diedAt = Date.now()
    log.error('the page is gone', { reason, exitCode })
    isComingBack = true
    // Electron can't start a new process for the page during this event.
    setImmediate(() => {
      if (window.isDestroyed()) return
      if (life < shortestLife) abandon()
      else if (page.getURL() === '') load().catch(abandon)
      else page.reload()
    })
  })
  page.on('did-finish-load', () => {
    isComingBack = false
  })
  page.on('preload-error', (_event, _path, cause) => {
    log.error('the preload failed', { cause })
    abandon()
  })
  window.on('unresponsive', () => {
    if (isGivenUp || hanging) return
    log.warn('the page hangs')
    hanging = setTimeout(() => {
      hanging = undefined
      if (window.isDestroyed()) return
      log.error('the page hung, and is ended')
      // Raises the same event as a crash, which reloads the page.
      page.forcefullyCrashRenderer()
    }, patience)
  })
  window.on('responsive', () => {
    if (hanging) log.info('the page answers again')
    stopWaiting()
  })
  window.on('closed', stopWaiting)
  logConsole(window, log)

  return {
    /** Whether the page is being reloaded after its process ended; then the earlier load no longer matters. */
    isComingBack: () => isComingBack,
  }
}

/** Logs the page's console errors, up to `mostLines` per load, because a page may repeat an error forever. */
function logConsole({ webContents }: BrowserWindow, log: Log): void {
  let lines = 0
  webContents.on('did-finish-load', () => {
    lines = 0
  })
  webContents.on('console-message', ({ level, message, sourceId, lineNumber }) => {
    if ((level !== 'error' && level !== 'warning') || ++lines > mostLines) return
    const said = { said: message.slice(0, longestLine), at: `${sourceId.slice(-longestLine)}:${lineNumber}` }
    if (level === 'error') log.error('the page says', said)
    else log.warn('the page says', said)
  })
}
