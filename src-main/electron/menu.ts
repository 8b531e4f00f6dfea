import { Menu } from 'electron'

/**
 * No menu bar at a till. macOS always has one, and without the edit menu no Cmd-C there; roles only, so the system
 * names and translates them.
 */
export function setMenu(): void {
  const menu =
    process.platform === 'darwin'
      ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
      : null
  Menu.setApplicationMenu(menu)
}
