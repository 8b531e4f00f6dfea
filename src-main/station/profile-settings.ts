import type { AppError } from '../../src-shared/errors'
import {
  type ConnectionSettings,
  type ConnectionStep,
  type CredentialPlace,
  type CredentialsForm,
  type ProfileForm,
  type ProfileId,
  practiceId,
} from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { Clock } from '../clock'
import type { CredentialStore, KnownClients } from '../credentials/store'
import type { Policy } from '../policy/policy'
import type { ResolveProxy } from '../service/system-proxy'
import { testConnection } from './connection-test'
import { type Profiles, profileOf } from './profiles'
import type { StationFile } from './station-file'

export interface ProfileSettingsParts {
  file: StationFile
  profiles: Profiles
  credentials: CredentialStore
  clients: KnownClients
  resolveProxy?: ResolveProxy | undefined
  policy?: Pick<Policy, 'allowOtherConnections' | 'allowPractice'> | undefined
  clock: Clock
  /** Called with each step of a test as it ends. */
  announce: (id: ProfileId, step: ConnectionStep) => void
  /**
   * Opens the core anew; `before` is the profile to go back to. `change` is made while nothing is open; what is wrong
   * with it is given back, and the core is opened anyway.
   */
  reopen: (before: ProfileId, change?: () => Result<unknown, AppError>) => Promise<Result<null, AppError>>
}

const products = ['retail', 'sourcing'] as const

const fixed = err({ code: 'policy/fixed' as const })

const authUrlOf = (profile: ProfileForm, product: ServiceProduct) =>
  product === 'retail' ? profile.retailAuthUrl : profile.sourcingAuthUrl

/** Settings > Connections: profiles, credentials on their way in, and which profile is in use. */
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
}: ProfileSettingsParts) {
  const allowsOthers = policy?.allowOtherConnections !== false
  const allowsPractice = policy?.allowPractice !== false
  /** What waits to be sent is never out of reach: its connection stays until that is done. */
  const isUsable = ({ id }: { id: ProfileId }) =>
    id === practiceId
      ? allowsPractice
      : allowsOthers || profiles.isManaged(id) || profiles.active() === id || profiles.waiting(id) !== 0
  /** The keychain may prompt for each entry, so an account that isn't needed is not looked up. */
  const placeOf = async (id: ProfileId, product: ServiceProduct, url: string | null): Promise<CredentialPlace> =>
    url === null ? 'none' : credentials.place(id, product, url)
  const settings = async (): Promise<ConnectionSettings> => {
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
  const settingsAfter = async (step: Result<unknown, AppError>): Promise<Result<ConnectionSettings, AppError>> =>
    step.ok ? ok(await settings()) : step
  const forgetAll = async (id: ProfileId): Promise<Result<null, AppError>> => {
    for (const product of products) {
      const forgotten = await credentials.forget(id, product)
      // A computer that lost its keychain for good must not keep the profile for ever.
      if (!forgotten.ok && forgotten.error.code !== 'keychain/missing') return forgotten
    }
    return ok(null)
  }
  /** Accounts whose address is another: client id and secret are for the server that they were entered for. */
  const movedTo = (next: ProfileForm, before: ProfileForm | undefined): ServiceProduct[] =>
    products.filter((product) => {
      const was = before ? authUrlOf(before, product) : null
      return was !== null && was !== authUrlOf(next, product)
    })
  /** What is changed of the profile in use counts from now on. */
  const reopenIfActive = async (id: ProfileId): Promise<Result<null, AppError>> =>
    profiles.active() === id ? reopen(id) : ok(null)

  return {
    settings,
    /** An account that moves to another address is forgotten. Errors: policy/fixed, those of `Profiles.save`. */
    async saveProfile(id: ProfileId | null, profile: ProfileForm): Promise<Result<ConnectionSettings, AppError>> {
      if (id === null ? !allowsOthers : profiles.isManaged(id)) return fixed
      const problem = profiles.objection(id, profile)
      if (problem) return err(problem)
      const moved = movedTo(profile, id === null ? undefined : profiles.byId(id))
      const save = () => profiles.save(id, profile)
      // For the profile in use, between closing and opening: no report may be added after the check.
      const done = id !== null && profiles.active() === id ? await reopen(id, save) : save()
      if (!done.ok) return done
      // On a disk that refuses they are still there. What a keychain does not let go of goes to the new address no more than
      // to any other.
      if (id !== null) for (const product of moved) await credentials.forget(id, product)
      return ok(await settings())
    },
    /** Errors: policy/fixed, those of `Profiles.remove` and of the keychain: what it still holds keeps the profile. */
    async removeProfile(id: ProfileId): Promise<Result<ConnectionSettings, AppError>> {
      if (profiles.isManaged(id)) return fixed
      const problem = profiles.objectionToRemoval(id)
      if (problem) return err(problem)
      const forgotten = await forgetAll(id)
      return settingsAfter(forgotten.ok ? profiles.remove(id) : forgotten)
    },
    /**
     * Another client id is refused while reports wait, unless the person says that it belongs to the same store. Without a usable
     * keychain they are kept in memory, and the settings say so. Errors: profile/unknown (also of an account that it has
     * not), -other-account, -unreadable-data; store/not-saved.
     */
    async setCredentials(
      id: ProfileId,
      product: ServiceProduct,
      form: CredentialsForm,
      isSameStore: boolean = false,
    ): Promise<Result<ConnectionSettings, AppError>> {
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
      // While the keychain asked, a sale may have been saved. Another client id signs nothing in before it is noted.
      const note = (): Result<null, AppError> => {
        const late = objection()
        return late ? err(late) : clients.note(id, product, form.clientId)
      }
      return settingsAfter(profiles.active() === id ? await reopen(id, note) : note())
    },
    /** Errors: profile/unknown, those of the keychain. */
    async forgetCredentials(id: ProfileId, product: ServiceProduct): Promise<Result<ConnectionSettings, AppError>> {
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
    /** Errors: policy/fixed, those of `Profiles.use`; profile/not-opened when its data can't be opened: the one before stays in use. */
    async use(id: ProfileId): Promise<Result<null, AppError>> {
      const before = profiles.active()
      if (id === before) return ok(null)
      if (!isUsable({ id })) return fixed
      const done = profiles.use(id)
      return done.ok ? reopen(before) : done
    },
  }
}

export type ProfileSettings = ReturnType<typeof createProfileSettings>
