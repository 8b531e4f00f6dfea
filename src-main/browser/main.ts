import { platform } from 'node:os'
import { policyOfComputer } from '../policy/policy'
import { startPage } from '../support/start-page'
import { startProblemOf, writeStartReport } from '../support/start-problem'
import { appVersion, parseOptions } from './options'
import { type ServedStation, serveStation } from './serve'
import { serveStartProblem } from './server'

/** The app in a browser on this machine: development, practice, tests, machines without Electron. */

const options = parseOptions(process.argv.slice(2))
if (!options.ok) fail(options.error)

const { dataDir, port, open } = options.value

let station: ServedStation | undefined
let isClosing = false

/** Ends the process with this code, once. */
async function close(code = 0): Promise<void> {
  if (isClosing) return
  isClosing = true
  await station?.close().catch((cause: unknown) => {
    station?.log.error('closing failed', { cause })
  })
  process.exit(code)
}

/** After an uncaught error the state is unknown, so the process ends; the page shows that it lost its host. */
function giveUp(cause: unknown): void {
  station?.log.error('uncaught error', { cause })
  if (isClosing) return
  const reportFile = writeStartReport(cause, { dataDir, version: appVersion })
  console.error(startProblemOf(cause, { dataDir, reportFile }).sentence)
  void close(1)
}
process.on('uncaughtException', giveUp)
process.on('unhandledRejection', giveUp)

try {
  const policy = policyOfComputer({ isPackaged: false })
  station = await serveStation({ ...options.value, onDeath: giveUp, policy })
  process.on('SIGINT', () => void close())
  process.on('SIGTERM', () => void close())

  if (station.practice) console.log(`Practice service: ${JSON.stringify(station.practice)}`)
  console.log(`Ready: ${station.url}`)
  if (open) await openInBrowser(station.url)
} catch (cause) {
  if (isPortTaken(cause)) fail(`Port ${port} is taken. Choose another with --port, or leave it out.`)
  await tell(cause)
}

/** Prints one sentence and, if a browser would be opened, shows the page with what to do until the command is ended. */
async function tell(cause: unknown): Promise<void> {
  const reportFile = writeStartReport(cause, { dataDir, version: appVersion })
  const problem = startProblemOf(cause, { dataDir, reportFile })
  if (!open) fail(problem.sentence)
  console.error(problem.sentence)
  const url = await serveStartProblem(startPage(problem))
  process.exitCode = 1
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  console.log(`What to do: ${url}`)
  await openInBrowser(url)
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

function isPortTaken(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'EADDRINUSE'
}

/** Opens a URL in the default browser, if there is one. Failing is harmless, because the URL is printed as well. */
async function openInBrowser(url: string): Promise<void> {
  // Loaded only now, when the station is ready.
  const { spawn } = await import('node:child_process')
  const [command, ...args] = opener(url)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

function opener(url: string): [string, ...string[]] {
  if (platform() === 'darwin') return ['open', url]
  // The empty string is the window's title; otherwise `start` would use the URL as the title.
  return platform() === 'win32' ? ['cmd', '/c', 'start', '', url] : ['xdg-open', url]
}
