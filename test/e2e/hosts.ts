import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { pageOrigin } from '../fakes/electron/chromium/origin'
import { type PracticeKnobs, practiceKnobs } from '../fakes/practice-admin'
import { removeFolder } from '../remove-folder'
import { keepLogs, keepPicture } from '../runtime/evidence'
import { type Quitting, createQuitting, launchBundles } from './bundles-host'
import { type RunningElectron, endElectron, launchElectron } from './electron-host'
import { type Stations, createStations } from './stations'

/** The built app in its host, outside the test process, with a fresh data folder and its own practice service. */
export interface RunningStation {
  /** Only in a browser does the page outlive a stopped core; in the other hosts it closes with the core. */
  host: 'browser' | 'bundles' | 'electron'
  url: string
  /** The data folder. */
  dataDir: string
  knobs: PracticeKnobs
  /**
   * Bundles only: every `window.open` of the page, and the addresses that main then opened in the person's default
   * browser.
   */
  opens?: () => { url: string; outside: string[] }[]
  /** Ends the app's process the way a power cut would. */
  kill(): Promise<void>
  /** Restarts the app on the same data; returns the new address. */
  start(): Promise<string>
}

const eachWorker = base.extend<object, { stations: Stations }>({
  stations: [
    async ({ browserName: _anyBrowser }, use) => {
      const stations = createStations()
      await use(stations)
      await stations.end()
    },
    { scope: 'worker' },
  ],
})

const hosted = eachWorker.extend<{ station: RunningStation }>({
  station: async ({ stations }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'countertag-e2e-'))
    let running = await stations.open(dataDir)
    const power = { isOn: true }
    await use({
      host: 'browser',
      get url() {
        return running.url
      },
      get knobs() {
        return practiceKnobs(running.adminUrl)
      },
      dataDir,
      async kill() {
        power.isOn = false
        await stations.kill()
      },
      async start() {
        running = await stations.open(dataDir)
        power.isOn = true
        return running.url
      },
    })
    if (power.isOn) stations.closeLater(dataDir)
    else await removeFolder(dataDir)
  },
})

const inElectron = eachWorker.extend<{ station: RunningStation; electron: RunningElectron; dataDir: string }>({
  dataDir: async ({ browserName: _anyBrowser }, use) => {
    await use(mkdtempSync(join(tmpdir(), 'countertag-e2e-')))
  },
  electron: async ({ dataDir }, use, info) => {
    const electron = await launchElectron(dataDir)
    await use(electron)
    if (info.status !== info.expectedStatus) {
      await keepPicture(electron.page, 'failed', info).catch(() => undefined)
      keepLogs(dataDir, info)
    }
    await endElectron(electron, dataDir)
  },
  page: async ({ electron }, use) => use(electron.page),
  station: async ({ electron, dataDir }, use) => {
    // After a power cut Electron opens another window, but the spec holds the page of the first window.
    const notHere = () => {
      base.skip(true, 'cuts the power: runs in the browser host only')
      return Promise.reject(new Error('skipped'))
    }
    await use({
      host: 'electron',
      url: 'app://countertag/',
      dataDir,
      knobs: electron.knobs,
      kill: notHere,
      start: notHere,
    })
  },
})

const inBundles = eachWorker.extend<{ station: RunningStation }, { quitting: Quitting }>({
  quitting: [
    async ({ browserName: _anyBrowser }, use) => {
      const quitting = createQuitting()
      await use(quitting)
      await quitting.end()
    },
    { scope: 'worker' },
  ],
  station: async ({ page, quitting }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'countertag-e2e-'))
    let running = await launchBundles(page, dataDir)
    const power = { isOn: true }
    await use({
      host: 'bundles',
      url: `${pageOrigin}/`,
      opens: () => running.windows.opens,
      get knobs() {
        return practiceKnobs(running.adminUrl)
      },
      dataDir,
      async kill() {
        power.isOn = false
        await running.kill()
      },
      async start() {
        running = await launchBundles(page, dataDir)
        power.isOn = true
        return `${pageOrigin}/`
      },
    })
    expect(running.windows.problems).toEqual([])
    if (power.isOn) quitting.later(running, dataDir)
    else await removeFolder(dataDir)
  },
})

const hosts: Readonly<Record<string, typeof hosted>> = { electron: inElectron, bundles: inBundles }

/** The specs' fixtures, in the host that the Playwright configuration names. */
export const host = hosts[process.env.COUNTERTAG_E2E_HOST ?? ''] ?? hosted
