import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { AppErrorOf, ResultOf } from '../../src-shared/errors'
import { KnownProfile, type ProfileForm, type ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import { err, ok } from '../../src-shared/result'
import { searchable } from '../../src-shared/text'
import type { Profile } from '../credentials/profile'
import { hasNoFilesLeft } from '../core/open-files'
import { readCaFile } from '../service/routes'
import { type NotSaved, saved } from '../database/saved'
import type { StationFile } from './station-file'

export interface ProfileData {
  /** Whether a folder of that name exists. Reports waiting in it are for the service of the profile that created it. */
  isThere(id: ProfileId): boolean
  /** Number of unfinished reports in the profile's data; undefined if unknown. */
  waiting(id: ProfileId): number | undefined
}

type Unsent = 'profile/unsent' | 'profile/unreadable-data' | 'store/out-of-files'
/** Why a profile can't be saved with certain values. */
export type Unwritable = Unsent | 'profile/unknown' | 'profile/other-kind' | 'profile/no-ca-file'
/** Why a profile can't be removed. */
export type Irremovable = Unsent | 'profile/unknown' | 'profile/active'

/** The configured profiles. `startWith`: in use until another is chosen, regardless of the file; not saved. */
export function createProfiles(file: StationFile, data: ProfileData, startWith?: ProfileId) {
  let unwritten = startWith
  // Other fields of the file are kept.
  const all = () => file.read().profiles.map(({ id, profile }) => ({ id, profile: KnownProfile.parse(profile) }))
  const byId = (id: ProfileId) => all().find((one) => one.id === id)?.profile
  /** A keychain that was missing when a profile was removed may still hold its secrets: a new profile must not get them. */
  const hadAccounts = (id: ProfileId) => {
    const { inKeychain, clients } = file.read()
    return [...inKeychain, ...Object.keys(clients)].some((account) => account.startsWith(`${id}/`))
  }
  const isKnown = (id: ProfileId) => id === practiceId || byId(id) !== undefined

  const newId = (name: string) => idFor(name, (taken) => isKnown(taken) || data.isThere(taken) || hadAccounts(taken))

  const change = (step: Parameters<StationFile['change']>[0]): ResultOf<null, NotSaved> => {
    return saved(() => {
      file.change(step)
      return ok(null)
    })
  }

  const objection = (id: ProfileId | null, profile: ProfileForm): AppErrorOf<Unwritable> | undefined => {
    const before = id === null ? undefined : byId(id)
    if (id !== null && !before) return { code: 'profile/unknown' }
    if (before && before.kind !== profile.kind) return { code: 'profile/other-kind' }
    if (profile.caFile !== null && !readCaFile(profile.caFile)) {
      if (hasNoFilesLeft()) return { code: 'store/out-of-files' }
      return { code: 'profile/no-ca-file', path: profile.caFile }
    }
    return id !== null && before && isOtherService(before, profile) ? unsentIn(id) : undefined
  }
  const unsentIn = (id: ProfileId): AppErrorOf<Unsent> | undefined => {
    const count = data.waiting(id)
    if (count === undefined) return { code: hasNoFilesLeft() ? 'store/out-of-files' : 'profile/unreadable-data' }
    return count > 0 ? { code: 'profile/unsent', count } : undefined
  }

  const objectionToRemoval = (id: ProfileId): AppErrorOf<Irremovable> | undefined => {
    if (byId(id) === undefined) return { code: 'profile/unknown' }
    if (file.read().active === id) return { code: 'profile/active' }
    // Its waiting reports would never be sent, because a profile that is added again gets another folder.
    return unsentIn(id)
  }

  return {
    // An unknown id means the practice profile, so that nothing is sent by mistake. A till that has sold always has a
    // known id here.
    active(): ProfileId {
      const id = unwritten ?? file.read().active
      return isKnown(id) ? id : practiceId
    },
    all,
    /** Undefined for the practice profile, which can't be configured. */
    byId,
    objection,
    objectionToRemoval,
    /** Whether the profile comes from IT's policy; then only the policy can change it. */
    isManaged: (id: ProfileId) => file.read().profiles.some((one) => one.id === id && one.isManaged === true),
    /** A folder name derived from a connection's name and never used here before. */
    newId,
    /** Number of reports waiting in the profile's data; null if unknown. */
    waiting: (id: ProfileId): number | null => data.waiting(id) ?? null,
    /** Returns the profile's id. */
    save(id: ProfileId | null, profile: ProfileForm): ResultOf<ProfileId, NotSaved | Unwritable> {
      const problem = objection(id, profile)
      if (problem) return err(problem)
      const savedId = id ?? newId(profile.name)
      const done = change((settings) => ({
        ...settings,
        profiles:
          id === null
            ? [...settings.profiles, { id: savedId, profile }]
            : settings.profiles.map((one) =>
                one.id === id ? { ...one, profile: { ...one.profile, ...profile } } : one,
              ),
      }))
      return done.ok ? ok(savedId) : done
    },
    remove(id: ProfileId): ResultOf<null, NotSaved | Irremovable> {
      const problem = objectionToRemoval(id)
      if (problem) return err(problem)
      return change((settings) => ({ ...settings, profiles: settings.profiles.filter((one) => one.id !== id) }))
    },
    use(id: ProfileId): ResultOf<null, NotSaved | 'profile/unknown'> {
      if (!isKnown(id)) return err({ code: 'profile/unknown' })
      const done = change((settings) => ({ ...settings, active: id }))
      if (done.ok) unwritten = undefined
      return done
    },
  }
}

export type Profiles = ReturnType<typeof createProfiles>

/**
 * Whether two profiles are for different services or dispensaries: reports for one must never go to the other. The
 * sign-in URLs may change, because the reports go to the service. A dispensary may be added to a profile without one.
 */
export const isOtherService = (one: ProfileForm, other: ProfileForm) =>
  one.baseUrl !== other.baseUrl || (one.dispensaryId !== null && one.dispensaryId !== other.dispensaryId)

/** A folder name derived from the name a person gave the connection. */
function idFor(name: string, isTaken: (id: ProfileId) => boolean): ProfileId {
  const plain = searchable(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  const short = plain.slice(0, 30).replace(/-$/, '') || 'store'
  const stem = devices.test(short) ? `store-${short}` : short
  for (let n = 1; ; n++) {
    const id = n === 1 ? stem : `${stem}-${n}`
    if (!isTaken(id)) return id
  }
}

/** Windows doesn't allow folders with these names. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Converts a saved profile into the form the core uses. */
export function profileOf(form: ProfileForm): Profile {
  const { kind, name, baseUrl, retailAuthUrl, sourcingAuthUrl, dispensaryId, sendsSku, caFile } = form
  return { kind, name, baseUrl, authUrls: authUrlsOf(retailAuthUrl, sourcingAuthUrl), dispensaryId, sendsSku, caFile }
}

function authUrlsOf(retail: string | null, sourcing: string | null): Profile['authUrls'] {
  if (retail !== null) return { retail, ...(sourcing === null ? {} : { sourcing }) }
  // The form guarantees at least one of the two.
  if (sourcing === null) throw new Error('a profile without an account')
  return { sourcing }
}

const RowCount = z.number().int().nonnegative()

const countOf = {
  unfinished: `SELECT count(*) FROM operation WHERE state NOT IN ('accepted', 'cancelled')`,
  unsent: `SELECT count(*) FROM operation WHERE state IN ('queued', 'sending', 'unknown')`,
}

/**
 * The number of reports in the database of a profile that isn't open: `unfinished`: unsent, or refused and not dealt with;
 * or only those that are unsent. Read without changing anything; undefined if the database can't be read and so may hold
 * any number.
 */
export function waitingIn(databaseFile: string, which: keyof typeof countOf = 'unfinished'): number | undefined {
  if (!existsSync(databaseFile)) return 0
  try {
    const db = new Sqlite(databaseFile, { readonly: true, fileMustExist: true })
    try {
      return RowCount.parse(db.prepare(countOf[which]).pluck().get())
    } finally {
      db.close()
    }
  } catch {
    return undefined
  }
}
