import { type BrowserWindow, type ContextMenuParams, Menu, type MenuItemConstructorOptions } from 'electron'
import type { Locale } from '../../src-shared/ipc/contract/app'

/** The system doesn't translate roles, so each is named here. */
const names = {
  en: {
    about: 'About Countertag',
    hide: 'Hide Countertag',
    hideOthers: 'Hide Others',
    unhide: 'Show All',
    quit: 'Quit Countertag',
    edit: 'Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    view: 'View',
    resetZoom: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    togglefullscreen: 'Full Screen',
    window: 'Window',
    minimize: 'Minimize',
    zoom: 'Zoom',
    close: 'Close',
  },
  es: {
    about: 'Acerca de Countertag',
    hide: 'Ocultar Countertag',
    hideOthers: 'Ocultar otros',
    unhide: 'Mostrar todo',
    quit: 'Salir de Countertag',
    edit: 'Edición',
    undo: 'Deshacer',
    redo: 'Rehacer',
    cut: 'Cortar',
    copy: 'Copiar',
    paste: 'Pegar',
    selectAll: 'Seleccionar todo',
    view: 'Ver',
    resetZoom: 'Tamaño real',
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    togglefullscreen: 'Pantalla completa',
    window: 'Ventana',
    minimize: 'Minimizar',
    zoom: 'Zoom',
    close: 'Cerrar',
  },
} satisfies Record<Locale, Record<string, string>>

type MenuName = keyof (typeof names)['en']
type Role = Exclude<MenuName, 'edit' | 'view' | 'window'>

/** The menu items removed in kiosk mode. */
const waysOut = new Set<Role>(['togglefullscreen', 'quit', 'close', 'minimize', 'hide', 'hideOthers'])

const separator = { type: 'separator' } as const

/**
 * The menu bar is hidden on Windows and Linux; its shortcuts for zoom and full screen still work. macOS always shows one,
 * and Cmd-C needs its edit menu. In kiosk mode no menu item leaves the app.
 */
export function setMenu(locale: Locale, isKiosk: boolean): void {
  const item = (role: Role): MenuItemConstructorOptions => {
    return { role, label: names[locale][role], enabled: !isKiosk || !waysOut.has(role) }
  }
  const menu = (name: 'edit' | 'view' | 'window', submenu: MenuItemConstructorOptions[]) => {
    return { label: names[locale][name], submenu }
  }
  const view = menu('view', [item('resetZoom'), item('zoomIn'), item('zoomOut'), separator, item('togglefullscreen')])
  const isMac = process.platform === 'darwin'
  const app = {
    label: 'Countertag',
    submenu: [item('about'), separator, item('hide'), item('hideOthers'), item('unhide'), separator, item('quit')],
  }
  const edit = menu('edit', [
    item('undo'),
    item('redo'),
    separator,
    item('cut'),
    item('copy'),
    item('paste'),
    item('selectAll'),
  ])
  const window = menu('window', [item('minimize'), item('zoom'), item('close')])
  Menu.setApplicationMenu(Menu.buildFromTemplate(isMac ? [app, edit, view, window] : [view]))
}

/** A context menu with cut, copy and paste where they apply, opened by right-click, the menu key or a long press. */
export function offerEditing(window: BrowserWindow, locale: () => Locale): void {
  window.webContents.on('context-menu', (_event, params) => {
    const roles = rolesFor(params)
    if (roles.length === 0) return
    const menu = Menu.buildFromTemplate(roles.map((role) => ({ role, label: names[locale()][role] })))
    const { x, y, menuSourceType: sourceType, frame } = params
    menu.popup({ window, x, y, sourceType, ...(frame && { frame }) })
  })
}

const rolesFor = ({ isEditable, selectionText }: ContextMenuParams): Role[] => {
  const isSelected = selectionText.trim() !== ''
  if (!isEditable) return isSelected ? ['copy'] : []
  return isSelected ? ['cut', 'copy', 'paste', 'selectAll'] : ['paste', 'selectAll']
}
