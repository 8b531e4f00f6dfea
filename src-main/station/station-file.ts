import { readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { ProfileForm, ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import type { Clock } from '../clock'
import { makeOwnFolder, namesIn, sizeOf, stamp, writeWhole } from '../store/files'
import { AppStartError, asStartError } from '../store/start-error'

/** The PIN, as it can be checked and not be read: scrypt with a salt of its own. */
export const PinHash = z.object({ salt: z.base64(), hash: z.base64(), cost: z.number().int().positive() })
export type PinHash = z.infer<typeof PinHash>

/** What an operator need not write. */
const usual = { sourcingAuthUrl: null, retailAuthUrl: null, dispensaryId: null, sendsSku: false, caFile: null }
const WrittenProfile = z.preprocess(
  (form) => (typeof form === 'object' && form !== null ? { ...usual, ...form } : form),
  // Also with what a newer version wrote into it.
  ProfileForm.loose(),
)

/**
 * What a station is, whatever profile it works with: `station.json` in its data folder. An operator may put the file there
 * before the first start. Never holds a secret.
 */
const StationSettings = z.looseObject({
  version: z.literal(1),
  /** Part of the names of this station's entries in the keychain. Drawn at the first start: not for an operator to give. */
  stationId: z.uuid().optional().catch(undefined),
  active: ProfileId,
  profiles: z
    .array(
      z.looseObject({
        id: ProfileId,
        profile: WrittenProfile,
        /** Kept as IT's policy names it. */
        isManaged: z.boolean().optional(),
      }),
    )
    // The practice folder is reserved, and no two profiles share one.
    .refine((all) => new Set([practiceId, ...all.map(({ id }) => id)]).size === all.length + 1),
  security: z.looseObject({
    pin: PinHash.nullable(),
    autoLockMinutes: z.number().int().min(1).max(240),
    /** Wrong PINs one after the other. */
    wrongTries: z.number().int().nonnegative().default(0),
  }),
  /** Accounts (profile/product) whose client id and secret are in the keychain. */
  inKeychain: z.array(z.string()).default([]),
  /** For each account (profile/product), a hash of the client id that it had last. */
  clients: z.record(z.string(), z.string()).default({}),
  /** How the computer is used as a till. */
  till: z.looseObject({ isKiosk: z.boolean() }).default({ isKiosk: false }),
  /** The question of the first start was answered, or scanning has begun. */
  isWelcomed: z.boolean().default(false),
})
export type StationSettings = z.infer<typeof StationSettings>

const first: StationSettings = {
  version: 1,
  active: practiceId,
  profiles: [],
  security: { pin: null, autoLockMinutes: 15, wrongTries: 0 },
  inKeychain: [],
  clients: {},
  till: { isKiosk: false },
  isWelcomed: false,
}

/**
 * Reads the file once. A file that can't be parsed is set aside, and its last good copy counts again.
 * Throws AppStartError if the disk refuses, if a newer version wrote the file, and if a real store was used here and the
 * settings are lost or name a profile that they don't hold.
 */
export function openStationFile(file: string, clock: Clock) {
  const { settings, problem } = readFrom(file, clock)
  let current = settings
  return {
    read: (): StationSettings => current,
    /** What was wrong with the file when it was read. */
    problem,
    /** Throws when the disk refuses. */
    change(change: (settings: StationSettings) => StationSettings) {
      const next = change(current)
      makeOwnFolder(dirname(file))
      // Fields of a newer version that this one does not know are written back as they were.
      const text = `${JSON.stringify(next, null, 2)}\n`
      writeWhole(file, text, forUsAlone)
      current = next
      keepCopy(file, text)
    },
  }
}

export type StationFile = ReturnType<typeof openStationFile>

/** The PIN's hash must not be readable for other users. On Windows the folder's rights decide. */
const forUsAlone = 0o600

const copyOf = (file: string) => `${file}.last`

/** What it says now, for the day when it can't be read: without it everything goes on as well. */
function keepCopy(file: string, text: string) {
  try {
    writeWhole(copyOf(file), text, forUsAlone)
  } catch {
    // A disk that is full for the copy has taken the file itself.
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
    // To go on without it would be a till without its PIN that practises, and looks as if it sold.
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
  // Without its number, what waits to be sent would lose the key to its customers for a comma too many.
  const [, stationId] = /"stationId"\s*:\s*"([0-9a-f-]{36})"/.exec(text ?? '') ?? []
  return { settings: stationId === undefined ? first : { ...first, stationId }, problem: 'damaged' }
}

/** Whether a connection to a real service was ever used here: a till that sold must not begin to practise unasked. */
const hasSold = (folder: string) =>
  namesIn(folder).some((name) => name !== practiceId && sizeOf(join(folder, name, 'countertag.db')) > 0)

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
    // To go on would be to write over it later.
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
    // Windows editors put a mark before the first letter.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
