import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostKeychain } from '../credentials/host-keychain'
import { openStation } from '../station/station'
import { startPage } from '../support/start-page'
import { startProblemOf } from '../support/start-problem'
import { writeStartReport } from '../support/start-report'
import { appVersion } from '../version'
import { developmentHeaders, servePagesFromSource } from './development'
import { openInBrowser } from './open'
import { parseOptions } from './options'
import { startBrowserHost } from './server'
import { serveStartProblem } from './start-problem'
import { createStaticFiles } from './static-files'

/** The app in a browser on this machine: development, practice, tests, machines without Electron. */

const options = parseOptions(process.argv.slice(2))
if (!options.ok) fail(options.error)

const repository = findRepository(dirname(fileURLToPath(import.meta.url)))
const { dataDir, profile, port, development, open } = options.value

try {
  const app = await openStation({
    dataDir,
    resourcesDir: join(repository, 'resources'),
    version: appVersion,
    licencesFile: join(repository, 'out', 'licences.txt'),
    keychain: hostKeychain(process.env),
    startWith: profile,
  })
  const host = await startBrowserHost({
    app,
    port,
    ...(development
      ? { pages: (server) => servePagesFromSource(repository, server), headers: developmentHeaders }
      : { pages: () => Promise.resolve(createStaticFiles(join(repository, 'out', 'renderer'))) }),
  }).catch(async (cause: unknown) => {
    await app.close()
    throw cause
  })

  let isClosing = false
  const close = async () => {
    if (isClosing) return
    isClosing = true
    await host.close()
    await app.close()
    process.exit(0)
  }
  process.on('SIGINT', () => void close())
  process.on('SIGTERM', () => void close())

  if (app.practice) console.log(`Practice service: ${JSON.stringify(app.practice)}`)
  console.log(`Ready: ${host.url}`)
  if (open) openInBrowser(host.url)
} catch (cause) {
  if (isPortTaken(cause)) fail(`Port ${port} is taken. Choose another with --port, or leave it out.`)
  await tell(cause)
}

/** One sentence, and to a person who waits for a browser the page that says what to do, until the command is ended. */
async function tell(cause: unknown): Promise<void> {
  const reportFile = writeStartReport(cause, { dataDir, version: appVersion })
  const problem = startProblemOf(cause, { dataDir, reportFile })
  if (!open) fail(problem.sentence)
  console.error(problem.sentence)
  const url = await serveStartProblem(startPage(problem))
  process.exitCode = 1
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  console.log(`What to do: ${url}`)
  openInBrowser(url)
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

/** Both from `out/main` and from the sources, the repository is the folder with the package.json. */
function findRepository(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return folder
  }
}

function isPortTaken(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'EADDRINUSE'
}
