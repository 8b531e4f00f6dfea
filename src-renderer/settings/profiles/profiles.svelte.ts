import type { AppError } from '../../../src-shared/errors'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/ipc/contract'
import type { Client } from '../../../src-shared/ipc/client'
import type { ProfileSettings, ConnectionStep, ProfileId } from '../../../src-shared/ipc/contract/station'
import type { ServiceProduct } from '../../../src-shared/service/token'
import type { AppStatus } from '../../../src-shared/ipc/contract/app'
import type { ChipTone } from '../../ui/tones'
import { explain } from '../../text/errors'
import { span } from '../../text/moments'
import type { Text } from '../../text/text.svelte'

type SettingsCall = { [Name in CallName]: CallOutput<Name> extends ProfileSettings ? Name : never }[CallName]

/** The dialog that is open about a connection. */
export type OpenDialog =
  | { what: 'add' | 'practice' }
  | { what: 'use' | 'remove'; id: ProfileId }
  | {
      what: 'edit' | 'sign-in' | 'test'
      id: ProfileId
      /** Part of setting a connection up: what is saved leads to the next step. */
      isGuided?: boolean
      /** The account to sign in with first. */
      product?: 'retail' | 'sourcing'
    }

/** The connections of this station, the test of one, and the change to another. */
export class Profiles {
  settings = $state.raw<ProfileSettings | null>(null)
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)
  /** Steps of the last test, in the order in which they ended. */
  steps = $state.raw<ConnectionStep[]>([])
  isTesting = $state(false)

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Reads the connections and shows them. */
  load(): Promise<AppError | null> {
    return this.#change('profile.settings', undefined)
  }

  remove(id: ProfileId): Promise<AppError | null> {
    return this.#change('profile.remove', { id })
  }

  forget(id: ProfileId, product: 'retail' | 'sourcing'): Promise<AppError | null> {
    return this.#change('profile.forgetCredentials', { id, product })
  }

  /** Changes to another connection. If it worked, the page is loaded again. */
  async use(id: ProfileId): Promise<AppError | null> {
    if (this.isBusy) return null
    this.isBusy = true
    const answer = await this.#client.call('profile.use', { id })
    this.isBusy = false
    this.error = answer.ok ? null : answer.error
    return this.error
  }

  /** Tests a connection: shows each step as it ends, and the state of the keychain afterwards. */
  async test(id: ProfileId): Promise<void> {
    if (this.isTesting) return
    this.isTesting = true
    this.steps = []
    const stop = this.#client.on('profile.step', ({ id: testedId, step }) => {
      if (testedId === id) this.steps = [...this.steps, step]
    })
    const answer = await this.#client.call('profile.test', { id })
    stop()
    this.isTesting = false
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.steps = answer.value
    await this.load()
  }

  async #change<Name extends SettingsCall>(name: Name, input: CallInput<Name>): Promise<AppError | null> {
    const answer = await this.#client.call<SettingsCall>(name, input)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.settings = answer.value
    return this.error
  }
}

export const stepTones: Record<ConnectionStep['state'], ChipTone> = { passed: 'good', failed: 'bad', skipped: 'plain' }

const isOfRights = ({ code }: AppError) => code === 'service/forbidden' || code === 'service/credentials-refused'

/** The dialog that mends what a step found; null if nothing entered here can. */
export function remedyOf({
  step,
  state,
}: ConnectionStep): { what: 'edit' | 'sign-in'; product?: ServiceProduct } | null {
  if (state !== 'failed' || step === 'clock') return null
  if (step === 'account-retail' || step === 'rights-retail') return { what: 'sign-in', product: 'retail' }
  if (step === 'account-sourcing' || step === 'rights-sourcing') return { what: 'sign-in', product: 'sourcing' }
  return { what: 'edit' }
}

/** The accounts of a connection, and the first of them that still needs its client id and secret. */
export function accountsOf({ profile, credentials }: ProfileSettings['profiles'][number]) {
  const accounts = products.filter((product) => profile[`${product}AuthUrl`] !== null)
  const isEntered = (product: ServiceProduct) => ['keychain', 'memory'].includes(credentials[product])
  return { accounts, missing: accounts.find((product) => !isEntered(product)) }
}
const products = ['retail', 'sourcing'] as const

/** Details of a step of the connection test: how long it took, why it failed, how wrong the clock is. */
export function stepTexts({ step, state, error, took, offset }: ConnectionStep): Text[] {
  const texts: Text[] = []
  if (took !== null && state !== 'skipped') texts.push({ key: 'profile-test.took', values: { took } })
  const product = step === 'rights-retail' ? 'retail' : step === 'rights-sourcing' ? 'sourcing' : null
  if (error && product && isOfRights(error)) {
    const key = error.code === 'service/forbidden' ? 'profile-test.no-rights' : 'profile-test.not-signed-in'
    texts.push({ key, values: { product } }, { key: `${key}.next`, values: { product } })
  } else if (error) texts.push(explain(error).what, explain(error).next)
  if (step === 'clock' && offset !== null) {
    const seconds = Math.round(Math.abs(offset) / 1_000)
    if (offset === 0) texts.push({ key: 'profile-test.clock.same' })
    else texts.push({ key: `profile-test.clock.${offset > 0 ? 'behind' : 'ahead'}`, values: { seconds } })
    if (state === 'failed') texts.push({ key: 'profile-test.clock.wrong' })
  }
  return texts
}

/** How this computer's clock compares with the service's. No tone if there is nothing to look at. */
export function clockText({ clockOffset, connection, warnings }: AppStatus): { tone: ChipTone | null; text: Text } {
  if (warnings.includes('service-clock-wrong')) return { tone: 'attention', text: { key: 'settings.clock.unusable' } }
  if (warnings.includes('clock-impossible'))
    return { tone: 'attention', text: { key: 'warning.clock-impossible.title' } }
  if (clockOffset === 0) {
    // Nothing was measured before the first answer.
    const isMeasured = connection.state !== 'unknown'
    return { tone: null, text: { key: isMeasured ? 'settings.clock.same' : 'settings.clock.unknown' } }
  }
  return {
    tone: warnings.includes('clock-off') ? 'attention' : null,
    text: {
      key: clockOffset > 0 ? 'settings.clock.behind' : 'settings.clock.ahead',
      values: { span: span(clockOffset) },
    },
  }
}
