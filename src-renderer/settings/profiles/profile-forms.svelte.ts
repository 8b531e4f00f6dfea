import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import { type ConnectFile, largestConnectFile, readConnectFile } from '../../../src-shared/connect-file'
import {
  type ConnectionPreset,
  type ProfileSettings,
  ProfileForm,
  type ProfileId,
  fitsKeychain,
} from '../../../src-shared/ipc/contract/station'
import { type Faults, Form } from '../../ui/form.svelte'
import { nameFault } from '../../ui/name-fault'

const fields = ['name', 'baseUrl', 'retailAuthUrl', 'sourcingAuthUrl', 'dispensaryId', 'caFile'] as const
type Entered = Record<(typeof fields)[number], string>

const addresses = ['baseUrl', 'retailAuthUrl', 'sourcingAuthUrl'] as const

const emptyProfile: Entered = {
  name: '',
  baseUrl: '',
  retailAuthUrl: '',
  sourcingAuthUrl: '',
  dispensaryId: '',
  caFile: '',
}

const texts = {
  name: { missing: 'profile-form.name-missing', wrong: 'label.too-long' },
  baseUrl: { missing: 'profile-form.address-missing', wrong: 'profile-form.not-https' },
  retailAuthUrl: { missing: 'profile-form.no-account', wrong: 'profile-form.not-https' },
  sourcingAuthUrl: { missing: 'profile-form.no-account', wrong: 'profile-form.not-https' },
  dispensaryId: { missing: 'label.too-long', wrong: 'label.too-long' },
  caFile: { missing: 'label.too-long', wrong: 'profile-form.ca.not-local' },
} as const

/** The form for a connection, new or known. */
export class ProfileEntry {
  kind = $state<ProfileForm['kind']>('test')
  sendsSku = $state(true)
  presets = $state.raw<ConnectionPreset[]>([])
  /** Why a connect file was not taken. */
  fileError = $state.raw<AppError | null>(null)
  /** The fields were filled by a connect file or preset. */
  wasFilled = $state(false)
  /** A person was asked for the dispensary's ID and may save without it. */
  isIdAsked = $state(false)
  /** Null for a new connection. */
  readonly id: ProfileId | null
  readonly form: Form<Entered>
  readonly #client: Client
  readonly #onSaved: (settings: ProfileSettings) => void

  constructor(
    client: Client,
    known: { id: ProfileId; profile: ProfileForm } | undefined,
    onSaved: (settings: ProfileSettings) => void,
  ) {
    this.#client = client
    this.#onSaved = onSaved
    this.id = known?.id ?? null
    this.form = new Form({
      empty: emptyProfile,
      check: (entered) => this.#faultsOf(entered),
      save: (entered) => this.#save(entered),
    })
    if (!known) return
    this.kind = known.profile.kind
    this.sendsSku = known.profile.sendsSku
    for (const field of fields) this.form.values[field] = known.profile[field] ?? ''
  }

  async loadPresets(): Promise<void> {
    const answer = await this.#client.call('profile.presets', undefined)
    if (answer.ok) this.presets = answer.value
  }

  /** Begins with a region: its addresses. */
  choosePreset(name: string): void {
    const preset = this.presets.find((one) => one.name === name)
    if (!preset) return
    // The addresses of a region that was chosen before must not stay beside those of this one.
    for (const field of addresses) this.form.values[field] = ''
    this.#fill(preset)
  }

  /** Fills the form with the addresses of a connect file. */
  async take(file: File | undefined): Promise<void> {
    if (!file) return
    const read = readConnectFile(file.size > largestConnectFile ? tooLong : await file.text())
    this.wasFilled = false
    this.fileError = read.ok ? null : read.error
    if (read.ok) this.#fill(read.value)
  }

