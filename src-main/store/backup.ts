import { basename } from 'node:path'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { settleWithin } from '../async'
import type { Clock } from '../clock'
import type { Log } from '../log'
import { type CopyParts, DamagedCopy, backupsIn, makeBackup, removeOldBackups, timeOfBackup } from './backup-copy'

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
  freeBytes?: CopyParts['freeBytes']
}

const firstAfter = 60_000
const interval = 3_600_000
/** For a backup that was told to stop, in ms: a disk that hangs must not keep the app from closing. */
const patience = 1_000

const Changes = z.object({ changes: z.number() })

/** Copies of the store, made while it is in use: each is whole and checked before it has a name. */
export function createBackup({ db, folder, clock, log, onChange, onDamage, freeBytes }: BackupParts) {
  const changes = db.prepare('SELECT total_changes() AS changes')
  const stopping = new AbortController()
  let lastAt = backupsIn(folder).reduce<number | null>((last, file) => timeOfBackup(basename(file)) ?? last, null)
  let isFailing = false
  let changesAtLast: number | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const makeOne = async () => {
    const { signal } = stopping
    try {
      const at = clock.now()
      const before = Changes.parse(changes.get()).changes
      if (before === changesAtLast) return
      const name = await makeBackup({ db, folder, at, signal, freeBytes })
      lastAt = at
      changesAtLast = before
      isFailing = false
      log.info('backup made', { name })
      await removeOldBackups(folder, at)
    } catch (cause) {
      if (signal.aborted) {
        log.info('backup not finished')
        return
      }
      isFailing = true
      log.error('backup failed', { cause })
      if (cause instanceof DamagedCopy) onDamage?.()
    }
    onChange?.()
  }

  const make = () =>
    (running ??= makeOne()
      .catch((cause: unknown) => {
        log.error('a backup could not be told of', { cause })
      })
      .finally(() => {
        running = undefined
      }))

  const after = (ms: number) => {
    timer = setTimeout(() => {
      after(interval)
      // One that has been under way for an hour hangs.
      if (running) isFailing = true
      void make()
    }, ms)
    timer.unref()
  }

  return {
    /** One a minute after the start, then one an hour. */
    start: () => {
      after(firstAfter)
    },
    /** One now, unless nothing changed since the last. Never rejects. */
    make,
    /** Stops, after a last one if that takes no longer than `limitMs`. Never rejects. */
    async finish(limitMs: number) {
      clearTimeout(timer)
      const last = (running ?? Promise.resolve()).then(make)
      if ((await settleWithin(last, limitMs)).status !== 'timeout') return
      stopping.abort()
      await settleWithin(last, patience)
    },
    view: (): { lastAt: number | null; isFailing: boolean } => ({ lastAt, isFailing }),
  }
}
