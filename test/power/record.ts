import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startPracticeService } from '../../src-practice/start'
import { bundleStation } from '../crash/bundle'
import { account, dispensary, storeData } from '../crash/store'
import { createDisk, written } from './disk'
import { type Line, linesIn } from './notebook'
import { writeOldData } from './old-data'
import type { LifeOrder } from './station'
import { type Change, readTrace } from './trace'
import { runTraced } from './tracer'

/** All that the station did, in its order: what it changed on the disk, and what it told and was told. */
export interface Recording {
  /** The data folder when the trace began. */
  start: ReadonlyMap<string, Buffer | null>
  entries: readonly Entry[]
  /** Those of the entries that are lines of the notebook. */
  lines: readonly Line[]
  dataDir: string
}
export type Entry = { kind: 'change'; change: Change; at: number } | { kind: 'line'; line: Line }

export interface RecordParts {
  root: string
  /** Of this run's own; the data folder is made in it. */
  folder: string
  seed: number
}

/** The station's log of its own doings promises nothing, and would be every second change. */
const isLog = (path: string) => /\/countertag\.log(\.1)?$/.test(path)

/** Runs both lives of the station under the tracer. Throws when one of them fails, or the trace is not the whole story. */
export async function record({ root, folder, seed }: RecordParts): Promise<Recording> {
  const dataDir = join(folder, 'data')
  const notebookFile = join(folder, 'notebook.jsonl')
  mkdirSync(dataDir)
  writeOldData(dataDir, join(root, 'test/fixtures/schemas'))
  const start = filesIn(dataDir)
  const bundle = await bundleStation(root, 'test/power/station.ts')
  const service = await startPracticeService({ data: storeData(), db: ':memory:', port: 0, picturesDir: undefined })
  const places = { baseUrl: service.baseUrl, authUrl: service.authUrl, adminUrl: service.adminUrl }
  const changes: Change[] = []
  try {
    for (const life of ['first', 'second'] as const) {
      const order: LifeOrder = { life, dataDir, resourcesDir: join(root, 'resources'), notebookFile, seed, service: places }
      const log = join(folder, `${life}.strace`)
      const end = await runTraced([bundle.file, JSON.stringify(order)], log)
      // The tracer ends the way that the station does: the first life is cut short.
      if (end.code !== (life === 'first' ? null : 0)) throw new Error(`the ${life} life ended with ${end.code}: ${end.said}`)
      const isOurs = (path: string) => path === dataDir || path.startsWith(`${dataDir}/`)
      const isFollowed = (path: string) => path === notebookFile || (isOurs(path) && !isLog(path))
      const before = changes.length
      for (const change of readTrace({ log: readFileSync(log, 'latin1'), isFollowed })) {
        changes.push(change.kind === 'sync' ? { ...change, from: change.from + before } : change)
      }
    }
  } finally {
    await service.close()
    bundle.remove()
  }
  const entries = entriesOf(changes, notebookFile)
  const lines = entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []))
  compareWithDisk({ start, entries, dataDir })
  return { start, entries, lines, dataDir }
}

function entriesOf(changes: readonly Change[], notebookFile: string): Entry[] {
  let begun = ''
  return changes.flatMap((change, at): Entry[] => {
    if (change.path !== notebookFile) return [{ kind: 'change', change, at }]
    if (change.kind !== 'append') return []
    const { lines, rest } = linesIn(begun + change.bytes.toString())
    begun = rest
    return lines.map((line) => ({ kind: 'line', line }))
  })
}

/** Files and folders of a folder by their path; null is a folder. */
export function filesIn(folder: string): Map<string, Buffer | null> {
  const found = new Map<string, Buffer | null>([[folder, null]])
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!isLog(path)) found.set(path, entry.isDirectory() ? null : readFileSync(path))
  }
  return found
}

/** Had the trace missed a change, what it amounts to would not be what is on the disk. */
function compareWithDisk({ start, entries, dataDir }: Omit<Recording, 'lines'>): void {
  const disk = createDisk({ start })
  for (const entry of entries) if (entry.kind === 'change') disk.apply(entry.change, entry.at)
  const real = filesIn(dataDir)
  for (const path of new Set([...real.keys(), ...disk.seen.keys()])) {
    const [bytes, file] = [real.get(path), disk.seen.get(path)]
    const isAlike =
      bytes === null
        ? file?.kind === 'folder'
        : bytes !== undefined && file?.kind === 'file' && written(file.durable, file.pending).equals(bytes)
    if (!isAlike) throw new Error(`the trace is not the whole story of ${path}`)
  }
}
