import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openStore } from '../../src-main/database/open'
import { migrate } from '../../src-main/database/migrations'
import { practiceId } from '../../src-shared/ipc/contract/station'
import type { Image } from './cut'
import { type Complaint, type Verdict, judge, rowsOf } from './judge'
import { type KeptOperation, readKept } from './kept'
import { databaseIn } from './old-data'
import type { Recording } from './record'
import { type State, statesOf } from './states'
import { type Tally, createTally } from './tally'

interface RunParts {
  recording: Recording
  /** The folder for the files of the states. */
  folder: string
  states: number
  seed: number
  /** Judges only this state. */
  only?: number | undefined
  keep?: boolean
  isHonest?: (path: string) => boolean
  onComplaint?: (state: State, complaints: readonly Complaint[], folder: string) => void
}

/** Syncs that a lying disk ignores. */
export const lies = {
  all: () => true,
  log: (path: string) => path.endsWith('-wal'),
  folders: (path: string) => !/\.\w[\w.-]*$/.test(path),
}

/** Creates the states, opens and judges each, and counts. */
export function judgeStates({ recording, folder, states, seed, only, keep, isHonest, onComplaint }: RunParts): Tally {
  const tally = createTally()
  const ends = endsOf(recording, folder)
  const old = oldRows(recording, folder)
  for (const state of statesOf({ recording, states, seed, ...(isHonest ? { isHonest } : {}) })) {
    if (only !== undefined && state.number !== only) continue
    const own = mkdtempSync(join(folder, `state-${state.number}-`))
    layOut(state.files, own)
    const verdict = judge(own, {
      promises: state.promises,
      old: old.get(state.folder) ?? new Map(),
      ends: ends.get(state.folder) ?? new Map(),
    })
    tally.add(state, verdict)
    if (verdict.complaints.length > 0 && onComplaint) {
      // The state as the cut left it, not as the judge did.
      rmSync(own, { recursive: true })
      mkdirSync(own)
      layOut(state.files, own)
      onComplaint(state, verdict.complaints, own)
    } else if (keep !== true) rmSync(own, { recursive: true })
  }
  return tally
}

export function layOut(files: Image, folder: string): void {
  for (const [path, bytes] of files) {
    const place = join(folder, path)
    mkdirSync(bytes === null ? place : dirname(place), { recursive: true })
    if (bytes !== null) writeFileSync(place, bytes)
  }
}

/** Every operation's outcome without a power cut: by data folder, by id. */
function endsOf({ dataDir, entries }: Recording, folder: string): Map<string, ReadonlyMap<string, KeptOperation>> {
  const folders = new Set(
    entries.flatMap((entry) => (entry.kind === 'line' && entry.line.line === 'scene' ? [entry.line.folder] : [])),
  )
  const copies = mkdtempSync(join(folder, 'ends-'))
  const ends = new Map<string, ReadonlyMap<string, KeptOperation>>()
  for (const name of folders) {
    cpSync(join(dataDir, name), join(copies, name), { recursive: true })
    const store = openStore(databaseIn(join(copies, name)))
    ends.set(name, readKept(store.db).operations)
    store.close()
  }
  rmSync(copies, { recursive: true })
  return ends
}

/** The data of older versions' databases, as the newest version has it: by data folder, by table. */
function oldRows({ start, dataDir }: Recording, folder: string): Map<string, ReadonlyMap<string, string[]>> {
  const found = new Map<string, ReadonlyMap<string, string[]>>()
  for (const [path, bytes] of start) {
    if (bytes === null || !path.endsWith('.db')) continue
    const copy = join(folder, 'old.db')
    writeFileSync(copy, bytes)
    const db = new Sqlite(copy)
    migrate(db)
    const name = dirname(path).slice(dataDir.length + 1)
    const tables = name === practiceId ? ['operation', 'journal', 'memory'] : tablesOf(db)
    found.set(name, new Map(tables.map((table) => [table, rowsOf(db, table)])))
    db.close()
    rmSync(copy)
  }
  return found
}

const tablesOf = (db: Sqlite.Database) =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all()
    .map(String)

export type { Verdict }
