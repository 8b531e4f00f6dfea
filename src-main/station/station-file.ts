import { readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { GateLevels } from '../../src-shared/gates'
import { KnownProfile, ProfileId, Theme, practiceId } from '../../src-shared/ipc/contract/station'
import { JoinedHub } from '../../src-shared/ipc/contract/hub'
import { HostedStore } from '../../src-shared/ipc/contract/hosting'
import type { Clock } from '../core/clock'
import { makeOwnFolder, namesIn, sizeOf, stamp, writeWhole } from '../database/files'
import { isInUseFile } from '../database/in-use'
import { AppStartError, asStartError } from '../database/start-error'

/** The hash of the PIN: scrypt with its own salt. */
export const PinHash = z.object({ salt: z.base64(), hash: z.base64(), cost: z.number().int().positive() })
export type PinHash = z.infer<typeof PinHash>

/** Defaults for fields that an operator may omit. */
const usual = { sourcingAuthUrl: null, retailAuthUrl: null, dispensaryId: null, sendsSku: false, caFile: null }
const WrittenProfile = z.preprocess(
  (form) => (typeof form === 'object' && form !== null ? { ...usual, ...form } : form),
  // Fields written by a newer version are accepted.
  KnownProfile.loose(),
)

/**
 * The settings of a station, independent of its profile: `station.json` in its data folder. An operator may create the
 * file before the first start. Never holds a secret.
 */
const StationSettings = z.looseObject({
  version: z.literal(1),
  /** Part of the names of this station's keychain entries. Generated at the first start; operators should not set it. */
  stationId: z.uuid().optional().catch(undefined),
  /** This computer's identity in its stores; the station's id if left out. Its own once it was found to be a copy. */
  storeIdentity: z.uuid().optional().catch(undefined),
  active: ProfileId,
  profiles: z
    .array(
      z.looseObject({
        id: ProfileId,
        profile: WrittenProfile,
        /** Kept in sync with IT's policy. */
        isManaged: z.boolean().optional(),
      }),
    )
    // The practice id is reserved, and ids are unique, because each is a folder.
    .refine((all) => new Set([practiceId, ...all.map(({ id }) => id)]).size === all.length + 1),
  security: z.looseObject({
    pin: PinHash.nullable(),
    autoLockMinutes: z.number().int().min(1).max(240),
    /** Number of consecutive wrong PINs. */
    wrongTries: z.number().int().nonnegative().default(0),
    /** What gates want that a manager has set. Levels that can't be read are the usual ones. */
    gates: GateLevels.default({}).catch({}),
  }),
  /** Accounts (profile/product) whose client id and secret are in the keychain. */
  inKeychain: z.array(z.string()).default([]),
  /** For each account (profile/product), a hash of its last client id. */
  clients: z.record(z.string(), z.string()).default({}),
  /** The hub of each profile that works together with other stations. A password is in the keychain only. */
  hubs: z.record(ProfileId, JoinedHub).default({}).catch({}),
  /** The store hub that this computer keeps. */
  keeps: HostedStore.nullable().default(null).catch(null),
  /** Settings for using the computer as a till. */
  till: z.looseObject({ isKiosk: z.boolean() }).default({ isKiosk: false }),
  /** The look of the screens. */
  theme: Theme.default('system').catch('system'),
  /** True once the first-start question was answered or scanning has begun. */
  isWelcomed: z.boolean().default(false),
})
export type StationSettings = z.infer<typeof StationSettings>

const first: StationSettings = {
  version: 1,
  active: practiceId,
  profiles: [],
  security: { pin: null, autoLockMinutes: 15, wrongTries: 0, gates: {} },
  inKeychain: [],
  clients: {},
  hubs: {},
  keeps: null,
  till: { isKiosk: false },
  theme: 'system',
  isWelcomed: false,
}

/**
 * Reads the file once. A file that can't be parsed is set aside, and its last good copy is used. Throws AppStartError if
 * the disk refuses, if a newer version wrote the file, or if a real store was used here and the settings are lost or name
 * a missing profile.
 */
export function openStationFile(file: string, clock: Clock) {
  const { settings, problem } = readFrom(file, clock)
  let current = settings
  return {
    read: (): StationSettings => current,
    /** The problem found when the file was read. */
    problem,
    /** Throws if the disk refuses. */
    change(change: (settings: StationSettings) => StationSettings) {
      const next = change(current)
      makeOwnFolder(dirname(file))
      // Unknown fields from a newer version are written back unchanged.
      const text = `${JSON.stringify(next, null, 2)}\n`
      writeWhole(file, text, forUsAlone)
      current = next
      keepCopy(file, text)
    },
  }
}

export type StationFile = ReturnType<typeof openStationFile>

/** Other users must not be able to read the PIN's hash. On Windows, the folder's permissions apply. */
const forUsAlone = 0o600

const copyOf = (file: string) => `${file}.last`

/** Keeps a copy in case the file becomes unreadable. Failing to write it is harmless. */
function keepCopy(file: string, text: string) {
  try {
    writeWhole(copyOf(file), text, forUsAlone)
  } catch {
    // The file itself has already been written.
  }
}

function readFrom(file: string, clock: Clock): { settings: StationSettings; problem: 'damaged' | null } {
  const text = textOf(file)
  const json = text === undefined ? undefined : parsed(text)
  const settings = StationSettings.safeParse(json)
  const isSold = hasSold(dirname(file))
  if (settings.success) {
    const { active, profiles } = settings.data
    if (isSold && ![practiceId, ...profiles.map(({ id }) => id)].includes(active)) {
      throw new AppStartError(
        'station/damaged',
        `The settings in ${file} name a connection that they do not hold: ${active}.`,
      )
    }
    return { settings: settings.data, problem: null }
  }
  if (z.object({ version: z.number().min(2) }).safeParse(json).success) {
    // Without these settings, the till would open the practice store without its PIN, and practice would look like real
    // sales.
    throw new AppStartError(
      'store/newer',
      `The settings in ${file} were written by a newer Countertag. Update this one.`,
    )
  }
  const copy = textOf(copyOf(file)) ?? ''
  const copied = StationSettings.safeParse(parsed(copy))
  if (text === undefined && !copied.success && !isSold) return { settings: first, problem: null }
  if (!copied.success && isSold) {
    throw new AppStartError(
      'station/damaged',
      `The settings in ${file} can't be read, and there are connections that they should name.`,
    )
  }
  if (text !== undefined) setAside(file, clock)
  if (copied.success) {
    putBack(file, copy)
    return { settings: copied.data, problem: 'damaged' }
  }
  // Recovers the station's id from a file with a syntax error: without it, waiting reports would lose the key to their
  // customers.
  const [, stationId] = /"stationId"\s*:\s*"([0-9a-f-]{36})"/.exec(text ?? '') ?? []
  return { settings: stationId === undefined ? first : { ...first, stationId }, problem: 'damaged' }
}

/** Whether a connection to a real service was ever used here: a till that has sold must not switch to practice by itself. */
function hasSold(folder: string): boolean {
  try {
    return namesIn(folder).some(
      (name) => isInUseFile(name) || (name !== practiceId && sizeOf(join(folder, name, 'countertag.db')) > 0),
    )
  } catch (cause) {
    throw asStartError(folder, cause)
  }
}

function putBack(file: string, text: string) {
  try {
    writeWhole(file, text, forUsAlone)
  } catch (cause) {
    throw asStartError(file, cause)
  }
}

function setAside(file: string, clock: Clock) {
  try {
    renameSync(file, `${file}.damaged-${stamp(clock.now())}`)
  } catch (cause) {
    // Continuing would overwrite the file later.
    throw asStartError(file, cause)
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (z.object({ code: z.literal('ENOENT') }).safeParse(cause).success) return undefined
    throw asStartError(file, cause)
  }
}

function parsed(text: string): unknown {
  try {
    // Windows editors may write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
