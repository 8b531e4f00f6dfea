import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How long a failed download is not retried: behind a firewall each attempt would delay a start by 20 seconds. */
const restMs = 24 * 60 * 60 * 1000

/** @param {string} root */
const fileIn = (root) => join(root, 'node_modules/.cache/countertag/electron-download.json')

/**
 * Version of the Electron package that is installed.
 *
 * @param {string} root
 */
const electronVersion = (root) =>
  String(JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')).version)

/**
 * Remembers that its server could not be asked. Where that can't be written, the next start tries again.
 *
 * @param {string} root
 * @param {string} reason
 */
export function rememberFailure(root, reason) {
  try {
    mkdirSync(dirname(fileIn(root)), { recursive: true })
    const text = { electron: electronVersion(root), at: new Date().toISOString(), reason }
    writeFileSync(fileIn(root), `${JSON.stringify(text)}\n`)
  } catch {
    return
  }
}

/**
 * Why the download of this version failed within the last day, or undefined. A moment that is still to come was written
 * by a clock that has been set back since: it doesn't count.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
export function rememberedFailure(root) {
  try {
    const { electron, at, reason } = JSON.parse(readFileSync(fileIn(root), 'utf8'))
    const age = Date.now() - Date.parse(at)
    const counts = electron === electronVersion(root) && age >= 0 && age < restMs
    return counts && typeof reason === 'string' ? reason : undefined
  } catch {
    return undefined
  }
}

/** @param {string} root */
export function forgetFailure(root) {
  rmSync(fileIn(root), { force: true })
}
