import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import { Pin, type SecurityView } from '../../src-shared/ipc/contract/station'
import type { Result } from '../../src-shared/result'
import type { Text } from '../text/text.svelte'

/** The lock of this station: whether a manager's PIN is set, whether it is unlocked, and the dialog that asks for it. */
export class Security {
  view = $state.raw<SecurityView | null>(null)
  /** The question for the PIN is on the screen. */
  isAsking = $state(false)
  isChecking = $state(false)
  /** It is asked again: who signed in may not do what waits. */
  isNotEnough = $state(false)
  isSaved = $state(false)
  fault = $state.raw<Text | null>(null)
  error = $state.raw<AppError | null>(null)

  /** The plain client: the one of `unlocking` would ask for the PIN to ask for the PIN. */
  readonly #client: Client
  #waiting: ((isOpen: boolean) => void)[] = []

  constructor(client: Client) {
    this.#client = client
  }

  start(): () => void {
    return this.#client.on('security.changed', (view) => {
      this.view = view
      // A manager has signed in.
      if (this.isAsking && !view.isLocked) this.#close(true)
    })
  }

  async load(): Promise<void> {
    this.#take(await this.#client.call('security.view', undefined))
  }

  /** Asks for the PIN, or a manager. Resolves to whether it was unlocked; calls that wait meanwhile get the same answer. */
  ask(isNotEnough = false): Promise<boolean> {
    this.isAsking = true
    this.isNotEnough = isNotEnough
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async unlock(pin: string): Promise<void> {
    if (this.isChecking) return
    this.error = null
    this.fault = faultOf(pin)
    if (this.fault) return
    this.isChecking = true
    const isOpen = this.#take(await this.#client.call('security.unlock', { pin }))
    this.isChecking = false
    if (isOpen) this.#close(true)
  }

  cancel(): void {
    this.#close(false)
  }

  /** A lead has signed in: what waits may be open to them. */
  tryAgain(): void {
    if (this.isAsking) this.#close(true)
  }

  async lock(): Promise<void> {
    const answer = await this.#client.call('security.lock', undefined)
    if (answer.ok) this.view = answer.value
  }

  /** `minutes` after the last use. True if it was set. */
  async setAutoLock(minutes: number): Promise<boolean> {
    this.error = null
    if (this.view?.isLocked && !(await this.ask())) return false
    return this.#take(await this.#client.call('security.setAutoLock', { minutes }))
  }

  /** Sets a PIN that was typed twice, so that a typing error locks no person out. */
  async setTypedPin(pin: string, again: string): Promise<boolean> {
    this.isSaved = false
    this.fault = faultOf(pin) ?? (pin === again ? null : { key: 'security.pin.differs' })
    return this.fault === null && this.setPin(pin)
  }

  /** Sets the PIN, or removes it (null); asks for the current PIN first. True if it was done. */
  async setPin(pin: string | null): Promise<boolean> {
    this.isSaved = false
    this.error = null
    this.fault = pin === null ? null : faultOf(pin)
    if (this.fault || (this.view?.isLocked && !(await this.ask()))) return false
    this.isSaved = this.#take(await this.#client.call('security.setPin', { pin }))
    return this.isSaved
  }

  #take(answer: Result<SecurityView, AppError>): boolean {
    if (answer.ok) this.view = answer.value
    this.error = answer.ok ? null : answer.error
    return answer.ok
  }

  #close(isOpen: boolean): void {
    this.isAsking = this.isNotEnough = false
    this.fault = null
    this.error = null
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve(isOpen)
  }
}

const faultOf = (pin: string): Text | null => (Pin.safeParse(pin).success ? null : { key: 'security.pin.form' })

/**
 * A client that asks for the PIN when main answers `security/locked`, and then repeats the call. `ask` resolves to
 * whether it was unlocked; if not, the caller gets the refusal. A lead who signed in may not be enough: then it asks again.
 */
export function unlocking(client: Client, ask: (isAgain: boolean) => Promise<boolean>): Client {
  return {
    async call(name, input) {
      let answer = await client.call(name, input)
      for (let isAgain = false; !answer.ok && answer.error.code === 'security/locked'; isAgain = true) {
        if (!(await ask(isAgain))) break
        answer = await client.call(name, input)
      }
      return answer
    },
    on: client.on.bind(client),
  }
}
