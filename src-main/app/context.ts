import { join } from 'node:path'
import type { Clock } from '../clock'
import type { Hub } from '../hub/port'
import type { Events } from '../ipc/handlers'
import { type FileLog, createFileLog } from '../log'
import type { Seal } from '../privacy/seal'
import type { Profile } from '../profile'
import { type Secrets, createSecrets } from '../secrets'
import type { AtStep } from '../steps'
import { type Store, openStore } from '../store/open'
import { createSettings } from '../store/settings'
import { asStartError } from '../store/start-error'

/** What every part of the core may use. */
export interface CoreContext extends ReturnType<typeof openFiles> {
  clock: Clock
  events: Events
  profile: Profile
  /** Encrypts customers. */
  seal: Seal
  /** The store that this station shares with others, or works without. */
  hub: Hub
  atStep: AtStep
}

/** Opens the store and the log of a profile's folder. Throws AppStartError. */
export function openFiles(folder: string, clock: Clock) {
  const databaseFile = join(folder, 'countertag.db')
  const store = openStore(databaseFile, () => clock.now())
  const { db } = store
  const logFile = join(folder, 'countertag.log')
  const secrets = createSecrets()
  const log = openLog(logFile, store, secrets)
  log.info('store opened', { found: store.found, salvage: store.salvage() })
  if (store.upgrade?.copy === null) log.warn('migrated without a copy of the data before', { ...store.upgrade })
  else if (store.upgrade) log.info('migrated', { ...store.upgrade })
  return { databaseFile, logFile, store, db, log, secrets, settings: createSettings(db, log) }
}

function openLog(file: string, store: Pick<Store, 'close'>, secrets: Secrets): FileLog {
  try {
    return createFileLog(file, secrets)
  } catch (cause) {
    store.close()
    throw asStartError(file, cause)
  }
}
