import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { freemem, release, totalmem, type } from 'node:os'
import process from 'node:process'
import type { About, AppStatus } from '../../src-shared/ipc/contract/app'
import type { ExportFile } from '../../src-shared/ipc/contract/call'
import { ok } from '../../src-shared/result'
import { type Clock, iso } from '../core/clock'
import type { HandlersOf } from '../ipc/handlers'
import { sizeOf } from '../database/files'

/** What a core provides for diagnostics: its files and its state. */
export interface CoreDiagnostics {
  files: { databaseFile: string; logFile: string }
  status: () => AppStatus
  counts: () => unknown
}

const logLines = 500

/** Data for remote support: never a secret, never a customer's id. */
export function createSupport(parts: {
  version: string
  dataDir: string
  /** Written by the build; missing when running from the sources. */
  licencesFile: string | undefined
  clock: Clock
  core: () => CoreDiagnostics
  /** The station's settings, without secrets. */
  settings: () => Record<string, unknown>
}) {
  const { version, dataDir, licencesFile, clock, core, settings } = parts
  const about = (): About => {
    const { logFile, databaseFile } = core().files
    return {
      version,
      runtime: runtimes(),
      dataDir,
      logFile,
      databaseSize: sizeOf(databaseFile) + sizeOf(`${databaseFile}-wal`),
    }
  }
  return {
    about,
    diagnostics(): ExportFile {
      const { files, status, counts } = core()
      const report = {
        madeAt: iso(clock.now()),
        about: about(),
        system: { type: type(), release: release(), memory: { total: totalmem(), free: freemem() } },
        process: { memory: process.memoryUsage(), uptime: Math.round(process.uptime()) },
        settings: settings(),
        status: status(),
        outbox: counts(),
        log: lastLines(files.logFile, logLines),
      }
      return {
        fileName: `countertag-diagnostics-${iso(clock.now()).slice(0, 16).replaceAll(/[-:]/g, '')}.json`,
        text: `${JSON.stringify(report, null, 2)}\n`,
      }
    },
    /** Licenses of third-party code. */
    licences: (): ExportFile => ({
      fileName: 'countertag-licences.txt',
      text:
        licencesFile !== undefined && existsSync(licencesFile)
          ? readFileSync(licencesFile, 'utf8')
          : 'This Countertag runs from its sources. The list is made when it is built.\n',
    }),
  }
}

export type Support = ReturnType<typeof createSupport>

export const supportHandlers = (support: Support): HandlersOf<'support'> => ({
  'support.about': () => ok(support.about()),
  'support.diagnostics': () => ok(support.diagnostics()),
  'support.licences': () => ok(support.licences()),
})

/** The available versions; Electron and Chrome only in Electron. */
function runtimes(): About['runtime'] {
  const versions: Partial<Record<string, string>> = process.versions
  const names = { Electron: 'electron', Chrome: 'chrome', Node: 'node', V8: 'v8' }
  return Object.entries(names).flatMap(([name, key]) => {
    const version = versions[key]
    return version === undefined ? [] : { name, version }
  })
}

/** In bytes; enough for several thousand lines. */
const most = 1_000_000

/** The last lines of a log file; empty if the file can't be read. */
export function lastLines(file: string, count: number): string[] {
  try {
    const size = sizeOf(file)
    const bytes = Buffer.alloc(Math.min(size, most))
    const handle = openSync(file, 'r')
    try {
      readSync(handle, bytes, 0, bytes.length, size - bytes.length)
    } finally {
      closeSync(handle)
    }
    return bytes.toString('utf8').split('\n').filter(Boolean).slice(-count)
  } catch {
    return []
  }
}
