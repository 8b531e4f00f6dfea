import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AppErrorOf, ResultOf } from '../../src-shared/errors'
import {
  type PeopleRules,
  type Permission,
  type PersonView,
  type Shown,
  type ShownPin,
  type SignedIn,
  may,
} from '../../src-shared/people'
import type { Place } from '../../src-shared/scan/meaning'
import { err, ok } from '../../src-shared/result'
import type { RoomContext } from '../core/context'
import { type Signer, approvedBy, inHandOf } from '../core/hand'
import { saved } from '../database/saved'
import type { Settings } from '../database/settings'
import type { Journal } from '../outbox/journal'
import { TryPace } from '../security/pace'
import { hashPin, isPin } from '../security/pin'
import type { PinHash } from '../station/station-file'
import { type NotOpened, type People, type Person, signedInAs } from './people'

const minute = 60_000
/** How long a scanned badge proves who a person is, in ms. */
const proofLasts = 60_000
/** Wrong tries at a station without a wait: several people may err in a row. */
const freeAtStation = 10
const triesSetting = 'people.tries'
const station = 'station'
const Tries = z.record(z.string(), z.number().int().positive())

export type NotShown = 'people/wrong-pin' | 'people/no-badge'

const signerOf = ({ id, name }: Signer): Signer => ({ id, name })

/** After how many ms without a step a person is signed out; null for never. */
export const awayAfter = ({ minutes, staysAtCounter }: PeopleRules, place: Place): number | null =>
  staysAtCounter && place === 'checkout' ? null : minutes * minute

interface SignInContext extends Pick<RoomContext, 'events' | 'log'> {
  people: People
  journal: Journal
  settings: Pick<Settings, 'read' | 'keep'>
  rules: () => PeopleRules
  /** A clock that is never set, in ms. */
  steady: () => number
}

