import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { ProfileId } from '../../src-shared/ipc/contract/station'
import { makeOwnFolder, namesIn, renameForGood, sync, takeLock, writeWhole } from '../store/files'
import { asStartError } from '../store/start-error'

interface Windows {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
}

/**
 * The folder for this computer's data in place of one that roams: on Windows in LOCALAPPDATA, under the same name. It is the
 * same folder where nothing roams.
 */
export function localFolderFor(folder: string, { platform, environment }: Windows): string {
  const { APPDATA: roaming = '', LOCALAPPDATA: local = '' } = environment
  // A folder that was chosen by hand is where it is to be.
  const roams = platform === 'win32' && roaming !== '' && isSamePath(dirname(folder), roaming)
  if (!roams) return folder
  // Without LOCALAPPDATA, as in some scheduled tasks: the local folder is next to the roaming one.
  return join(isAbsolute(local) ? local : join(dirname(folder), '..', 'Local'), basename(folder))
}

/** Paths on Windows ignore case. */
const isSamePath = (one: string, other: string) => resolve(one).toLowerCase() === resolve(other).toLowerCase()

/** What a data folder holds besides a folder for each profile. */
const files = /^(station\.json(\.last|\.damaged-.+)?|data\.key|window-state\.json|countertag-start\.log)$/
const database = 'countertag.db'

/**
 * Names in a data folder that Countertag made, and not the runtime: the settings first, so that a folder that has lost its
 * other half is never taken for a whole one.
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

/** Whether there is a station in it: settings, or a profile's database. */
const holdsStation = (folder: string): boolean =>
  ownEntries(folder).some((name) => /^station\.json(\.last)?$/.test(name) || isProfile(folder, name))

/** A profile's database of an entry; there is none in an entry that is a file. */
const databaseOf = (folder: string, name: string): string | undefined =>
  isProfile(folder, name) ? join(folder, name, database) : undefined

export interface DataMove {
  from: string
  to: string
  /** Renames; left out, as the disk does. Tests give one that refuses to leave the volume. */
  rename?: ((from: string, to: string) => void) | undefined
  /** Called before each step: where tests cut. */
  atStep?: (step: string) => void
}

/** While it is there, a move is under way: what is in either folder is half a station. */
const journalName = 'moving-data.json'
const Journal = z.object({ from: z.string(), entries: z.array(z.string()) })

/** What the folder that was left says to a person, and to every later start: what turns up in it is not ours. */
const noteName = 'moved-to-local.txt'

/** Suffixes of an entry whose copy is under way, or done. No version of the app uses an entry with one of them. */
const leaving = '.moving-to-local'
const left = '.moved-to-local'
const arriving = '.arriving'

/** What is to be done with data in `from`: `finish` what an interrupted start began, `begin`, or nothing. */
export function moveDue({ from, to }: Pick<DataMove, 'from' | 'to'>): 'begin' | 'finish' | undefined {
  if (existsSync(join(to, journalName))) return 'finish'
  if (existsSync(join(from, noteName)) || holdsStation(to)) return undefined
  return holdsStation(from) ? 'begin' : undefined
}

/**
 * Moves a station's data to another folder. Interrupted at any step, it is finished by the next call; meanwhile no version
 * finds a whole station in either folder. Nothing that is in `to` is overwritten, and nothing is deleted.
 * Throws AppStartError: store/in-use while another process has one of the databases open, store/no-access.
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
          // First out of the way, then copied: a copy of what is still in use would miss its last sale.
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

/** Finishes a move to this folder that was interrupted, whichever host began it. Throws as `moveData` does. */
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

/** A database that is open elsewhere stays where it is. */
function refuseOpen(folder: string, name: string): void {
  const file = databaseOf(folder, name)
  if (file === undefined) return
  try {
    takeLock(`${file}.lock`).release()
  } catch (cause) {
    throw asStartError(file, cause)
  }
}

/** A virus scanner that looks into a folder keeps Windows from renaming it, for a moment. */
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
