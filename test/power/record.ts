import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { startPracticeService } from '../../src-practice/start'
import { bundleStation } from '../crash/bundle'
import { storeData } from '../crash/store'
import { createDisk, written } from './disk'
import { type Life, type LifeOrder, type Line, linesIn, lives } from './notebook'
import { writeOldData } from './old-data'
import { type Change, readTrace } from './trace'
import { runTraced } from './tracer'

/** All actions of the station in order: its changes on disk, and its traffic with screens and service. */
export interface Recording {
  /** The data folder when the trace began. */
  start: ReadonlyMap<string, Buffer | null>
  entries: readonly Entry[]
  /** The trace entries that are lines of the notebook. */
  lines: readonly Line[]
  dataDir: string
}
export type Entry = { kind: 'change'; change: Change; at: number } | { kind: 'line'; line: Line }

/**
 * The station's log file promises nothing, and would be every second change. The index of a write-ahead log (of a
 * scratch copy: the station's own index is in memory) is shared memory that SQLite rebuilds on every open.
 */
const isLeftOut = (path: string) => /\/countertag\.log(\.1)?$|-shm$/.test(path)

/** Files in a run's folder: those that the lives leave, and those that a replay reads. */
const placesIn = (folder: string) => ({
  dataDir: join(folder, 'data'),
  startDir: join(folder, 'start'),
  notebookFile: join(folder, 'notebook.jsonl'),
  logOf: (life: Life) => join(folder, `${life}.strace`),
})

/** Runs the station's lives under the tracer, in this run's own folder. Throws if one of them fails. */
export async function trace({ root, folder, seed }: { root: string; folder: string; seed: number }): Promise<void> {
  const { dataDir, startDir, notebookFile, logOf } = placesIn(folder)
  mkdirSync(dataDir)
  writeOldData(dataDir, join(root, 'test/fixtures/schemas'))
  cpSync(dataDir, startDir, { recursive: true })
  const bundle = await bundleStation(root, 'test/power/station.ts')
  const service = await startPracticeService({ data: storeData(), db: ':memory:', port: 0, picturesDir: undefined })
  const { baseUrl, authUrl, adminUrl } = service
  const resourcesDir = join(root, 'resources')
  try {
    for (const life of lives) {
      const order: LifeOrder = {
        life,
        dataDir,
        resourcesDir,
        notebookFile,
        seed,
        service: { baseUrl, authUrl, adminUrl },
      }
      const end = await runTraced([bundle.file, JSON.stringify(order)], logOf(life))
      // The tracer exits the way the station does, and the first life is killed.
      const isAsMeant = life === 'first' ? end.signal === 'SIGKILL' : end.code === 0
      if (!isAsMeant) throw new Error(`the ${life} life ended with ${end.code ?? end.signal}: ${end.said}`)
    }
  } finally {
    await service.close()
    bundle.remove()
  }
}

/** Reads the results of `trace`. Throws if the trace doesn't account for everything on disk. */
export function readRecording(folder: string): Recording {
  const { dataDir, startDir, notebookFile, logOf } = placesIn(folder)
  const start = new Map([...filesIn(startDir)].map(([path, bytes]) => [join(dataDir, relative(startDir, path)), bytes]))
  const isOurs = (path: string) => path === dataDir || path.startsWith(`${dataDir}/`)
  const isFollowed = (path: string) => path === notebookFile || (isOurs(path) && !isLeftOut(path))
  const changes: Change[] = []
  for (const life of lives) {
    const before = changes.length
    for (const change of readTrace({ log: readFileSync(logOf(life), 'latin1'), folder, isFollowed })) {
      changes.push(change.kind === 'sync' ? { ...change, from: change.from + before } : change)
    }
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

/** Files and folders in a folder by path; null is a folder. */
export function filesIn(folder: string): Map<string, Buffer | null> {
  const found = new Map<string, Buffer | null>([[folder, null]])
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!isLeftOut(path)) found.set(path, entry.isDirectory() ? null : readFileSync(path))
  }
  return found
}

/** If the trace had missed a change, its result would differ from the disk. */
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
