import type { AppError } from '../../src-shared/errors'
import {
  type ProfileSettings,
  type ConnectionStep,
  type CredentialPlace,
  type CredentialsForm,
  type ProfileForm,
  type ProfileId,
  practiceId,
} from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { Clock } from '../core/clock'
import type { CredentialStore, KnownClients } from '../credentials/store'
import type { Policy } from '../policy/policy'
import type { ResolveProxy } from '../service/system-proxy'
import { testConnection } from './connection-test'
import { type Profiles, profileOf } from './profiles'
import type { StationFile } from './station-file'

const products = ['retail', 'sourcing'] as const

const fixed = err({ code: 'policy/fixed' as const })

const authUrlOf = (profile: ProfileForm, product: ServiceProduct) =>
  product === 'retail' ? profile.retailAuthUrl : profile.sourcingAuthUrl

/** Settings > Connections: profiles, entering credentials, and choosing the profile in use. */
export function createProfileSettings({
  file,
  profiles,
  credentials,
  clients,
  resolveProxy,
  policy,
  clock,
  announce,
  reopen,
}: {
  file: StationFile
  profiles: Profiles
  credentials: CredentialStore
  clients: KnownClients
  resolveProxy?: ResolveProxy | undefined
  policy?: Pick<Policy, 'allowOtherConnections' | 'allowPractice'> | undefined
  clock: Clock
  /** Called after each step of a connection test. */
  announce: (id: ProfileId, step: ConnectionStep) => void
  /**
   * Reopens the core; `before` is the profile to fall back to. `change` runs while nothing is open. Its error is
   * returned, and the core is opened anyway.
   */
  reopen: (before: ProfileId, change?: () => Result<unknown, AppError>) => Promise<Result<null, AppError>>
}) {
  const allowsOthers = policy?.allowOtherConnections !== false
  const allowsPractice = policy?.allowPractice !== false
  /** A connection with reports waiting to be sent stays usable until they are done. */
  const isUsable = ({ id }: { id: ProfileId }) =>
    id === practiceId
      ? allowsPractice
      : allowsOthers || profiles.isManaged(id) || profiles.active() === id || profiles.waiting(id) !== 0
  /** The keychain may prompt for each entry, so an account that isn't needed is not looked up. */
  const placeOf = async (id: ProfileId, product: ServiceProduct, url: string | null): Promise<CredentialPlace> =>
    url === null ? 'none' : credentials.place(id, product, url)
  const settings = async (): Promise<ProfileSettings> => {
    const all = await Promise.all(
      profiles
        .all()
        .filter(isUsable)
        .map(async ({ id, profile }) => {
          const [retail, sourcing] = await Promise.all([
            placeOf(id, 'retail', authUrlOf(profile, 'retail')),
            placeOf(id, 'sourcing', authUrlOf(profile, 'sourcing')),
          ])
          const isManaged = profiles.isManaged(id)
          return { id, profile, isManaged, credentials: { retail, sourcing }, waiting: profiles.waiting(id) }
        }),
    )
    return {
      active: profiles.active(),
      profiles: all,
      allowsOthers,
      allowsPractice,
      keychain: await credentials.state(),
      problem: file.problem,
    }
  }
  const settingsAfter = async (step: Result<unknown, AppError>): Promise<Result<ProfileSettings, AppError>> =>
    step.ok ? ok(await settings()) : step
  const forgetAll = async (id: ProfileId): Promise<Result<null, AppError>> => {
    for (const product of products) {
      const forgotten = await credentials.forget(id, product)
      // If the computer's keychain is gone for good, the profile can still be removed.
      if (!forgotten.ok && forgotten.error.code !== 'keychain/missing') return forgotten
    }
    return ok(null)
  }
  /** Accounts whose sign-in URL changes: a client id and secret are only for the server they were entered for. */
  const movedTo = (next: ProfileForm, before: ProfileForm | undefined): ServiceProduct[] =>
    products.filter((product) => {
      const was = before ? authUrlOf(before, product) : null
      return was !== null && was !== authUrlOf(next, product)
    })
  /** Applies a change at once if the profile is in use. */
  const reopenIfActive = async (id: ProfileId): Promise<Result<null, AppError>> =>
    profiles.active() === id ? reopen(id) : ok(null)

  return {
    settings,
    /**
     * The credentials of an account that moves to another address are deleted. Errors: policy/fixed, those of
     * `Profiles.save`.
     */
    async save(id: ProfileId | null, profile: ProfileForm): Promise<Result<ProfileSettings, AppError>> {
      if (id === null ? !allowsOthers : profiles.isManaged(id)) return fixed
      const problem = profiles.objection(id, profile)
      if (problem) return err(problem)
      const moved = movedTo(profile, id === null ? undefined : profiles.byId(id))
      const save = () => profiles.save(id, profile)
      // For the profile in use, saved between closing and opening, so that no report can be added after the check.
      const done = id !== null && profiles.active() === id ? await reopen(id, save) : save()
      if (!done.ok) return done
      // Only after saving, so that a disk error keeps the credentials. Credentials that the keychain fails to delete are
      // not sent to the new address either.
      if (id !== null) for (const product of moved) await credentials.forget(id, product)
      return ok(await settings())
    },
    /**
     * Errors: policy/fixed, those of `Profiles.remove` and of the keychain. The profile stays while the keychain still
     * holds its credentials.
     */
    async remove(id: ProfileId): Promise<Result<ProfileSettings, AppError>> {
      if (profiles.isManaged(id)) return fixed
      const problem = profiles.objectionToRemoval(id)
      if (problem) return err(problem)
      const forgotten = await forgetAll(id)
      return settingsAfter(forgotten.ok ? profiles.remove(id) : forgotten)
    },
    /**
     * A different client id is refused while reports wait, unless the person says that it belongs to the same store.
     * Without a usable keychain the credentials are kept in memory, and the settings say so. Errors: profile/unknown
     * (also for an account that the profile doesn't have), -other-account, -unreadable-data; store/not-saved.
     */
    async setCredentials(
      id: ProfileId,
      product: ServiceProduct,
      form: CredentialsForm,
      isSameStore: boolean = false,
    ): Promise<Result<ProfileSettings, AppError>> {
      const profile = profiles.byId(id)
      const authUrl = profile && authUrlOf(profile, product)
      if (authUrl === undefined || authUrl === null) return err({ code: 'profile/unknown' })
      const objection = (): AppError | undefined => {
        if (isSameStore || !clients.isOther(id, product, form.clientId)) return undefined
        const count = profiles.waiting(id)
        if (count === null) return { code: 'profile/unreadable-data' }
        return count > 0 ? { code: 'profile/other-account', count } : undefined
      }
      const problem = objection()
      if (problem) return err(problem)
      await credentials.write(id, product, authUrl, form)
      // A sale may have been saved while the keychain prompt was open, so the check runs again. A different client id
      // isn't used before it is noted.
      const note = (): Result<null, AppError> => {
        const late = objection()
        return late ? err(late) : clients.note(id, product, form.clientId)
      }
      return settingsAfter(profiles.active() === id ? await reopen(id, note) : note())
    },
    /** Errors: profile/unknown, those of the keychain. */
    async forgetCredentials(id: ProfileId, product: ServiceProduct): Promise<Result<ProfileSettings, AppError>> {
      if (profiles.byId(id) === undefined) return err({ code: 'profile/unknown' })
      const forgotten = await credentials.forget(id, product)
      return settingsAfter(forgotten.ok ? await reopenIfActive(id) : forgotten)
    },
    /** Errors: profile/unknown. */
    async test(id: ProfileId): Promise<Result<ConnectionStep[], AppError>> {
      const form = profiles.byId(id)
      if (!form) return err({ code: 'profile/unknown' })
      await credentials.askAgain()
      return ok(
        await testConnection({
          profile: profileOf(form),
          credentials: credentials.of(id),
          resolveProxy,
          clock,
          announce: (step) => {
            announce(id, step)
          },
        }),
      )
    },
    /**
     * Errors: policy/fixed, those of `Profiles.use`; profile/not-opened if its data can't be opened: the previous profile
     * stays in use.
     */
    async use(id: ProfileId): Promise<Result<null, AppError>> {
      const before = profiles.active()
      if (id === before) return ok(null)
      if (!isUsable({ id })) return fixed
      const done = profiles.use(id)
      return done.ok ? reopen(before) : done
    },
  }
}
