import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { PeopleView } from '../../src-shared/ipc/contract/people'
import { type PersonView, type Shown, type SignedIn, may } from '../../src-shared/people'
import type { Result } from '../../src-shared/result'
import type { Meaning, Scan } from '../../src-shared/scan/meaning'
import { type ScanOutcome, refusal } from '../scan/strip.svelte'

/** The scan of a badge that only a person of the store has. */
export type PersonBadge = Extract<Meaning, { kind: 'badge' }> & { proof: string | null }

export const isPersonBadge = (meaning: Meaning): meaning is PersonBadge =>
  meaning.kind === 'badge' && meaning.proof !== undefined

const canSignIn = ({ hasPin, hasBadge }: PersonView) => hasPin || hasBadge

/** The people of the store, and who is signed in at this station. In a store without people it shows nothing. */
export class People {
  /** Null until it is known. */
  view = $state.raw<PeopleView | null>(null)
  error = $state.raw<AppError | null>(null)
  /** The question who it is is on the screen. */
  isAsking = $state(false)
  /** Something waits for the answer. */
  isAwaited = $state(false)
  /** Takes the next code that is scanned, as a new badge. */
  badgeField: ((scan: Scan) => Promise<ScanOutcome>) | null = null

  list = $derived(this.view?.people ?? [])
  isOn = $derived(this.list.length > 0)
  signedIn = $derived(this.view?.signedIn ?? null)
  canManage = $derived(this.list.some((person) => may(person.role, 'settings') && canSignIn(person)))
  canApprove = $derived(this.list.some((person) => may(person.role, 'approve') && canSignIn(person)))

  /** The plain client: signing in never waits for another question. */
  readonly #client: Client
  readonly #onSignIn: (person: SignedIn) => void
  #waiting: ((isIn: boolean) => void)[] = []

  constructor(client: Client, onSignIn: (person: SignedIn) => void) {
    this.#client = client
    this.#onSignIn = onSignIn
  }

  start(): () => void {
    const stops = [
      this.#client.on('people.changed', (people) => {
        this.#know({ people })
      }),
      this.#client.on('people.rules', (rules) => {
        this.#know({ rules })
      }),
      this.#client.on('people.signed-in', ({ person }) => {
        this.#know({ signedIn: person })
        if (!person) return
        this.#close(true)
        this.#onSignIn(person)
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('people.view', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  }

  nameOf(shortName: string): string {
    return this.list.find((person) => person.shortName === shortName)?.name ?? shortName
  }

  /** Asks who it is. Resolves to whether someone signed in; calls that wait meanwhile get the same answer. */
  ask(): Promise<boolean> {
    this.isAsking = this.isAwaited = true
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  cancel(): void {
    this.#close(false)
  }

  async signIn(shown: Shown): Promise<Result<SignedIn, AppError>> {
    const answer = await this.#client.call('people.signIn', { shown })
    if (answer.ok) this.#know({ signedIn: answer.value })
    return answer
  }

  async signOut(): Promise<void> {
    const answer = await this.#client.call('people.signOut', undefined)
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.#know({ signedIn: null })
    this.#close(false)
  }

  /** A badge was scanned: on every screen, with any dialog open, this person is signed in. */
  async scan({ proof }: PersonBadge): Promise<ScanOutcome> {
    if (proof === null) return refusal({ code: 'people/no-badge' })
    const answer = await this.signIn({ proof })
    if (!answer.ok) return refusal(answer.error)
    return { tone: 'good', what: { key: 'scan.signed-in', values: { name: answer.value.name } } }
  }

  #know(news: Partial<PeopleView>): void {
    if (this.view) this.view = { ...this.view, ...news }
  }

  #close(isIn: boolean): void {
    this.isAsking = this.isAwaited = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve(isIn)
  }
}

/** A client that asks who it is when main answers `people/who`, and then repeats the call. */
export function naming(client: Client, ask: () => Promise<boolean>): Client {
  return {
    async call(name, input) {
      let answer = await client.call(name, input)
      while (!answer.ok && answer.error.code === 'people/who' && (await ask())) answer = await client.call(name, input)
      return answer
    },
    on: client.on.bind(client),
  }
}