/** Who is signed in at this station. One at a time; a clock that is set changes nothing. */
export class SignIn {
  readonly #context: SignInContext
  readonly #paces = new Map<string, TryPace>()
  #personId: string | null = null
  #lastStep = 0
  #place: Place = 'other'
  #proof: { text: string; personId: string; at: number } | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(context: SignInContext) {
    this.#context = context
    const { settings, events, steady } = context
    for (const [of, failures] of Object.entries(settings.read(triesSetting, Tries) ?? {}))
      this.#paces.set(of, new TryPace(failures, steady, of === station ? freeAtStation : undefined))
    // Also one who was removed at another station.
    events.on('people.changed', 'people/sign-in.ts', () => {
      this.#leaveIfGone()
    })
  }

  /** Null if no one is, or was for too long without a step. */
  current(): SignedIn | null {
    const person = this.#personId === null ? undefined : this.#context.people.byId(this.#personId)
    if (!person) return null
    const limit = awayAfter(this.#context.rules(), this.#place)
    if (limit !== null && this.#context.steady() - this.#lastStep >= limit) {
      this.out()
      return null
    }
    return signedInAs(person)
  }

  /** Whether the person has done a step of late: where they stay signed in, what is guarded doesn't stay open. */
  isHere(): boolean {
    const { rules, steady } = this.#context
    return this.current() !== null && steady() - this.#lastStep < rules().minutes * minute
  }

  signer(): Signer | null {
    const person = this.current()
    return person && signerOf(person)
  }

  /** A step of the person who is signed in: they are here. */
  stepped(): void {
    this.#lastStep = this.#context.steady()
    this.#watch()
  }

  setPlace(place: Place): void {
    // From the counter, where no time ran.
    if (place !== this.#place && this.current()) this.stepped()
    this.#place = place
  }

  /** The badge was scanned: a proof of who it is, for one use within a minute. */
  proofOf(personId: string): string {
    const text = randomUUID()
    this.#proof = { text, personId, at: this.#context.steady() }
    return text
  }

  async by(shown: Shown): Promise<ResultOf<SignedIn, NotShown>> {
    const found = await this.#identify(shown)
    if (!found.ok) return found
    if (this.#personId !== found.value.id) this.#note('signed-in', found.value)
    this.#personId = found.value.id
    this.stepped()
    this.#context.events.emit('people.signed-in', { person: signedInAs(found.value) })
    return ok(signedInAs(found.value))
  }

  /** A person sets another PIN of their own, also while another one is signed in. `pin`: its hash. */
  async changePin(shown: ShownPin, pin: PinHash): Promise<ResultOf<PersonView, 'people/wrong-pin' | NotOpened>> {
    const found = await this.#byPin(shown)
    if ('code' in found) return err(found)
    return inHandOf(signerOf(found), () => this.#context.people.setPin(found.id, pin))
  }

  /** Another person permits what the current call does: the one who is signed in stays so. */
  async approve(shown: Shown): Promise<AppErrorOf<NotShown | 'people/not-permitted'> | undefined> {
    const found = await this.#identify(shown)
    if (!found.ok) return found.error
    if (!may(found.value.role, 'approve')) return { code: 'people/not-permitted', needs: 'approve' }
    approvedBy(signerOf(found.value))
    return undefined
  }

  /** Why what needs a permission isn't done: names and roles count only where the store demands them. */
  objection(needs: Permission): AppErrorOf<'people/who' | 'people/not-permitted'> | undefined {
    const { people, rules } = this.#context
    if (rules().demand === 'names' || people.active().length === 0) return undefined
    const person = this.current()
    if (!person) return { code: 'people/who' }
    return may(person.role, needs) ? undefined : { code: 'people/not-permitted', needs }
  }

  out(): void {
    const person = this.#personId === null ? undefined : this.#context.people.byId(this.#personId)
    if (person) this.#note('signed-out', person)
    this.#leave()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  async #identify(shown: Shown): Promise<ResultOf<Person, NotShown>> {
    const found = 'proof' in shown ? this.#proved(shown.proof) : await this.#byPin(shown)
    if (found !== undefined && 'code' in found) return err(found)
    return found ? ok(found) : err({ code: 'people/no-badge' })
  }

  #proved(text: string): Person | undefined {
    const { people, steady } = this.#context
    const proof = this.#proof
    if (proof?.text !== text) return undefined
    this.#proof = null
    return steady() - proof.at < proofLasts ? people.byId(proof.personId) : undefined
  }

  /** Wrong tries are counted for the person and for the station, whatever name they are for. */
  async #byPin({ shortName, pin }: ShownPin): Promise<Person | AppErrorOf<'people/wrong-pin'>> {
    const people = this.#context.people.byShortName(shortName)
    const paces = [station, ...people.map(({ id }) => id)].map((of) => this.#paceOf(of))
    const waitMs = Math.max(...paces.map((pace) => pace.waitMs()))
    if (waitMs > 0) return { code: 'people/wrong-pin', waitMs }
    // Before the check, so that simultaneous tries count as one.
    const wait = Math.max(...paces.map((pace) => pace.begin()))
    this.#keepTries()
    const found = await whoHas(pin, people)
    if (!found) {
      saved(() => {
        for (const { id } of people.slice(0, 1))
          this.#context.journal.act({ actor: 'person', what: 'wrong-pin', subject: id })
        return ok(null)
      })
      return { code: 'people/wrong-pin', waitMs: wait }
    }
    for (const of of [station, found.id]) this.#paceOf(of).right()
    this.#keepTries()
    return found
  }

  #paceOf(of: string): TryPace {
    const known = this.#paces.get(of)
    const pace = known ?? new TryPace(0, this.#context.steady, of === station ? freeAtStation : undefined)
    this.#paces.set(of, pace)
    return pace
  }

  /** If the disk refuses, the tries count only until the next start. */
  #keepTries(): void {
    const failures = [...this.#paces].flatMap(([of, pace]) => (pace.failures > 0 ? [[of, pace.failures] as const] : []))
    this.#context.settings.keep(triesSetting, Object.fromEntries(failures))
  }

  /** What the disk refuses is only in the log: it must not stand between a customer and a sale. */
  #note(what: 'signed-in' | 'signed-out', person: Person): void {
    const { journal, log } = this.#context
    const noted = inHandOf(signerOf(person), () =>
      saved(() => {
        journal.act({ actor: 'person', what, subject: person.id })
        return ok(null)
      }),
    )
    if (!noted.ok) log.warn('who is signed in could not be noted', { code: noted.error.code })
  }

  #leaveIfGone(): void {
    if (this.#personId !== null && !this.#context.people.byId(this.#personId)) this.#leave()
  }

  #leave(): void {
    if (this.#personId === null) return
    this.#personId = null
    clearTimeout(this.#timer)
    this.#context.events.emit('people.signed-in', { person: null })
  }

  /** Tells pages when the person has gone; a computer that slept finds out at the next call. */
  #watch(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.current()) this.#watch()
    }, minute / 4).unref()
  }
}

/** The person with the PIN. It takes as long if none has it. */
async function whoHas(pin: string, people: readonly Person[]): Promise<Person | undefined> {
  if (people.length === 0) await hashPin(pin)
  for (const person of people) {
    const hash = person.secret?.pin ?? (await hashPin(`${pin}!`))
    if (await isPin(pin, hash)) return person
  }
  return undefined
}
