import { policyOfComputer } from '../policy/policy'
import { startPage } from '../support/start-page'
import { startProblemOf, writeStartReport } from '../support/start-problem'
import { type LinkFile, openInBrowser, writeLinkFile } from './opening'
import { appVersion, parseOptions } from './options'
import { type ServedStation, serveStation } from './serve'
import { serveStartProblem } from './server'

/** The app in a browser on this machine: development, practice, tests, machines without Electron. */

const options = parseOptions(process.argv.slice(2))
if (!options.ok) fail(options.error)

const { dataDir, port, open } = options.value

let station: ServedStation | undefined
let linkFile: LinkFile | undefined
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
  station = await serveStation({ ...options.value, onDeath: giveUp, onEntered: () => linkFile?.remove(), policy })
  process.on('exit', () => linkFile?.remove())
  process.on('SIGINT', () => void close())
  process.on('SIGTERM', () => void close())

  if (station.practice) console.log(`Practice service: ${JSON.stringify(station.practice)}`)
  console.log(`Ready: ${station.url}`)
  if (open) {
    linkFile = writeLinkFile(station.link)
    if (linkFile) await openInBrowser(linkFile.url)
  }
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
