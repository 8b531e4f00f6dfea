import type { AppErrorOf, ResultOf } from '../../src-shared/errors'
import {
  type ProfileSettings as SettingsView,
  type ConnectionStep,
  type CredentialPlace,
  type CredentialsForm,
  type ProfileForm,
  type ProfileId,
  practiceId,
} from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { KeychainCode } from '../credentials/keychain'
import type { NotSaved } from '../database/saved'
import type { HandlersOf } from '../ipc/handlers'
import { testConnection } from './connection-test'
import type { NotReopened } from './core-in-use'
import type { Hosting } from './hosting'
import type { Joining } from './joining'
import { readPresets } from './presets'
import { type Irremovable, type Unwritable, profileOf } from './profiles'
import type { StationContext } from './station-context'

const products = ['retail', 'sourcing'] as const

const fixed = err({ code: 'policy/fixed' as const })

const authUrlOf = (profile: ProfileForm, product: ServiceProduct) =>
  product === 'retail' ? profile.retailAuthUrl : profile.sourcingAuthUrl

/** Accounts whose sign-in URL changes: a client id and secret are only for the server they were entered for. */
const movedTo = (next: ProfileForm, before: ProfileForm | undefined): ServiceProduct[] =>
  products.filter((product) => {
    const was = before ? authUrlOf(before, product) : null
    return was !== null && was !== authUrlOf(next, product)
  })

/** Why an account's client id was not noted. */
type NotNoted = NotSaved | 'profile/other-account' | 'profile/unreadable-data'

/** Settings > Connections: profiles, entering credentials, and choosing the profile in use. */
export class ProfileSettings {
  readonly #context: StationContext
  readonly #allowsOthers: boolean
  readonly #allowsPractice: boolean

  constructor(context: StationContext) {
    const { policy } = context.surroundings
    this.#context = context
    this.#allowsOthers = policy?.allowOtherConnections !== false
    this.#allowsPractice = policy?.allowPractice !== false
  }

