import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { ProfileId } from '../../src-shared/ipc/contract/station'
import { makeOwnFolder, namesIn, renameForGood, sync, takeLock, writeWhole } from '../database/files'
import { asStartError } from '../database/start-error'

interface Windows {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
}

/**
 * The local folder to use instead of a roaming one: on Windows in LOCALAPPDATA, under the same name. Returns `folder`
 * itself if it doesn't roam.
 */
export function localFolderFor(folder: string, { platform, environment }: Windows): string {
  const { APPDATA: roaming = '', LOCALAPPDATA: local = '' } = environment
  // A folder chosen by hand isn't moved.
  const roams = platform === 'win32' && roaming !== '' && isSamePath(dirname(folder), roaming)
  if (!roams) return folder
  // Without LOCALAPPDATA, as in some scheduled tasks: the local folder is next to the roaming one.
  return join(isAbsolute(local) ? local : join(dirname(folder), '..', 'Local'), basename(folder))
}

/** Paths on Windows ignore case. */
const isSamePath = (one: string, other: string) => resolve(one).toLowerCase() === resolve(other).toLowerCase()

/** The files in a data folder, beside one folder per profile. */
const files =
  /^(station\.json(\.last|\.damaged-.+)?|data\.key|window-state\.json|.+\.in-use\.json|countertag-start\.log)$/
const database = 'countertag.db'

/**
 * Names in a data folder created by Countertag, not by the runtime. The settings come first, so that a partly moved
 * folder is never taken for a complete one.
 */
function ownEntries(folder: string): string[] {
  const names = namesIn(folder)
  const profiles = names.filter((name) => isProfile(folder, name))
  return [...names.filter((name) => files.test(name)).sort(settingsFirst), ...profiles]
}

const settingsFirst = (one: string, other: string) => rank(one) - rank(other) || one.localeCompare(other)
const rank = (name: string) => (name === 'station.json' ? 0 : name.startsWith('station.json') ? 1 : 2)

const isProfile = (folder: string, name: string) =>
  ProfileId.safeParse(name).success && namesIn(join(folder, name)).some((inner) => inner.startsWith(database))

/** Whether a folder holds a station: settings, or a profile's database. */
const holdsStation = (folder: string): boolean =>
  ownEntries(folder).some((name) => /^station\.json(\.last)?$/.test(name) || isProfile(folder, name))

/** The database of a profile folder; undefined if the entry is a file. */
const databaseOf = (folder: string, name: string): string | undefined =>
  isProfile(folder, name) ? join(folder, name, database) : undefined

export interface DataMove {
  from: string
  to: string
  /** Replaces `renameSync` in tests, e.g. to fail between volumes. */
  rename?: ((from: string, to: string) => void) | undefined
  /** Called before each step, where tests interrupt the move. */
  atStep?: (step: string) => void
}

/** While this file exists, a move is under way, and either folder may hold only part of the station. */
const journalName = 'moving-data.json'
const Journal = z.object({ from: z.string(), entries: z.array(z.string()) })

/** A note in the old folder, for people and for later starts: new files in that folder are ignored. */
const noteName = 'moved-to-local.txt'

/** Suffixes of an entry that is being copied or has been copied. No version of the app uses entries with these suffixes. */
const leaving = '.moving-to-local'
const left = '.moved-to-local'
const arriving = '.arriving'

/** What to do with data in `from`: `finish` an interrupted move, `begin` a move, or nothing. */
export function moveDue({ from, to }: Pick<DataMove, 'from' | 'to'>): 'begin' | 'finish' | undefined {
  if (existsSync(join(to, journalName))) return 'finish'
  if (existsSync(join(from, noteName)) || holdsStation(to)) return undefined
  return holdsStation(from) ? 'begin' : undefined
}

/**
 * Moves a station's data to another folder. A move interrupted at any step is finished by the next call; until then, no
 * version finds a complete station in either folder. Nothing in `to` is overwritten, and nothing is deleted. Throws
 * AppStartError: store/in-use while another process has one of the databases open, store/no-access.
 */
export function moveData({ from, to, rename = renameSync, atStep = () => undefined }: DataMove): void {
  const due = moveDue({ from, to })
  if (due === undefined) return
  const journal = join(to, journalName)
  const step = (name: string, doing: () => void) => {
    atStep(name)
    doing()
  }

  const moveEntry = (name: string) => {
    const [source, target] = [join(from, name), join(to, name)]
    const [retired, done] = [source + leaving, source + left]
    if (existsSync(retired)) {
      copyRetired(name)
    } else if (existsSync(source) && !existsSync(target) && !existsSync(done)) {
      refuseOpen(from, name)
      step(`move ${name}`, () => {
        try {
          patiently(() => {
            rename(source, target)
          })
          syncFolders(from, to)
        } catch (cause) {
          if (codeOf(cause) !== 'EXDEV') throw cause
          // Renamed before it is copied: a copy of a database still in use would miss the last sale.
          patiently(() => {
            renameForGood(source, retired)
          })
          copyRetired(name)
        }
      })
    }
  }
  const copyRetired = (name: string) => {
    const [source, target] = [join(from, name), join(to, name)]
    if (!existsSync(target)) {
      step(`copy ${name}`, () => {
        rmSync(target + arriving, { recursive: true, force: true })
        cpSync(source + leaving, target + arriving, { recursive: true, preserveTimestamps: true })
        syncAll(target + arriving)
      })
      step(`name ${name}`, () => {
        renameForGood(target + arriving, target)
      })
    }
    step(`retire ${name}`, () => {
      renameForGood(source + leaving, source + left)
    })
  }

  try {
    if (due === 'begin') {
      const entries = ownEntries(from)
      for (const name of entries) refuseOpen(from, name)
      step('begin', () => {
        makeOwnFolder(to)
        writeWhole(journal, JSON.stringify({ from, entries }), 0o600)
      })
    }
    for (const name of journalIn(journal).entries) moveEntry(basename(name))
    step('note', () => {
      writeWhole(join(from, noteName), noteOf(to))
    })
    step('end', () => {
      rmSync(journal)
      syncFolders(to)
    })
  } catch (cause) {
    throw asStartError(from, cause)
  }
}

/** Finishes an interrupted move to this folder, no matter which host began it. Throws as `moveData` does. */
export function finishMove(to: string): void {
  const journal = join(to, journalName)
  if (existsSync(journal)) moveData({ from: journalIn(journal).from, to })
}

function journalIn(file: string) {
  try {
    return Journal.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw asStartError(file, cause)
  }
}

const noteOf = (to: string) => `Countertag keeps its data in this folder from now on:

  ${to}

It was moved there on ${new Date().toISOString().slice(0, 10)} on the computer ${hostname()}, because this folder may roam to other
computers. What is in this folder now is not used. Data that turns up here later comes from another computer
or an older version: look at it before you delete it, for reports may wait in it.
`

/** Throws if the database is open in another process. */
function refuseOpen(folder: string, name: string): void {
  const file = databaseOf(folder, name)
  if (file === undefined) return
  try {
    takeLock(`${file}.lock`).release()
  } catch (cause) {
    throw asStartError(file, cause)
  }
}

/** Retries, because on Windows a virus scanner that reads a folder briefly blocks renaming it. */
function patiently(rename: () => void): void {
  for (let left = 10; ; left--) {
    try {
      rename()
      return
    } catch (cause) {
      if (left === 0 || !['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(cause))) throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    }
  }
}

function syncAll(path: string): void {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) syncAll(join(path, name))
  sync(path)
}

const syncFolders = (...folders: string[]) => {
  for (const folder of folders) sync(folder)
}

const codeOf = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
