import { mkdirSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { type BrowserWindow, app } from 'electron'
import type { TillHost } from '../station/till'

/** Kiosk mode, the start with the computer, and the page as a PDF. */
interface ElectronTill extends TillHost {
  isKiosk(): boolean
  /** Keeps this window in kiosk mode while kiosk mode is on and the app isn't closing. */
  keep(window: BrowserWindow, isClosing: () => boolean): void
}

/** `onKiosk`: called at the start and on every change. */
export function createTillHost(onKiosk: (isKiosk: boolean) => void): ElectronTill {
  let isKiosk = false
  let kept: BrowserWindow | undefined

  return {
    isKiosk: () => isKiosk,
    setKiosk(wanted) {
      isKiosk = wanted
      onKiosk(wanted)
      if (kept && !kept.isDestroyed()) kept.setKiosk(wanted)
    },
    keep(window, isClosing) {
      kept = window
      // Kiosk mode is turned off in Settings, with the PIN. A page that crashed has no Settings: its window can be closed.
      const isHeld = () => isKiosk && !isClosing() && !window.webContents.isCrashed() && isOurs(window)
      window.on('close', (event) => {
        if (isHeld()) event.preventDefault()
      })
      window.on('leave-full-screen', () => {
        if (isHeld()) window.setKiosk(true)
      })
    },
    async pdf() {
      if (!kept || kept.isDestroyed() || !isOurs(kept)) return null
      try {
        return await kept.webContents.printToPDF({ pageSize: 'Letter', preferCSSPageSize: true, printBackground: true })
      } catch {
        // The page is being reloaded, or there is no printing in this build: the person still has the print dialog.
        return null
      }
    },
    startsWithComputer() {
      if (!app.isPackaged) return null
      return process.platform === 'linux' ? existsSync(autostartFile()) : app.getLoginItemSettings().openAtLogin
    },
    setStartsWithComputer(wanted) {
      if (!app.isPackaged) return
      if (process.platform === 'linux') writeAutostart(wanted)
      else app.setLoginItemSettings({ openAtLogin: wanted })
    },
  }
}

const isOurs = ({ webContents }: BrowserWindow) => webContents.getURL().startsWith('app:')

/** Electron has no login items on Linux; desktops start the files in this folder. Spec: XDG autostart. */
const autostartFile = () => {
  const { XDG_CONFIG_HOME } = process.env
  return join(XDG_CONFIG_HOME ?? join(app.getPath('home'), '.config'), 'autostart', 'countertag.desktop')
}

/** The AppImage file if there is one, because the program inside is unmounted when it quits. */
const program = () => process.env.APPIMAGE ?? process.execPath

function writeAutostart(wanted: boolean): void {
  const file = autostartFile()
  if (!wanted) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(dirname(file), { recursive: true })
  const command = `"${program().replaceAll(/["`$\\]/g, '\\$&')}"`
  writeFileSync(file, `[Desktop Entry]\nType=Application\nName=Countertag\nExec=${command}\nTerminal=false\n`)
}
