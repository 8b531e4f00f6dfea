import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { ProfileId } from '../../src-shared/ipc/connection-view'
import { namesIn } from '../store/files'

export interface Windows {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
}

/**
 * The folder for this computer's data in place of one that roams: on Windows in LOCALAPPDATA, under the same name. It is the
 * same folder where nothing roams.
 */
export function localFolderFor(folder: string, { platform, environment }: Windows): string {
  const { APPDATA: roaming = '', LOCALAPPDATA: local = '' } = environment
  // A folder that was chosen by hand is where it is to be.
  const roams = platform === 'win32' && roaming !== '' && isSamePath(dirname(folder), roaming)
  if (!roams) return folder
  // Without LOCALAPPDATA, as in some scheduled tasks: the local folder is next to the roaming one.
  return join(isAbsolute(local) ? local : join(dirname(folder), '..', 'Local'), basename(folder))
}

/** Paths on Windows ignore case. */
const isSamePath = (one: string, other: string) => resolve(one).toLowerCase() === resolve(other).toLowerCase()

/** What a data folder holds besides a folder for each profile. */
const files = /^(station\.json(\.last|\.damaged-.+)?|data\.key|window-state\.json|countertag-start\.log)$/
const database = 'countertag.db'

/**
 * Names in a data folder that Countertag made, and not the runtime: the settings first, so that a folder that has lost its
 * other half is never taken for a whole one.
 */
export function ownEntries(folder: string): string[] {
  const names = namesIn(folder)
  const profiles = names.filter((name) => isProfile(folder, name))
  return [...names.filter((name) => files.test(name)).sort(settingsFirst), ...profiles]
}

const settingsFirst = (one: string, other: string) => rank(one) - rank(other) || one.localeCompare(other)
const rank = (name: string) => (name === 'station.json' ? 0 : name.startsWith('station.json') ? 1 : 2)

const isProfile = (folder: string, name: string) =>
  ProfileId.safeParse(name).success && namesIn(join(folder, name)).some((inner) => inner.startsWith(database))

/** Whether there is a station in it: settings, or a profile's database. */
export const holdsStation = (folder: string): boolean =>
  ownEntries(folder).some((name) => /^station\.json(\.last)?$/.test(name) || isProfile(folder, name))

/** A profile's database of an entry; there is none in an entry that is a file. */
export const databaseOf = (folder: string, name: string): string | undefined =>
  isProfile(folder, name) ? join(folder, name, database) : undefined
