import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { CallOutput } from '../../src-shared/ipc/contract'
import { type PersonView, Role, longestPersonName } from '../../src-shared/people'
import type { Result } from '../../src-shared/result'
import { readAim } from '../../src-shared/scan/aim'
import type { Scan } from '../../src-shared/scan/meaning'
import { type ScanOutcome, refusal } from '../scan/strip.svelte'
import { Command } from '../ui/command.svelte'
import { Form } from '../ui/form.svelte'
import { nameFault } from '../ui/name-fault'
import type { People } from './people.svelte'
import { besideField, pinFault, putBeside, shortNameFault } from './who-form'

type PersonValues = Record<'name' | 'shortName' | 'role', string>

/** Where the refusals of a person stand. */
const personFields = {
  'people/short-name-taken': 'shortName',
  'people/last-manager': 'role',
  'policy/fixed': 'role',
} as const

/** One person being added or changed: what they are called, their role, PIN and badge. */
export class PersonEditor {
  /** As stored; null while they are being added. */
  person = $state.raw<PersonView | null>(null)
  readonly form: Form<PersonValues>
  readonly pin: Form<Record<'pin' | 'again', string>>
  readonly badge = new Command()
  /** The next code that is scanned is the new badge. */
  isScanning = $state(false)
  /** A badge to print: it can't be shown again. */
  printed = $state.raw<CallOutput<'people.printBadge'> | null>(null)
  badgeFault = $derived(this.badge.error && besideField(this.badge.error))

  readonly #client: Client
  readonly #people: Pick<People, 'badgeField'>

  constructor(client: Client, people: Pick<People, 'badgeField'>, person: PersonView | null) {
    this.#client = client
    this.#people = people
    this.person = person
    this.form = new Form<PersonValues>({
      empty: { name: '', shortName: '', role: 'counter' },
      check: ({ name, shortName }) => ({
        name: name === '' ? { key: 'label.required' } : nameFault(name, longestPersonName),
        shortName: shortNameFault(shortName),
      }),
      save: ({ name, shortName, role }) =>
        this.#save(() =>
          client.call('people.save', {
            id: this.person?.id ?? null,
            person: { name, shortName: shortName.toUpperCase(), role: Role.catch('counter').parse(role) },
          }),
        ),
    })
    this.pin = new Form({
      empty: { pin: '', again: '' },
      check: ({ pin, again }) => ({
        pin: pinFault(pin) ?? (pin === again ? undefined : { key: 'security.pin.differs' }),
      }),
      save: ({ pin }) => this.#setPin(pin),
    })
    if (person) this.form.show({ name: person.name, shortName: person.shortName, role: person.role })
  }

  async save(): Promise<void> {
    await this.form.save()
    putBeside(this.form, personFields)
  }

  async setPin(): Promise<void> {
    const isSet = await this.pin.save()
    if (!isSet) return
    this.pin.clear()
    this.pin.isSaved = true
  }

  async removePin(): Promise<void> {
    this.pin.clear()
    await this.pin.run(() => this.#setPin(null))
  }

  async printBadge(): Promise<void> {
    const { person } = this
    if (!person) return
    this.stopScanning()
    await this.badge.run(
      () => this.#client.call('people.printBadge', { id: person.id }),
      (printed) => {
        this.printed = printed
        this.person = printed.person
      },
    )
  }

  /** Waits for the code of a badge of their own. */
  scanBadge(): void {
    this.badge.forget()
    this.isScanning = true
    this.#people.badgeField = (scan) => this.#takeBadge(scan)
  }

  stopScanning(): void {
    this.isScanning = false
    this.#people.badgeField = null
  }

  removeBadge(): Promise<AppError | null> {
    this.stopScanning()
    return this.#setBadge(null)
  }

  async #takeBadge({ raw, symbology, meaning }: Scan): Promise<ScanOutcome> {
    this.stopScanning()
    // The text of a badge that someone has, and of a join code, stays in main.
    const isHidden = raw === ''
    const code = readAim(raw, symbology).text.trim()
    const isOthers = meaning.kind === 'badge' && meaning.proof != null
    if (isHidden) this.badge.error = { code: isOthers ? 'people/badge-taken' : 'people/badge-is-code' }
    else await this.#setBadge(code)
    const { error } = this.badge
    if (error) return refusal(error)
    return { tone: 'good', what: { key: 'people.badge.set', values: { name: this.person?.name ?? '' } } }
  }

  async #setBadge(code: string | null): Promise<AppError | null> {
    const { person } = this
    if (!person) return null
    const answer = await this.badge.run(
      () => this.#client.call('people.setBadge', { id: person.id, code }),
      (next) => (this.person = next),
    )
    return answer?.ok === false ? answer.error : null
  }

  #setPin(pin: string | null): Promise<AppError | null> {
    const { person } = this
    return person ? this.#save(() => this.#client.call('people.setPin', { id: person.id, pin })) : Promise.resolve(null)
  }

  async #save(step: () => Promise<Result<PersonView, AppError>>): Promise<AppError | null> {
    const answer = await step()
    if (answer.ok) this.person = answer.value
    return answer.ok ? null : answer.error
  }
}