  #fill(given: ConnectFile): void {
    this.fileError = null
    if (given.kind) this.kind = given.kind
    if (given.sendsSku !== undefined) this.sendsSku = given.sendsSku
    for (const field of fields) {
      const value = given[field]
      if (value == null) continue
      this.form.values[field] = value
      this.form.typed(field)
    }
    this.wasFilled = true
  }

  #profileOf(entered: Entered) {
    return {
      kind: this.kind,
      sendsSku: this.sendsSku,
      name: entered.name,
      baseUrl: entered.baseUrl,
      retailAuthUrl: orNull(entered.retailAuthUrl),
      sourcingAuthUrl: orNull(entered.sourcingAuthUrl),
      dispensaryId: orNull(entered.dispensaryId),
      caFile: orNull(entered.caFile),
    }
  }

  /** Faults by field; a fault of several fields together only once each field alone is right. */
  #faultsOf(entered: Entered): Faults<Entered> {
    const profile = this.#profileOf(entered)
    if (ProfileForm.safeParse(profile).success) return this.#missingId(profile)
    const faults: Faults<Entered> = {}
    for (const field of fields) {
      if (ProfileForm.shape[field].safeParse(profile[field]).success) continue
      const unfit = field === 'name' ? nameFault(entered.name, 60) : undefined
      faults[field] = unfit ?? { key: entered[field] === '' ? texts[field].missing : texts[field].wrong }
    }
    if (Object.keys(faults).length > 0) return faults
    return profile.retailAuthUrl === null && profile.sourcingAuthUrl === null
      ? { retailAuthUrl: { key: 'profile-form.no-account' } }
      : { baseUrl: { key: 'profile-form.not-here' } }
  }

  /** Without the ID, a sister store's items scan as sellable. Asked for once, because a company may have one store only. */
  #missingId({ retailAuthUrl, dispensaryId }: Pick<ProfileForm, 'retailAuthUrl' | 'dispensaryId'>): Faults<Entered> {
    if (retailAuthUrl === null || dispensaryId !== null || this.isIdAsked) return {}
    this.isIdAsked = true
    return { dispensaryId: { key: 'profile-form.dispensary.missing' } }
  }

  async #save(entered: Entered): Promise<AppError | null> {
    const profile = ProfileForm.parse(this.#profileOf(entered))
    const answer = await this.#client.call('profile.save', { id: this.id, profile })
    if (!answer.ok) return answer.error
    this.#onSaved(answer.value)
    return null
  }
}

/** A text that is refused as too large, without reading the file. */
const tooLong = ' '.repeat(largestConnectFile + 1)

const orNull = (text: string) => (text === '' ? null : text)

type Credentials = Record<'clientId' | 'clientSecret', string>

interface SignInParts {
  client: Client
  id: ProfileId
  /** The accounts of the connection. */
  products: ('retail' | 'sourcing')[]
  /** The one to begin with. */
  product?: 'retail' | 'sourcing' | undefined
  onSaved: (settings: ProfileSettings) => void
}

/** Client id and secret on their only way in. They are never filled in, and leave the page once they are sent. */
export class SignInForm {
  product = $state<'retail' | 'sourcing'>('retail')
  /** What main asked about: another client id while reports wait. */
  #asked = $state.raw<Credentials | null>(null)
  /** The fields hold another client id while reports wait: saving again says that it is of the same store. */
  isOther = $derived.by(() => {
    const { clientId, clientSecret } = this.form.values
    return this.#asked?.clientId === clientId && this.#asked.clientSecret === clientSecret
  })
  readonly form: Form<Credentials>
  readonly #parts: SignInParts
  #isClosed = false

  constructor(parts: SignInParts) {
    this.#parts = parts
    this.product = parts.product ?? parts.products[0] ?? 'retail'
    this.form = new Form({
      empty: { clientId: '', clientSecret: '' },
      check: ({ clientId, clientSecret }) => ({
        clientId: clientId === '' ? { key: 'sign-in.client-missing' } : undefined,
        clientSecret:
          clientSecret === ''
            ? { key: 'sign-in.secret-missing' }
            : fitsKeychain({ clientId, clientSecret })
              ? undefined
              : { key: 'sign-in.too-long' },
      }),
      save: (credentials) => this.#save(credentials),
    })
  }

  async #save(credentials: Credentials): Promise<AppError | null> {
    const isSameStore = this.isOther
    this.form.clear()
    const { client, id, onSaved } = this.#parts
    const answer = await client.call('profile.setCredentials', {
      id,
      product: this.product,
      credentials,
      ...(isSameStore && { isSameStore }),
    })
    this.#asked = !answer.ok && isQuestion(answer.error) ? credentials : null
    // A person must not have to paste them again to answer. Closing the dialog still removes them.
    if (this.#asked && !this.#isClosed) Object.assign(this.form.values, credentials)
    if (!answer.ok) return answer.error
    onSaved(answer.value)
    return null
  }

  close(): void {
    this.#isClosed = true
    this.form.clear()
  }
}

const isQuestion = ({ code }: AppError) => code === 'profile/other-account' || code === 'profile/unreadable-data'
