import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import type { App } from '../app/compose'
import type { Clock } from '../core/clock'
import type { Keychain } from '../credentials/keychain'
import type { EntryList, KnownClients } from '../credentials/store'
import { inUseFile } from '../database/in-use'
import { asStartError } from '../database/start-error'
import { keepManagedProfile } from '../policy/managed-profile'
import type { Policy } from '../policy/policy'
import { finishMove } from './data-folder'
import { type ProfileData, type Profiles, createProfiles, waitingIn } from './profiles'
import { type StationFile, openStationFile } from './station-file'
import { entryList, keychainOf, knownClients, stationIdOf } from './station-keychain'

/** The station's file, and its part of the keychain. */
export interface StationFiles {
  path: string
  file: StationFile
  stationId: string
  keychain: Keychain
  entries: EntryList
  clients: KnownClients
  /** The profile that was opened here before; null for a first start. */
  lastUsed: ProfileId | null
}

/** Throws AppStartError. */
export function openStationFiles(dataDir: string, keychain: Keychain, clock: Clock): StationFiles {
  finishMove(dataDir)
  const path = join(dataDir, 'station.json')
  const file = openStationFile(path, clock)
  // It was opened here, unless an operator wrote the settings for the first start.
  const { stationId: knownId, active } = file.read()
  const stationId = stationIdOf(file, path)
  return {
    ...{ path, file, stationId, keychain: keychainOf(keychain, stationId) },
    ...{ entries: entryList(file), clients: knownClients(file) },
    lastUsed: knownId === undefined ? null : active,
  }
}

/** The profiles of this station, with the one of IT's policy. `core`: of the profile in use, if it is open. Throws AppStartError. */
export function openProfiles(
  files: StationFiles,
  dataDir: string,
  policy: Policy | undefined,
  startWith: ProfileId | undefined,
  core: () => App | undefined,
): Profiles {
  const data: ProfileData = {
    isThere: (id) => existsSync(join(dataDir, id)) || existsSync(inUseFile(join(dataDir, id))),
    waiting(id) {
      const open = id === profiles.active() ? core() : undefined
      if (!open) return waitingIn(databaseOf(dataDir, id))
      const { unsent, attention } = open.diagnostics.status()
      return unsent + attention
    },
  }
  const profiles = createProfiles(files.file, data, policy?.allowPractice === false ? undefined : startWith)
  try {
    keepManagedProfile(files.file, policy, (name) => profiles.newId(name))
  } catch (cause) {
    throw asStartError(files.path, cause)
  }
  return profiles
}

export const databaseOf = (dataDir: string, id: ProfileId) => join(dataDir, id, 'countertag.db')
