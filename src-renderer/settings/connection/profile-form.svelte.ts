import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import { type ConnectionSettings, ProfileForm, type ProfileId } from '../../../src-shared/ipc/connection-view'
import type { Text } from '../../messages/text.svelte'

type Field = 'name' | 'baseUrl' | 'retailAuthUrl' | 'sourcingAuthUrl' | 'dispensaryId' | 'caFile'
type Faults = Partial<Record<Field, Text>>

/** The form for a connection, a new one or one that there is. */
export class ProfileEntry {
  kind = $state<ProfileForm['kind']>('test')
  name = $state('')
  baseUrl = $state('')
  retailAuthUrl = $state('')
  sourcingAuthUrl = $state('')
  dispensaryId = $state('')
  sendsSku = $state(true)
  caFile = $state('')
  faults = $state.raw<Faults>({})
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)

  /** Null of a new one. */
  readonly id: ProfileId | null
  readonly #client: Client

  constructor(client: Client, known?: { id: ProfileId; profile: ProfileForm }) {
    this.#client = client
    this.id = known?.id ?? null
    if (!known) return
    const { profile } = known
    this.kind = profile.kind
    this.name = profile.name
    this.baseUrl = profile.baseUrl
    this.retailAuthUrl = profile.retailAuthUrl ?? ''
    this.sourcingAuthUrl = profile.sourcingAuthUrl ?? ''
    this.dispensaryId = profile.dispensaryId ?? ''
    this.sendsSku = profile.sendsSku
    this.caFile = profile.caFile ?? ''
  }

  typed(field: Field): void {
    const { [field]: _mended, ...others } = this.faults
    this.faults = others
  }

  /** The settings as they are now; null when something has to be corrected first. */
  async save(): Promise<ConnectionSettings | null> {
    if (this.isSaving) return null
    const entered = {
      kind: this.kind,
      name: this.name,
      baseUrl: this.baseUrl,
      retailAuthUrl: orNull(this.retailAuthUrl),
      sourcingAuthUrl: orNull(this.sourcingAuthUrl),
      dispensaryId: orNull(this.dispensaryId),
      sendsSku: this.sendsSku,
      caFile: orNull(this.caFile),
    }
    const profile = ProfileForm.safeParse(entered)
    this.error = null
    this.faults = profile.success ? {} : faultsOf(entered)
    if (!profile.success) return null
    this.isSaving = true
    const answer = await this.#client.call('connection.saveProfile', { id: this.id, profile: profile.data })
    this.isSaving = false
    if (answer.ok) return answer.value
    this.error = answer.error
    return null
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

const texts = {
  name: { missing: 'connection-form.name-missing', wrong: 'connection-form.too-long' },
  baseUrl: { missing: 'connection-form.address-missing', wrong: 'connection-form.not-https' },
  retailAuthUrl: { missing: 'connection-form.no-account', wrong: 'connection-form.not-https' },
  sourcingAuthUrl: { missing: 'connection-form.no-account', wrong: 'connection-form.not-https' },
  dispensaryId: { missing: 'connection-form.too-long', wrong: 'connection-form.too-long' },
  caFile: { missing: 'connection-form.too-long', wrong: 'connection-form.too-long' },
} as const
const fields = ['name', 'baseUrl', 'retailAuthUrl', 'sourcingAuthUrl', 'dispensaryId', 'caFile'] as const

/** What is wrong, each at its field; what concerns several is said once every field by itself is right. */
function faultsOf(entered: Record<Field, string | null>): Faults {
  const faults: Faults = {}
  for (const field of fields) {
    const value = entered[field]
    if (ProfileForm.shape[field].safeParse(value).success) continue
    faults[field] = { key: value === null || value.trim() === '' ? texts[field].missing : texts[field].wrong }
  }
  if (Object.keys(faults).length > 0) return faults
  if (entered.retailAuthUrl === null && entered.sourcingAuthUrl === null) {
    return { retailAuthUrl: { key: 'connection-form.no-account' } }
  }
  return { baseUrl: { key: 'connection-form.not-here' } }
}
