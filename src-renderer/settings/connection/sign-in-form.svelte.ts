import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import { type ConnectionSettings, type ProfileId, fitsKeychain } from '../../../src-shared/ipc/connection-view'
import type { Text } from '../../messages/text.svelte'

interface Faults {
  clientId: Text | null
  clientSecret: Text | null
}

const none: Faults = { clientId: null, clientSecret: null }

/** Client id and secret on their one way in. They are never filled in, and gone from the page once they were taken. */
export class SignInForm {
  product = $state<'retail' | 'sourcing'>('retail')
  clientId = $state('')
  clientSecret = $state('')
  faults = $state.raw<Faults>(none)
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)
  /** What was entered is another client id, and reports wait: it is saved only when somebody says whose it is. */
  isOther = $state(false)

  readonly #client: Client
  readonly #id: ProfileId
  #isClosed = false

  constructor(client: Client, id: ProfileId, products: ('retail' | 'sourcing')[]) {
    this.#client = client
    this.#id = id
    this.product = products[0] ?? 'retail'
  }

  typed(field: keyof Faults): void {
    this.faults = { ...this.faults, [field]: null }
    this.isOther = false
  }

  /** `isSameStore`: somebody was asked. The settings as they are now; null when something has to be corrected first. */
  async save(isSameStore = false): Promise<ConnectionSettings | null> {
    if (this.isSaving) return null
    const clientId = this.clientId.trim()
    const clientSecret = this.clientSecret.trim()
    this.faults = {
      clientId: clientId === '' ? { key: 'sign-in.client-missing' } : null,
      clientSecret:
        clientSecret === ''
          ? { key: 'sign-in.secret-missing' }
          : fitsKeychain({ clientId, clientSecret })
            ? null
            : { key: 'sign-in.too-long' },
    }
    if (this.faults.clientId || this.faults.clientSecret) return null
    this.isSaving = true
    this.#clear()
    const answer = await this.#client.call('connection.setCredentials', {
      id: this.#id,
      product: this.product,
      credentials: { clientId, clientSecret },
      ...(isSameStore && { isSameStore }),
    })
    this.isSaving = false
    this.isOther = !answer.ok && isQuestion(answer.error)
    // Not to be looked for and pasted again for the answer; closing the dialog takes them away as ever.
    if (this.isOther && !this.#isClosed) Object.assign(this, { clientId, clientSecret })
    this.error = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }

  close(): void {
    this.#isClosed = true
    this.#clear()
  }

  #clear(): void {
    this.clientId = ''
    this.clientSecret = ''
  }
}

const isQuestion = ({ code }: AppError) => code === 'profile/other-account' || code === 'profile/unreadable-data'
