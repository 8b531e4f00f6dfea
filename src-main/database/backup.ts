import { basename } from 'node:path'
import { z } from 'zod'
import { settleWithin } from '../core/async'
import type { Clock } from '../core/clock'
import type { RoomContext } from '../core/context'
import { DamagedCopy, backupsIn, makeBackup, removeOldBackups, timeOfBackup } from './backup-copy'

export interface BackupOptions {
  /** A moment that is certainly past, from which the age of a backup is counted; the present if omitted. */
  pastClock?: Clock
  /** Called when the copy, and so probably the store itself, has damaged pages. */
  onDamage?: () => void
  /** Free bytes on the folder's disk. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined
}

const firstAfter = 60_000
const interval = 3_600_000
/** How long to wait for an aborted backup, in ms: a hanging disk must not keep the app from closing. */
const patience = 1_000

/** Clocks are adjusted by this much, in ms. */
const aMoment = 60_000

/** How long a person waits for a backup, in ms. */
const longestWait = 60_000

const Changes = z.object({ changes: z.number() })

/** When the newest was made doesn't decide anything: a folder that can't be read must not keep a till closed. */
function knownIn(folder: string): string[] {
  try {
    return backupsIn(folder)
  } catch {
    return []
  }
}

/** Backups of the store, made while it is in use. Each is complete and checked before it gets its name. */
export function createBackup(
  { db, events, clock, log }: RoomContext,
  folder: string,
  { pastClock = clock, onDamage, freeBytes }: BackupOptions = {},
) {
  const changes = db.prepare('SELECT total_changes() AS changes')
  const stopping = new AbortController()
  /** When backups were made, by their names; some may be of a clock that was ahead. */
  let times = knownIn(folder).flatMap((file) => timeOfBackup(basename(file)) ?? [])
  /** A time in the future is no time of a backup. */
  const lastAt = () => {
    const now = clock.now() + aMoment
    return times.reduce<number | null>((last, at) => (at <= now && at > (last ?? 0) ? at : last), null)
  }
  let made = 0
  let isFailing = false
  let changesAtLast: number | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const makeOne = async () => {
    const { signal } = stopping
    try {
      const at = clock.now()
      const before = Changes.parse(changes.get()).changes
      // Without its files, nothing is backed up.
      if (before === changesAtLast && knownIn(folder).length > 0) return
      const name = await makeBackup(db, folder, at, signal, freeBytes)
      times = [...times, at]
      made += 1
      changesAtLast = before
      isFailing = false
      log.info('backup made', { name })
      await removeOldBackups(folder, at, pastClock.now())
      times = knownIn(folder).flatMap((file) => timeOfBackup(basename(file)) ?? [])
    } catch (cause) {
      if (signal.aborted) {
        log.info('backup not finished')
        return
      }
      isFailing = true
      log.error('backup failed', { cause })
      if (cause instanceof DamagedCopy) onDamage?.()
    }
    events.emit('backup.changed', null)
  }

  const make = () =>
    (running ??= makeOne()
      .catch((cause: unknown) => {
        log.error('announcing a backup failed', { cause })
      })
      .finally(() => {
        running = undefined
      }))

  const after = (ms: number) => {
    timer = setTimeout(() => {
      after(interval)
      // A backup that has run for an hour counts as hanging.
      if (running) isFailing = true
      void make()
    }, ms)
    timer.unref()
  }

  return {
    /** Backs up one minute after the start, then every hour. */
    start: () => {
      after(firstAfter)
    },
    /** Backs up now, unless nothing changed since the last backup. Never rejects. */
    make,
    /** A person asked for a backup: makes one, and says what came of it within a minute. Never rejects. */
    async makeNow(): Promise<'made' | 'unchanged' | 'failed'> {
      const before = made
      // One that is under way may have copied the data before the latest change.
      const done = (running ?? Promise.resolve()).then(make)
      if ((await settleWithin(done, longestWait)).status === 'timeout' || isFailing) return 'failed'
      return made === before ? 'unchanged' : 'made'
    },
    /** Makes a last backup if it takes no longer than `limitMs`, then stops. Never rejects. */
    async finish(limitMs: number) {
      clearTimeout(timer)
      const last = (running ?? Promise.resolve()).then(make)
      if ((await settleWithin(last, limitMs)).status !== 'timeout') return
      stopping.abort()
      await settleWithin(last, patience)
    },
    view: (): { lastAt: number | null; isFailing: boolean } => ({ lastAt: lastAt(), isFailing }),
  }
}
