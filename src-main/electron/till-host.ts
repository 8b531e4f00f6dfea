import { mkdirSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { type BrowserWindow, app } from 'electron'
import type { TillHost } from '../station/till'

/** The window fills the display and can't be left, and the app starts with the computer, if a person wants so. */
export interface ElectronTill extends TillHost {
  /** The window that kiosk mode is about, from now on. */
  apply(window: BrowserWindow): void
}

export function createTillHost(): ElectronTill {
  let isKiosk = false
  let isQuitting = false
  let kept: BrowserWindow | undefined
  app.on('before-quit', () => {
    isQuitting = true
  })

  return {
    setKiosk(wanted) {
      isKiosk = wanted
      if (kept && !kept.isDestroyed() && kept.isKiosk() !== wanted) kept.setKiosk(wanted)
    },
    apply(window) {
      kept = window
      window.on('close', (event) => {
        // Left by the PIN, in Settings. A page that died has no Settings: then the window closes.
        if (isKiosk && !isQuitting && !window.webContents.isCrashed() && isOurs(window)) event.preventDefault()
      })
      if (isKiosk) window.setKiosk(true)
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

/** Electron knows no login items on Linux; desktops start what lies here. Spec: XDG autostart. */
const autostartFile = () => {
  const { XDG_CONFIG_HOME } = process.env
  return join(XDG_CONFIG_HOME ?? join(app.getPath('home'), '.config'), 'autostart', 'countertag.desktop')
}

/** Of an AppImage the file that was started: its program is gone with it. */
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
