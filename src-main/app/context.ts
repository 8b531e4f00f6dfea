import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../core/clock'
import type { Hub } from '../hub/port'
import type { MainEvents } from '../core/events'
import { type FileLog, createFileLog } from '../core/log'
import type { Seal } from '../privacy/seal'
import type { Profile } from '../credentials/profile'
import { type Secrets, createSecrets } from '../credentials/secrets'
import { StationClock } from '../core/station-clock'
import type { AtStep } from '../core/steps'
import { Comparison, readInUse } from '../database/in-use'
import { type Store, openStore } from '../database/open'
import { createSettings } from '../database/settings'
import { asStartError } from '../database/start-error'

/** What every part of the core may use. */
export interface CoreContext extends ReturnType<typeof openFiles> {
  /** The folder of the profile. */
  folder: string
  /** The best known present. */
  clock: StationClock
  /** A moment that is certainly past: what is deleted for its age is counted from it. */
  pastClock: Clock
  events: MainEvents
  profile: Profile
  /** Encrypts customers. */
  seal: Seal
  /** The store that this station shares with others, or works without. */
  hub: Hub
  atStep: AtStep
}

/**
 * Opens the store and the log of a profile's folder. `wasInUse`: the settings say that it held data. `loss`: what it lacks,
 * compared with the note beside it. Throws AppStartError.
 */
export function openFiles(folder: string, clock: Clock, wasInUse = false) {
  const databaseFile = join(folder, 'countertag.db')
  const comparison = new Comparison({ folder, noted: readInUse(folder), wasInUse })
  const store = openStore(databaseFile, () => clock.now(), comparison)
  const { db } = store
  const logFile = join(folder, 'countertag.log')
  const secrets = createSecrets()
  const log = openLog(logFile, store, secrets)
  log.info('store opened', { found: store.found, salvage: store.salvage() })
  if (store.upgrade?.copy === null) log.warn('migrated without a copy of the data before', { ...store.upgrade })
  else if (store.upgrade) log.info('migrated', { ...store.upgrade })
  const { loss } = comparison
  if (store.unkept !== undefined) log.warn('what is missing could not be noted', { cause: store.unkept })
  if (loss) log.warn('data is missing', { loss })
  return { databaseFile, logFile, store, db, loss, log, secrets, settings: createSettings(db, log) }
}

/** The clock of a station whose data is open. `steady`: a clock that is never set; the computer's if omitted. */
export function openClock({ db, settings }: ReturnType<typeof openFiles>, system: Clock, steady?: () => number) {
  const newest = db.prepare('SELECT performed_at_raw + clock_offset FROM operation ORDER BY seq DESC LIMIT 1').pluck()
  return new StationClock({
    system,
    ...(steady ? { steady } : {}),
    newest: settings.read('clock.confirmed', z.number()),
    lastReport: z.number().safeParse(newest.get()).data,
    keep: (at) => {
      settings.keep('clock.confirmed', at)
    },
  })
}

function openLog(file: string, store: Pick<Store, 'close'>, secrets: Secrets): FileLog {
  try {
    return createFileLog(file, secrets)
  } catch (cause) {
    store.close()
    throw asStartError(file, cause)
  }
}
