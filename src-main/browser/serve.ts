import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostKeychain } from '../credentials/os-keychain'
import { openStation } from '../station/station'
import type { StationSurroundings } from '../station/station-context'
import { type Options, appVersion } from './options'
import { createStaticFiles, developmentHeaders, servePagesFromSource } from './pages'
import { createSecretFile } from './secret-file'
import { startBrowserHost } from './server'

/**
 * Opens a station and serves it to a browser on this machine. A separate entry of the build, so that a program can run
 * many stations in one process without starting the command for each. Throws AppStartError, or an error if the port is
 * taken.
 */
export async function serveStation({
  dataDir,
  profile,
  port,
  development,
  onDeath = () => undefined,
  onEntered = () => undefined,
  policy,
}: Omit<Options, 'open'> &
  Pick<StationSurroundings, 'onDeath' | 'policy'> & {
    /** Called once the one-time token was used. */
    onEntered?: () => void
  }) {
  const repository = findRepository(dirname(fileURLToPath(import.meta.url)))
  const secretFile = createSecretFile()
  const app = await openStation({
    dataDir,
    resourcesDir: join(repository, 'resources'),
    version: appVersion,
    licencesFile: join(repository, 'out', 'licences.txt'),
    keychain: hostKeychain(process.env),
    startWith: profile,
    secretOutlet: secretFile,
    policy,
    onDeath,
  })
  const host = await startBrowserHost({
    app,
    port,
    onEntered,
    secretFile,
    ...(development
      ? { pages: (server) => servePagesFromSource(repository, server), headers: developmentHeaders }
      : { pages: () => Promise.resolve(createStaticFiles(join(repository, 'out', 'renderer'))) }),
  }).catch(async (cause: unknown) => {
    await app.close()
    throw cause
  })
  return {
    /** The URL with the one-time token: `http://127.0.0.1:PORT/#TOKEN`. */
    url: host.url,
    /** The same URL as origin and token. */
    link: host.link,
    /** The practice service's URLs at the time the station was opened. */
    practice: app.practice,
    log: app.log,
    async close() {
      await host.close()
      await app.close()
    },
  }
}

export type ServedStation = Awaited<ReturnType<typeof serveStation>>

/** The repository is the folder with package.json, both from `out/main` and from the sources. */
function findRepository(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return folder
  }
}
