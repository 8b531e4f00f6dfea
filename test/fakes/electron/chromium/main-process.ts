import { resolve } from 'node:path'
import process from 'node:process'
import { preventable } from '../event'
import { FakeElectron } from '../index'
import type { FakeFrame } from '../ipc'
import { loadMain } from '../load'
import { type Answers, type Line, createLine } from './line'
import { toMain } from './questions'
import { ChromiumContents } from './contents'

const root = resolve(import.meta.dirname, '../../../..')

/**
 * Runs the built main script in this process, which was forked with the command line that Electron would have. Its
 * windows are pages of the parent process.
 */
export async function openMain(): Promise<void> {
  const post = (message: unknown) => {
    if (!process.send) throw new Error('to be forked by the process that has the pages')
    process.send(message)
  }
  const electron: FakeElectron = new FakeElectron({
    appPath: root,
    userData: root,
    hasLock: true,
    isPackaged: false,
    workAreas: [{ x: 0, y: 0, width: 1920, height: 1040 }],
    createContents: (source) => new ChromiumContents(source, line),
  })
  const line: Line = createLine(post, answersOf(electron))

  process.on('message', (message) => {
    line.receive(message)
  })
  // The process with the pages is gone: this one ends as well.
  process.on('disconnect', () => process.exit())
  electron.app.on('quit', (_event, code: number) => process.exit(code))

  await loadMain(resolve(root, 'out/main/electron.js'), electron)
  electron.app.becomeReady()
}

/** Electron's questions to the main script when a page wants something. */
function answersOf(electron: FakeElectron): Answers {
  const contentsOf = (id: number) => electron.app.windows.find(({ contents }) => contents.id === id)?.contents

  return {
    async fetch(input) {
      const { url, method } = toMain.fetch.parse(input)
      const response = await electron.fetch(url, method)
      const body = new Uint8Array(await response.arrayBuffer())
      return { status: response.status, headers: [...response.headers], body }
    },
    invoke(input) {
      const { window, frame, channel, args } = toMain.invoke.parse(input)
      const { url, origin, isTop } = frame
      const parent: FakeFrame | null = isTop ? null : (contentsOf(window)?.mainFrame ?? null)
      return electron.ipcMain.deliver(window, { url, origin, parent }, channel, args)
    },
    mayNavigate(input) {
      const { window, url } = toMain.mayNavigate.parse(input)
      return contentsOf(window)?.attempt('will-navigate', url) ?? false
    },
    openWindow(input) {
      const { window, url } = toMain.openWindow.parse(input)
      const before = electron.openedOutside.length
      const isOpened = contentsOf(window)?.openWindow(url) ?? false
      return { isOpened, outside: electron.openedOutside.slice(before) }
    },
    preloadError(input) {
      const { window, message } = toMain.preloadError.parse(input)
      contentsOf(window)?.emit('preload-error', preventable({}), '', new Error(message))
    },
    quit: () => {
      electron.app.quit()
    },
  }
}
