import { mkdirSync, rmSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { Clock } from '../clock'
import type { Log } from '../log'
import { backupName, backupsIn, timeOfBackup, toDelete } from './backup-names'
import { checkCopy } from './check-copy'
import { namesIn } from './files'

/** Copies of the store, made while it is in use: each is whole and checked before it has a name. */
export interface Backup {
  /** One a minute after the start, then one an hour. */
  start(): void
  /** One now, unless nothing changed since the last. Never rejects. */
  make(): Promise<void>
  /** Stops, after a last one if that takes no longer than `limitMs`. Never rejects. */
  finish(limitMs: number): Promise<void>
  view(): { lastAt: number | null; isFailing: boolean }
}

export interface BackupParts {
  db: Database
  folder: string
  clock: Clock
  log: Log
  /** What `view` says has changed. */
  onChange?: () => void
  /** The copy, and so probably the store itself, has damaged pages. */
  onDamage?: () => void
  /** Bytes that are free where the folder is. */
  freeBytes?: (folder: string) => Promise<number>
}

const firstAfter = 60_000
const interval = 3_600_000
/** Left free for the outbox, in bytes: a backup must not be what fills the disk. */
const reserve = 32_000_000
/** Pages copied between two looks at what else there is to do: about a millisecond's worth. */
const pagesAtOnce = 100

const Changes = z.object({ changes: z.number() })

export function createBackup(parts: BackupParts): Backup {
  const { db, folder, clock, log, onChange, onDamage, freeBytes = freeBytesOf } = parts
  const changes = db.prepare('SELECT total_changes() AS changes')
  const stopping = new AbortController()
  let lastAt = backupsIn(folder).reduce<number | null>((last, file) => timeOfBackup(basename(file)) ?? last, null)
  let isFailing = false
  let changesAtLast: number | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const makeOne = async () => {
    const at = clock.now()
    const before = Changes.parse(changes.get()).changes
    if (before === changesAtLast) return
    const file = join(folder, backupName(at))
    const copy = `${file}.tmp`
    try {
      mkdirSync(folder, { recursive: true })
      removeUnfinished(folder)
      if ((await freeBytes(folder)) < sizeOf(db) + reserve) throw new Error('too little room on the disk')
      await db.backup(copy, {
        progress() {
          stopping.signal.throwIfAborted()
          return pagesAtOnce
        },
      })
      const verdict = await checkCopy(copy, stopping.signal)
      if (verdict !== 'ok') {
        onDamage?.()
        throw new Error(`damaged: ${verdict}`)
      }
      await syncFile(copy)
      await rename(copy, file)
      if (process.platform !== 'win32') await syncFile(folder)
      for (const name of toDelete(namesIn(folder), clock.now())) await rm(join(folder, name))
      lastAt = at
      changesAtLast = before
      isFailing = false
      log.info('backup made', { file: basename(file) })
    } catch (cause) {
      removeUnfinished(folder)
      if (stopping.signal.aborted) log.info('backup not finished')
      else log.error('backup failed', { cause })
      isFailing = !stopping.signal.aborted
    }
    onChange?.()
  }

  const make = () =>
    (running ??= makeOne().finally(() => {
      running = undefined
    }))

  const after = (ms: number) => {
    timer = setTimeout(() => {
      after(interval)
      make().catch((cause: unknown) => {
        log.error('a backup went wrong', { cause })
      })
    }, ms)
    timer.unref()
  }

  return {
    start: () => {
      after(firstAfter)
    },
    make,
    async finish(limitMs) {
      clearTimeout(timer)
      const limit = setTimeout(() => {
        stopping.abort()
      }, limitMs)
      await running
      if (!stopping.signal.aborted) await make()
      clearTimeout(limit)
    },
    view: () => ({ lastAt, isFailing }),
  }
}

const sizeOf = (db: Database) =>
  Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** What a crash or a full disk left of a backup. */
function removeUnfinished(folder: string): void {
  for (const name of namesIn(folder)) {
    if (/^countertag-.*\.db\.tmp(-journal|-wal|-shm)?$/.test(name)) rmSync(join(folder, name), { force: true })
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, path.endsWith('.tmp') ? 'r+' : 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
