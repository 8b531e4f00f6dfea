import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { runNode } from '../child.mjs'
import { forgetFailure, rememberFailure, rememberedFailure } from './failed-download.mjs'

/** How long the download may make no progress. Most machines without access are refused at once. */
const patienceMs = (Number(process.env.COUNTERTAG_DOWNLOAD_SECONDS) || 20) * 1000

/**
 * Why there is no runtime.
 *
 * @typedef {object} NoRuntime
 * @property {string} reason
 * @property {boolean} [wasAsked] whether its server was asked now; not there if no download comes into question
 * @property {boolean} [isRemembered] whether the next start leaves the server alone, for a day at most
 * @property {number} [stoppedWith] the code to end with, if we were told to stop meanwhile
 */

/**
 * Where the Electron runtime is, fetching it once with Electron's own installer if it is not there, or why it cannot
 * be had. A server that could not be reached is left alone for a day, unless `again`.
 *
 * @param {string} root
 * @param {{ again: boolean }} options
 * @returns {Promise<{ path: string } | NoRuntime>}
 */
export async function electronRuntime(root, { again }) {
  const there = installed(root)
  if (there) return { path: there }
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) {
    return { reason: `there is none in ${process.env.ELECTRON_OVERRIDE_DIST_PATH}` }
  }
  if (process.env.COUNTERTAG_NO_DOWNLOAD) return { reason: 'COUNTERTAG_NO_DOWNLOAD is set' }
  if (process.env.CI === 'true') return { reason: 'not tried, for CI is set' }

  const remembered = again ? undefined : rememberedFailure(root)
  if (remembered !== undefined) return { reason: remembered, wasAsked: false, isRemembered: true }

  console.log("Fetching Electron's runtime, this once (about 120 MB) ...")
  const { reason, isOfNetwork, stoppedWith } = await download(root)
  if (stoppedWith !== undefined) return { reason, stoppedWith }
  const path = installed(root)
  if (path) {
    forgetFailure(root)
    return { path }
  }
  // A full disk or a read-only folder gets fixed by a person: the next start tries again.
  if (isOfNetwork) rememberFailure(root, reason)
  return { reason, wasAsked: true, isRemembered: isOfNetwork }
}

/** Where the program is in a runtime for this system, as Electron's own installer names it. */
function program() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron'
  return process.platform === 'win32' ? 'electron.exe' : 'electron'
}

/** @param {string} root */
function installed(root) {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH || join(root, 'node_modules/electron/dist')
  const path = join(folder, program())
  return existsSync(path) ? path : undefined
}

/**
 * Runs the installer until it ends or nothing arrives any more; resolves with what went wrong, in a few words.
 *
 * @param {string} root
 * @returns {Promise<{ reason: string, isOfNetwork: boolean, stoppedWith?: number }>}
 */
async function download(root) {
  const folder = join(root, 'node_modules/electron')
  const arriving = mkdtempSync(join(tmpdir(), 'countertag-electron-'))
  const stopper = new AbortController()
  const watch = setInterval(
    lookFor(
      () => bytesIn(arriving) + bytesIn(join(folder, 'dist')),
      () => stopper.abort(),
    ),
    500,
  )
  let said = ''
  try {
    const ending = await runNode([join(folder, 'install.js')], {
      cwd: folder,
      signal: stopper.signal,
      env: { ...process.env, TMPDIR: arriving, TEMP: arriving, TMP: arriving },
      onOutput: (text) => {
        said += text
      },
    })
    if (ending.asked) return { reason: 'it was stopped', isOfNetwork: false, stoppedWith: ending.code }
    return { reason: reasonIn(said), isOfNetwork: isOfNetwork(said) }
  } catch {
    return stopper.signal.aborted
      ? { reason: `nothing came for ${patienceMs / 1000} s`, isOfNetwork: true }
      : { reason: 'its installer did not start', isOfNetwork: false }
  } finally {
    clearInterval(watch)
    rmSync(arriving, { recursive: true, force: true })
  }
}

/**
 * Calls `onStill` when the number has not changed for as long as our patience lasts.
 *
 * @param {() => number} measure
 * @param {() => void} onStill
 */
function lookFor(measure, onStill) {
  let last = -1
  let changedAt = Date.now()
  return () => {
    const now = measure()
    if (now !== last) changedAt = Date.now()
    last = now
    if (Date.now() - changedAt > patienceMs) onStill()
  }
}

/** @param {string} folder */
function bytesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => statSync(join(folder, String(name)), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0)
  } catch {
    return 0
  }
}

/**
 * The first line of what the installer said that names an error, without its class name.
 *
 * @param {string} said
 */
function reasonIn(said) {
  const line = said.split('\n').find((each) => /error|ENOTFOUND|ECONN|EAI_AGAIN|status|fail/i.test(each)) ?? ''
  const reason = line.trim().replace(/^\w*Error(\s\[\w+\])?:\s*/, '')
  // Node's fetch reports every network error this way.
  if (reason === 'fetch failed') return 'its server cannot be reached'
  return reason.slice(0, 160) || 'its installer gave no reason'
}

/**
 * Whether the installer failed at the network: at the server, on the way to it, or at a proxy.
 *
 * @param {string} said
 */
const isOfNetwork = (said) =>
  /fetch failed|terminated|Response code|\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/.test(
    said,
  )
