import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { makeOwnFolder, renameForGood, sync, writeWhole } from '../store/files'
import { takeLock } from '../store/lock'
import { asStartError } from '../store/start-error'
import { databaseOf, holdsStation, ownEntries } from './data-folder'

export interface DataMove {
  from: string
  to: string
  /** Renames; left out, as the disk does. Tests give one that refuses to leave the volume. */
  rename?: ((from: string, to: string) => void) | undefined
  /** Told before each step: where tests cut. */
  atStep?: (step: string) => void
}

/** While it is there, a move is under way: what is in either folder is half a station. */
const journalName = 'moving-data.json'
const Journal = z.object({ from: z.string(), entries: z.array(z.string()) })

/** What the folder that was left says to a person, and to every later start: what turns up in it is not ours. */
const noteName = 'moved-to-local.txt'

/** Of an entry whose copy is under way, and done. Under neither name does any version work with it. */
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
