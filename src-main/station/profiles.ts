import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { ProfileForm, type ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import { searchable } from '../../src-shared/text'
import type { Profile } from '../profile'
import { readCaFile } from '../service/routes'
import { saved } from '../store/saved'
import type { StationFile } from './station-file'

export interface ProfileData {
  /** Whether there is a folder of that name: what waits in it is for the service of the profile that left it. */
  isThere(id: ProfileId): boolean
  /** Number of unfinished reports in it; undefined if unknown. */
  waiting(id: ProfileId): number | undefined
}

/** The profiles that were set up. `startWith`: in use until another is chosen, whatever the file says; not written down. */
export function createProfiles(file: StationFile, data: ProfileData, startWith?: ProfileId) {
  let unwritten = startWith
  // What else stands in the file stays there.
  const all = () => file.read().profiles.map(({ id, profile }) => ({ id, profile: ProfileForm.parse(profile) }))
  const byId = (id: ProfileId) => all().find((one) => one.id === id)?.profile
  /** A keychain that was missing when a profile was removed may hold its secrets still: no other takes them over. */
  const hadAccounts = (id: ProfileId) => {
    const { inKeychain, clients } = file.read()
    return [...inKeychain, ...Object.keys(clients)].some((account) => account.startsWith(`${id}/`))
  }
  const isKnown = (id: ProfileId) => id === practiceId || byId(id) !== undefined

  const newId = (name: string) => idFor(name, (taken) => isKnown(taken) || data.isThere(taken) || hadAccounts(taken))

  const change = (step: Parameters<StationFile['change']>[0]): Result<null, AppError> => {
    return saved(() => {
      file.change(step)
      return ok(null)
    })
  }

  const objection = (id: ProfileId | null, profile: ProfileForm): AppError | undefined => {
    const before = id === null ? undefined : byId(id)
    if (id !== null && !before) return { code: 'profile/unknown' }
    if (before && before.kind !== profile.kind) return { code: 'profile/other-kind' }
    if (profile.caFile !== null && !readCaFile(profile.caFile)) {
      return { code: 'profile/no-ca-file', path: profile.caFile }
    }
    return id !== null && before && isOtherService(before, profile) ? unsentIn(id) : undefined
  }
  const unsentIn = (id: ProfileId): AppError | undefined => {
    const count = data.waiting(id)
    if (count === undefined) return { code: 'profile/unreadable-data' }
    return count > 0 ? { code: 'profile/unsent', count } : undefined
  }

  const objectionToRemoval = (id: ProfileId): AppError | undefined => {
    if (byId(id) === undefined) return { code: 'profile/unknown' }
    if (file.read().active === id) return { code: 'profile/active' }
    // They would never be sent: a profile that is added again has another folder.
    return unsentIn(id)
  }

  return {
    // What names no profile is the practice profile: nothing is ever sent by mistake. The file of a till that sold does.
    active(): ProfileId {
      const id = unwritten ?? file.read().active
      return isKnown(id) ? id : practiceId
    },
    all,
    /** Undefined for the practice profile, which can't be set up. */
    byId,
    /** Why it can't be saved so: profile/unknown, -other-kind, -no-ca-file, -unsent, -unreadable-data. */
    objection,
    /** Why it can't be removed: profile/unknown, -active, -unsent, -unreadable-data. */
    objectionToRemoval,
    /** Whether IT's policy names it: then only the policy changes it. */
    isManaged: (id: ProfileId) => file.read().profiles.some((one) => one.id === id && one.isManaged === true),
    /** A folder name made of a connection's name, which no connection has had here. */
    newId,
    /** Number of reports that wait in its data; null if unknown. */
    waiting: (id: ProfileId): number | null => data.waiting(id) ?? null,
    /** Errors: those of `objection`, store/not-saved. Gives its id. */
    save(id: ProfileId | null, profile: ProfileForm): Result<ProfileId, AppError> {
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
    /** Errors: those of `objectionToRemoval`, store/not-saved. */
    remove(id: ProfileId): Result<null, AppError> {
      const problem = objectionToRemoval(id)
      if (problem) return err(problem)
      return change((settings) => ({ ...settings, profiles: settings.profiles.filter((one) => one.id !== id) }))
    },
    /** Errors: profile/unknown, store/not-saved. */
    use(id: ProfileId): Result<null, AppError> {
      if (!isKnown(id)) return err({ code: 'profile/unknown' })
      const done = change((settings) => ({ ...settings, active: id }))
      if (done.ok) unwritten = undefined
      return done
    },
  }
}

export type Profiles = ReturnType<typeof createProfiles>

/**
 * Reports of one must never go to the other, nor under another dispensary. Where tokens are had may change: the service is
 * what takes the reports. A dispensary may be added where none was named.
 */
export const isOtherService = (one: ProfileForm, other: ProfileForm) =>
  one.baseUrl !== other.baseUrl || (one.dispensaryId !== null && one.dispensaryId !== other.dispensaryId)

/** A folder name made of what a person calls it. */
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

/** Windows makes no folder of these names. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** A profile as the core works with it. */
export function profileOf(form: ProfileForm): Profile {
  const { kind, name, baseUrl, retailAuthUrl, sourcingAuthUrl, dispensaryId, sendsSku, caFile } = form
  return { kind, name, baseUrl, authUrls: authUrlsOf(retailAuthUrl, sourcingAuthUrl), dispensaryId, sendsSku, caFile }
}

function authUrlsOf(retail: string | null, sourcing: string | null): Profile['authUrls'] {
  if (retail !== null) return { retail, ...(sourcing === null ? {} : { sourcing }) }
  // The form has one of the two at least.
  if (sourcing === null) throw new Error('a profile without an account')
  return { sourcing }
}

const Count = z.number().int().nonnegative()

/**
 * How many reports in the database of a profile that is not open are not done: unsent, or refused and not dealt with.
 * Read without changing anything; undefined when it can't be read, and so may hold any.
 */
export function waitingIn(databaseFile: string): number | undefined {
  if (!existsSync(databaseFile)) return 0
  try {
    const db = new Sqlite(databaseFile, { readonly: true, fileMustExist: true })
    try {
      return Count.parse(
        db.prepare(`SELECT count(*) FROM operation WHERE state NOT IN ('accepted', 'cancelled')`).pluck().get(),
      )
    } finally {
      db.close()
    }
  } catch {
    return undefined
  }
}
