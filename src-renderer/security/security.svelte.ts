import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import { Pin, type SecurityView } from '../../src-shared/ipc/security-view'
import type { Text } from '../messages/text.svelte'

/** The lock of this station: whether a manager's PIN is set and open, and the question for it. */
export class Security {
  view = $state.raw<SecurityView | null>(null)
  /** The question for the PIN is on the screen. */
  isAsking = $state(false)
  isChecking = $state(false)
  isSaved = $state(false)
  fault = $state.raw<Text | null>(null)
  error = $state.raw<AppError | null>(null)

  /** Not the one that asks for the PIN: it would ask for itself. */
  readonly #client: Client
  #waiting: ((isOpen: boolean) => void)[] = []

  constructor(client: Client) {
    this.#client = client
  }

  start(): () => void {
    return this.#client.on('security.changed', (view) => (this.view = view))
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('security.view', undefined)
    if (answer.ok) this.view = answer.value
    this.error = answer.ok ? null : answer.error
  }

  /** Resolves with whether it was unlocked. Who asks meanwhile gets the same answer. */
  ask(): Promise<boolean> {
    this.isAsking = true
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async unlock(pin: string): Promise<void> {
    if (this.isChecking) return
    this.error = null
    this.fault = faultOf(pin)
    if (this.fault) return
    this.isChecking = true
    const answer = await this.#client.call('security.unlock', { pin })
    this.isChecking = false
    if (answer.ok) {
      this.view = answer.value
      this.#close(true)
    } else this.error = answer.error
  }

  cancel(): void {
    this.#close(false)
  }

  async lock(): Promise<void> {
    const answer = await this.#client.call('security.lock', undefined)
    if (answer.ok) this.view = answer.value
  }

  /** Minutes after the last use. Gives whether it was done. */
  async setAutoLock(minutes: number): Promise<boolean> {
    this.error = null
    if (this.view?.isLocked && !(await this.ask())) return false
    const answer = await this.#client.call('security.setAutoLock', { minutes })
    if (answer.ok) this.view = answer.value
    this.error = answer.ok ? null : answer.error
    return answer.ok
  }

  /** Sets a PIN that was typed twice: it can't be seen, and a slip would lock everybody out. */
  async setTypedPin(pin: string, again: string): Promise<boolean> {
    this.isSaved = false
    this.fault = faultOf(pin) ?? (pin === again ? null : { key: 'security.pin.differs' })
    return this.fault === null && this.setPin(pin)
  }

  /** Null takes it away. Asks for the one that is set first. Gives whether it was done. */
  async setPin(pin: string | null): Promise<boolean> {
    this.isSaved = false
    this.error = null
    this.fault = pin === null ? null : faultOf(pin)
    if (this.fault || (this.view?.isLocked && !(await this.ask()))) return false
    const answer = await this.#client.call('security.setPin', { pin })
    if (answer.ok) this.view = answer.value
    this.error = answer.ok ? null : answer.error
    this.isSaved = answer.ok
    return answer.ok
  }

  #close(isOpen: boolean): void {
    this.isAsking = false
    this.fault = null
    this.error = null
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve(isOpen)
  }
}

const faultOf = (pin: string): Text | null => (Pin.safeParse(pin).success ? null : { key: 'security.pin.form' })

/**
 * A client that asks for the PIN where main wants one, and then makes the call again: whoever calls need not know which
 * calls are locked. `ask` gives whether it was unlocked; if not, the caller gets the refusal.
 */
export function unlocking(client: Client, ask: () => Promise<boolean>): Client {
  return {
    async call(name, input) {
      const answer = await client.call(name, input)
      if (answer.ok || answer.error.code !== 'security/locked') return answer
      return (await ask()) ? client.call(name, input) : answer
    },
    on: client.on.bind(client),
  }
}
