import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { run, runNode } from './child.mjs'
import { requireNode } from './node-version.mjs'
import { flagList, readFlags } from './start/flags.mjs'
import { electronRuntime } from './start/runtime.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Half of the usual space for young objects, in MB: 10 MB less after a shift, and no slower start. The bench does the same. */
const youngObjects = '--max-semi-space-size=8'

/**
 * Starts the app: in Electron, or in the browser where Electron's runtime cannot be had. Resolves with the exit code.
 *
 * @param {import('./start/flags.mjs').Flags} flags
 */
async function start(flags) {
  if (flags.dev) {
    const ending = await runNode(['--import', 'tsx', 'src-main/browser/main.ts', '--dev', ...flags.host], { cwd: root })
    return ending.code
  }
  // The tests start the existing build, even while sources are being edited.
  if (!process.env.COUNTERTAG_NO_BUILD && !isBuilt(root)) {
    console.log('Building ...')
    if (!(await build(root))) return 1
  }
  if (!flags.browser) {
    const code = await startElectron(flags)
    if (code !== undefined) return code
  }
  return (await runNode([youngObjects, join(root, 'out/main/browser.js'), ...flags.host])).code
}

/**
 * Resolves with the exit code, or, after saying so in one line, with nothing if Electron cannot run here.
 *
 * @param {import('./start/flags.mjs').Flags} flags
 */
async function startElectron(flags) {
  const obstacle = obstacleToElectron()
  if (obstacle) return inBrowserBecause(`Electron cannot run here (${obstacle})`)

  const runtime = await electronRuntime(root, { again: flags.download })
  // A person who stops a start doesn't want a browser instead.
  if ('reason' in runtime) return runtime.stoppedWith ?? inBrowserWithout(runtime)

  const startedAt = Date.now()
  const ending = await run(runtime.path, [root, ...flags.electron]).catch(() => undefined)
  if (ending === undefined) return inBrowserBecause("Electron's runtime could not be started")
  // A missing system library is code 127, a kernel that forbids the sandbox a signal: both before any window opens.
  const crashedAtOnce = (ending.signal !== null || ending.code === 127) && Date.now() - startedAt < 10_000
  if (crashedAtOnce && !ending.asked) return inBrowserBecause('Electron could not start on this machine')
  return ending.code
}

/** Known reasons why starting Electron would fail. */
function obstacleToElectron() {
  // A runtime named explicitly is assumed to work.
  if (process.platform !== 'linux' || process.env.ELECTRON_OVERRIDE_DIST_PATH) return undefined
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display'
  // Chromium refuses to run as root with its sandbox, and we never run it without one.
  if (process.getuid?.() === 0) return 'it does not run as root'
  return undefined
}

/** @param {import('./start/runtime.mjs').NoRuntime} runtime */
function inBrowserWithout({ reason, wasAsked = true, isRemembered = false }) {
  const when = wasAsked ? '' : ' when it was last tried'
  return inBrowserBecause(
    `Electron's runtime could not be downloaded${when} (${reason})`,
    isRemembered ? ' It is tried again after a day, or now with `npm start -- --download`.' : '',
  )
}

/**
 * @param {string} reason
 * @param {string} [advice]
 */
function inBrowserBecause(reason, advice = '') {
  console.log(`${reason}: starting in the browser instead.${advice}`)
  return undefined
}

requireNode()
const read = readFlags(process.argv.slice(2))
if ('problem' in read) {
  console.error(`${read.problem}\n${flagList}`)
  process.exit(1)
}
process.exitCode = await start(read.flags)
