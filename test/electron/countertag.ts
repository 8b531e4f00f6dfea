import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { type Client, type Wire, createClient } from '../../src-shared/ipc/client'
import { type ElectronKnobs, FakeElectron } from '../fakes/electron'
import { loadMain } from '../fakes/electron/load'
import type { FakePage } from '../fakes/electron/page'
import { root } from './root'

export const mainBundle = join(root, 'out/main/electron.js')

/** A new folder for a station, gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-electron-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Evaluates the built main script in a fake Electron, ready or not as Electron would be by then. */
export async function launch(knobs: Partial<ElectronKnobs> = {}, args: string[] = []): Promise<FakeElectron> {
  if (!existsSync(mainBundle)) throw new Error('out/ is missing: run `npm run build` first')
  const electron = new FakeElectron({
    appPath: root,
    userData: knobs.userData ?? newFolder(),
    hasLock: true,
    isPackaged: false,
    workAreas: [{ x: 0, y: 0, width: 1920, height: 1040 }],
    ...knobs,
  })
  const before = process.argv
  process.argv = ['electron', root, ...args]
  try {
    await loadMain(mainBundle, electron)
  } finally {
    process.argv = before
  }
  electron.app.becomeReady()
  onTestFinished(() => quit(electron))
  return electron
}

/** Starts Countertag and waits until its window is shown. */
export async function openCountertag(knobs: Partial<ElectronKnobs> = {}, args: string[] = []): Promise<FakeElectron> {
  const electron = await launch(knobs, args)
  await vi.waitUntil(() => electron.errorBoxes.length > 0 || electron.app.windows[0]?.history.includes('show'), 15_000)
  return electron
}

/** Quits and waits for the end. */
export async function quit(electron: FakeElectron): Promise<void> {
  if (electron.app.exitCode === undefined) electron.app.quit()
  await vi.waitUntil(() => electron.app.exitCode !== undefined, 10_000)
}

const isFunction = (value: unknown) => typeof value === 'function'
const isWire = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && 'invoke' in value && isFunction(value.invoke) && 'subscribe' in value

/** What the preload gave the page. */
export function wireOf(page: FakePage | undefined): Wire {
  const wire = page?.world.get('countertag')
  if (!isWire(wire)) throw new Error('The page has no wire')
  return wire
}

/** The client as the renderer makes it, over the real preload. */
export const clientOf = (electron: FakeElectron): Client => createClient(wireOf(electron.window.webContents.page))
