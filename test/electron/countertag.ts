import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import { type Client, type Wire, createClient } from '../../src-shared/ipc/client'
import { type ElectronKnobs, FakeElectron } from '../fakes/electron'
import { loadMain } from '../fakes/electron/load'
import type { FakePage } from '../fakes/electron/page'
import type { FakeWindow } from '../fakes/electron/window'
import { removeFolder } from '../remove-folder'
import { root } from './root'

const mainBundle = join(root, 'out/main/electron.js')

/** Registers cleanup for the end of a test or group of tests; runs in reverse order. */
type AtEnd = (end: () => void | Promise<void>) => void

/** A new data folder for a station, deleted after the test. */
export function newFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-electron-'))
  // An app that was told to stop may still be closing its files.
  atEnd(() => removeFolder(folder))
  return folder
}

/** Evaluates the built main script in a fake Electron that is ready, or not yet, as Electron would be. */
export async function launch(
  knobs: Partial<ElectronKnobs> = {},
  args: string[] = [],
  atEnd: AtEnd = onTestFinished,
): Promise<FakeElectron> {
  if (!existsSync(mainBundle)) throw new Error('out/ is missing: run `npm run build` first')
  const electron = new FakeElectron({
    appPath: root,
    userData: knobs.userData ?? newFolder(atEnd),
    hasLock: true,
    isPackaged: false,
    workAreas: [{ x: 0, y: 0, width: 1920, height: 1040 }],
    ...knobs,
  })
  const before = process.argv
  // In Electron these listeners end with the app's process; here they must be removed from the test's.
  const exceptions = process.listeners('uncaughtException')
  const rejections = process.listeners('unhandledRejection')
  atEnd(() => {
    for (const each of process.listeners('uncaughtException')) {
      if (!exceptions.includes(each)) process.off('uncaughtException', each)
    }
    for (const each of process.listeners('unhandledRejection')) {
      if (!rejections.includes(each)) process.off('unhandledRejection', each)
    }
  })
  process.argv = ['electron', root, ...args]
  try {
    await loadMain(mainBundle, electron)
  } finally {
    process.argv = before
  }
  electron.app.becomeReady()
  atEnd(() => quit(electron))
  return electron
}

/** Starts Countertag and waits until its window is shown. */
export async function openCountertag(
  knobs: Partial<ElectronKnobs> = {},
  args: string[] = [],
  atEnd: AtEnd = onTestFinished,
): Promise<FakeElectron> {
  const electron = await launch(knobs, args, atEnd)
  const isThere = ({ history, document }: FakeWindow) =>
    history.includes('show') || (history.includes('load data:') && document !== '')
  await soon(() => electron.errorBoxes.length > 0 || electron.app.windows.some(isThere))
  return electron
}

/** One Countertag for all tests of a file or group; those tests must only read from it. */
export function sharedCountertag(): () => FakeElectron {
  const ends: Parameters<AtEnd>[0][] = []
  let electron: FakeElectron | undefined
  beforeAll(async () => {
    electron = await openCountertag({}, [], (end) => ends.unshift(end))
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })
  return () => {
    if (electron === undefined) throw new Error('It is started before the first test, not before')
    return electron
  }
}

const soon = (isSo: () => unknown) => vi.waitUntil(isSo, { timeout: 15_000, interval: 10 })

/** Quits and waits for the end. */
export async function quit(electron: FakeElectron): Promise<void> {
  if (electron.app.exitCode === undefined) electron.app.quit()
  await soon(() => electron.app.exitCode !== undefined)
}

const isFunction = (value: unknown) => typeof value === 'function'
const isWire = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && 'invoke' in value && isFunction(value.invoke) && 'subscribe' in value

/** The API that the preload exposed to the page. */
export function wireOf(page: FakePage | undefined): Wire {
  const wire = page?.world.get('countertag')
  if (!isWire(wire)) throw new Error('The page has no wire')
  return wire
}

/** The client as the renderer creates it, over the real preload. */
export const clientOf = (electron: FakeElectron): Client => createClient(wireOf(electron.window.webContents.page))