  async settings(): Promise<SettingsView> {
    const { profiles, credentials, files } = this.#context
    const usable = profiles.all().filter(({ id }) => this.#isUsable(id))
    const shown = await Promise.all(usable.map((one) => this.#shown(one)))
    return {
      // Read after the keychain's answer, for which a person may have to unlock it.
      active: profiles.active(),
      profiles: shown,
      allowsOthers: this.#allowsOthers,
      allowsPractice: this.#allowsPractice,
      keychain: await credentials.state(),
      problem: files.file.problem,
    }
  }

  /** The credentials of an account that moves to another address are deleted. */
  async save(
    id: ProfileId | null,
    profile: ProfileForm,
  ): Promise<ResultOf<SettingsView, NotSaved | Unwritable | NotReopened['code'] | 'policy/fixed'>> {
    const { profiles, credentials, core } = this.#context
    if (id === null ? !this.#allowsOthers : profiles.isManaged(id)) return fixed
    const problem = profiles.objection(id, profile)
    if (problem) return err(problem)
    const moved = movedTo(profile, id === null ? undefined : profiles.byId(id))
    const save = () => profiles.save(id, profile)
    // For the profile in use, saved between closing and opening, so that no report can be added after the check.
    const done = id !== null && profiles.active() === id ? await core.reopen(id, save) : save()
    if (!done.ok) return done
    // Only after saving, so that a disk error keeps the credentials. Credentials that the keychain fails to delete are
    // not sent to the new address either.
    if (id !== null) for (const product of moved) await credentials.forget(id, product)
    return ok(await this.settings())
  }

  /** The profile stays while the keychain still holds its credentials. */
  async remove(id: ProfileId): Promise<ResultOf<SettingsView, NotSaved | Irremovable | KeychainCode | 'policy/fixed'>> {
    const { profiles } = this.#context
    if (profiles.isManaged(id)) return fixed
    const problem = profiles.objectionToRemoval(id)
    if (problem) return err(problem)
    const forgotten = await this.#forgetAll(id)
    const done: ResultOf<null, NotSaved | Irremovable | KeychainCode> = forgotten.ok ? profiles.remove(id) : forgotten
    return this.#settingsAfter(done)
  }

  /**
   * A different client id is refused while reports wait, unless the person says that it belongs to the same store.
   * Without a usable keychain the credentials are kept in memory, and the settings say so. An account that the
   * profile doesn't have is `profile/unknown`.
   */
  async setCredentials(
    id: ProfileId,
    product: ServiceProduct,
    form: CredentialsForm,
    isSameStore: boolean = false,
  ): Promise<ResultOf<SettingsView, NotNoted | NotReopened['code'] | 'profile/unknown'>> {
    const { profiles, credentials, files, core } = this.#context
    const profile = profiles.byId(id)
    const authUrl = profile && authUrlOf(profile, product)
    if (authUrl === undefined || authUrl === null) return err({ code: 'profile/unknown' })
    const objection = () => (isSameStore ? undefined : this.#otherAccount(id, product, form.clientId))
    const problem = objection()
    if (problem) return err(problem)
    await credentials.write(id, product, authUrl, form)
    // A sale may have been saved while the keychain prompt was open, so the check runs again. A different client id
    // isn't used before it is noted.
    const note = (): ResultOf<null, NotNoted> => {
      const late = objection()
      return late ? err(late) : files.clients.note(id, product, form.clientId)
    }
    const noted: Result<null, NotReopened | AppErrorOf<NotNoted>> =
      profiles.active() === id ? await core.reopen(id, note) : note()
    return this.#settingsAfter(noted)
  }

  /** Applied at once if the profile is in use. */
  async forgetCredentials(
    id: ProfileId,
    product: ServiceProduct,
  ): Promise<ResultOf<SettingsView, NotReopened['code'] | KeychainCode | 'profile/unknown'>> {
    const { profiles, credentials, core } = this.#context
    if (profiles.byId(id) === undefined) return err({ code: 'profile/unknown' })
    const forgotten = await credentials.forget(id, product)
    const done: Result<null, NotReopened | AppErrorOf<KeychainCode>> =
      forgotten.ok && profiles.active() === id ? await core.reopen<never>(id) : forgotten
    return this.#settingsAfter(done)
  }

  async test(id: ProfileId): Promise<ResultOf<ConnectionStep[], 'profile/unknown'>> {
    const { surroundings, profiles, credentials, hubSecrets, seal, events, clock } = this.#context
    const form = profiles.byId(id)
    if (!form) return err({ code: 'profile/unknown' })
    // A person has unlocked the keychain: for all that is kept there.
    for (const kept of [credentials, seal, hubSecrets]) await kept.askAgain()
    return ok(
      await testConnection({
        ...{ profile: profileOf(form), credentials: credentials.of(id), clock },
        resolveProxy: surroundings.resolveProxy,
        announce: (step) => {
          events.emit('profile.step', { id, step })
        },
      }),
    )
  }

  async use(
    id: ProfileId,
  ): Promise<ResultOf<null, NotSaved | NotReopened['code'] | 'policy/fixed' | 'profile/unknown'>> {
    const { profiles, core } = this.#context
    const before = profiles.active()
    if (id === before) return ok(null)
    if (!this.#isUsable(id)) return fixed
    const done = profiles.use(id)
    return done.ok ? core.reopen<never>(before) : done
  }

  /** A connection with reports waiting to be sent stays usable until they are done. */
  #isUsable(id: ProfileId): boolean {
    const { profiles } = this.#context
    if (id === practiceId) return this.#allowsPractice
    return this.#allowsOthers || profiles.isManaged(id) || profiles.active() === id || profiles.waiting(id) !== 0
  }

  async #shown({ id, profile }: { id: ProfileId; profile: ProfileForm }) {
    const { profiles } = this.#context
    const [retail, sourcing] = await Promise.all([
      this.#placeOf(id, 'retail', profile),
      this.#placeOf(id, 'sourcing', profile),
    ])
    const isManaged = profiles.isManaged(id)
    return { id, profile, isManaged, credentials: { retail, sourcing }, waiting: profiles.waiting(id) }
  }

  /** The keychain may prompt for each entry, so an account that isn't needed is not looked up. */
  async #placeOf(id: ProfileId, product: ServiceProduct, profile: ProfileForm): Promise<CredentialPlace> {
    const url = authUrlOf(profile, product)
    return url === null ? 'none' : this.#context.credentials.place(id, product, url)
  }

  async #settingsAfter<E>(step: Result<unknown, E>): Promise<Result<SettingsView, E>> {
    return step.ok ? ok(await this.settings()) : step
  }

  async #forgetAll(id: ProfileId): Promise<ResultOf<null, KeychainCode>> {
    for (const product of products) {
      const forgotten = await this.#context.credentials.forget(id, product)
      // If the computer's keychain is gone for good, the profile can still be removed.
      if (!forgotten.ok && forgotten.error.code !== 'keychain/missing') return forgotten
    }
    return ok(null)
  }

  /** Why another client id can't be used yet. */
  #otherAccount(
    id: ProfileId,
    product: ServiceProduct,
    clientId: string,
  ): AppErrorOf<'profile/unreadable-data' | 'profile/other-account'> | undefined {
    const { profiles, files } = this.#context
    if (!files.clients.isOther(id, product, clientId)) return undefined
    const count = profiles.waiting(id)
    if (count === null) return { code: 'profile/unreadable-data' }
    return count > 0 ? { code: 'profile/other-account', count } : undefined
  }
}

export function profileHandlers(context: StationContext, joining: Joining, hosting: Hosting): HandlersOf<'profile'> {
  const settings = new ProfileSettings(context)
  return {
    'profile.settings': async () => ok(await settings.settings()),
    'profile.presets': () => ok(readPresets(context.surroundings.resourcesDir, context.core.log)),
    'profile.save': ({ id, profile }) => settings.save(id, profile),
    'profile.remove': async ({ id }) => {
      const removed = await settings.remove(id)
      if (removed.ok) {
        await joining.drop(id)
        await hosting.drop(id)
      }
      return removed
    },
    'profile.setCredentials': ({ id, product, credentials, isSameStore }) =>
      settings.setCredentials(id, product, credentials, isSameStore),
    'profile.forgetCredentials': ({ id, product }) => settings.forgetCredentials(id, product),
    'profile.test': ({ id }) => settings.test(id),
    'profile.use': ({ id }) => settings.use(id),
  }
}
