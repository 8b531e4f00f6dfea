import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { ActName } from '../../src-shared/acts'
import type { ResultOf } from '../../src-shared/errors'
import { type PersonForm, PersonId, type PersonView, Role, type SignedIn } from '../../src-shared/people'
import { err, ok } from '../../src-shared/result'
import type { RoomContext } from '../core/context'
import { RowReader } from '../database/row-reader'
import type { KeychainCode } from '../credentials/keychain'
import { type NotSaved, saved } from '../database/saved'
import { parseStored } from '../database/settings'
import type { Journal } from '../outbox/journal'
import type { Seal } from '../privacy/seal'
import { PinHash } from '../station/station-file'

/** How a person shows who they are: hashes only. */
export const PersonSecret = z.object({ pin: PinHash.nullable(), badge: z.string().max(100).nullable() })
export type PersonSecret = z.infer<typeof PersonSecret>
const noSecret: PersonSecret = { pin: null, badge: null }

const PersonRow = z.object({
  ...{ id: PersonId, name: z.string(), shortName: z.string(), role: Role },
  ...{ secret: z.string(), edit: z.number(), restored: z.number(), removedAt: z.number().nullable() },
})
export type PersonRow = z.infer<typeof PersonRow>
export const personRows = new RowReader(PersonRow)

/** A person of the store. `role`: as it counts; `secret`: undefined while the keychain doesn't say how to open it. */
export interface Person extends Omit<PersonRow, 'secret'> {
  secret: PersonSecret | undefined
  isRoleFixed: boolean
}

/** The hash of a badge's text, in whatever case the scanner types it. */
export const badgeHash = (text: string): string =>
  createHash('sha256').update(text.trim().toUpperCase()).digest('base64url')

/** The text of a new badge: 16 letters that no one guesses. */
export const newBadge = (): string =>
  `CTB:${Array.from({ length: 16 }, () => String.fromCharCode(65 + randomInt(26))).join('')}`

const isManager = ({ role }: Pick<Person, 'role'>) => role === 'manager'

/** Whether a store would have people and no manager any more. */
export const losesManager = (before: readonly Person[], after: readonly Person[]): boolean =>
  before.some(isManager) && after.length > 0 && !after.some(isManager)

export const signedInAs = ({ id, name, shortName, role }: Person): SignedIn => ({ id, name, shortName, role })

const viewOf = (person: Person): PersonView => ({
  ...signedInAs(person),
  hasPin: (person.secret?.pin ?? null) !== null,
  hasBadge: (person.secret?.badge ?? null) !== null,
  isRoleFixed: person.isRoleFixed,
})

export interface PeopleContext extends RoomContext {
  journal: Journal
  /** This station's: a thief of the disk must not try PINs. */
  seal: Pick<Seal, 'seal' | 'open' | 'reveal'>
  /** Roles that IT's policy says, by short name. */
  roles: ReadonlyMap<string, Role>
  /** Whether a code means something else here: an item, an order, an action. */
  isOtherCode: (code: string) => boolean
}

/** Edits that the hub doesn't have yet are one: see `sharing/topics/people.ts`. */
const statementsOf = (db: Database) => ({
  all: db.prepare('SELECT * FROM person ORDER BY name, id'),
  put: db.prepare(`
    INSERT INTO person (id, name, short_name, role, secret, edit, restored, removed_at)
    VALUES (@id, @name, @shortName, @role, @secret, @edit, @restored, @removedAt)
    ON CONFLICT DO UPDATE SET name = excluded.name, short_name = excluded.short_name, role = excluded.role,
      secret = excluded.secret, removed_at = excluded.removed_at, restored = excluded.restored, edit = edit + NOT EXISTS (
        SELECT 1 FROM dirty_key WHERE topic = 'people' AND list = 0 AND key = person.id AND is_others = 0)`),
})

type NotFound = NotSaved | 'people/not-found'
/** The keychain may still hold the key of what is there, so nothing may be put in its place. */
export type NotOpened = NotFound | KeychainCode

/** The people of the store. A station without any works as if there were no such thing. */
export class People {
  readonly #context: PeopleContext
  readonly #sql: ReturnType<typeof statementsOf>
  readonly #put: (row: PersonRow, what: ActName) => void
  /** Sealed with a key that no longer exists. */
  readonly #lost = new Set<string>()
  #all: readonly Person[] | undefined

  constructor(context: PeopleContext) {
    const { db, journal, events } = context
    this.#context = context
    this.#sql = statementsOf(db)
    const put = db.transaction((row: PersonRow, what: ActName): void => {
      this.#sql.put.run(row)
      const { name, shortName, role } = row
      journal.act({ actor: 'person', what, subject: row.id, detail: { name, shortName, role } })
    })
    this.#put = (row, what) => {
      put.immediate(row, what)
    }
    events.on('people.elsewhere', 'people/people.ts', () => {
      this.#changed()
    })
  }

  view(): PersonView[] {
    return this.active().map(viewOf)
  }

  /** All but those who were removed. */
  active(): Person[] {
    return this.#known().filter(({ removedAt }) => removedAt === null)
  }

  byId(id: string): Person | undefined {
    return this.active().find((person) => person.id === id)
  }

  /** Undefined also if two people were given one badge at two stations. */
  byBadge(text: string): Person | undefined {
    const hash = badgeHash(text)
    const [person, ...others] = this.active().filter(({ secret }) => secret?.badge === hash)
    return others.length === 0 ? person : undefined
  }

  /** More than one, if two were made at two stations: then the PIN says which. */
  byShortName(shortName: string): Person[] {
    return this.active().filter((person) => person.shortName === shortName)
  }

  /** Who an order's budtender is, also once they were removed; undefined if that is no person. */
  nameOf(shortName: string): string | undefined {
    const gone = this.#known().find((person) => person.shortName === shortName)
    return (this.byShortName(shortName)[0] ?? gone)?.name
  }

  /** Adds a person, or changes one. */
  save(
    id: PersonId | null,
    { name, shortName, role }: PersonForm,
  ): ResultOf<PersonView, NotFound | 'people/short-name-taken' | 'people/last-manager' | 'policy/fixed'> {
    const before = id === null ? undefined : this.byId(id)
    if (id !== null && !before) return err({ code: 'people/not-found' })
    if (this.byShortName(shortName).some((other) => other.id !== id)) return err({ code: 'people/short-name-taken' })
    const fixed = this.#context.roles.get(shortName)
    if (fixed !== undefined && fixed !== role) return err({ code: 'policy/fixed' })
    const secret = before ? before.secret : noSecret
    const known = {
      id: before?.id ?? PersonId.parse(randomUUID()),
      edit: before?.edit ?? 0,
      restored: before?.restored ?? 0,
      removedAt: null,
    }
    const next: Person = { ...known, name, shortName, role, secret, isRoleFixed: fixed !== undefined }
    if (this.#losesManager(next)) return err({ code: 'people/last-manager' })
    return this.#save(next, before ? 'person-changed' : 'person-added')
  }

  /** Call before a PIN or a badge is set: asks the keychain again for the keys that it didn't give. */
  async openSecrets(): Promise<ResultOf<null, KeychainCode>> {
    const { seal } = this.#context
    for (const { secret } of personRows.readable(this.#sql.all).rows) {
      const opened = await seal.reveal(secret)
      if (opened.ok) continue
      const { error } = opened
      if (error.code !== 'outbox/customer-lost') return err(error)
      this.#lost.add(secret)
    }
    return ok(null)
  }

  /** `pin`: its hash; null to have none. */
  setPin(id: PersonId, pin: PinHash | null): ResultOf<PersonView, NotOpened> {
    return this.#setSecret(id, { pin }, pin ? 'pin-set' : 'pin-removed')
  }

  /** `code`: null to have none. */
  setBadge(
    id: PersonId,
    code: string | null,
  ): ResultOf<PersonView, NotOpened | 'people/badge-taken' | 'people/badge-is-code'> {
    if (code === null) return this.#setSecret(id, { badge: null }, 'badge-removed')
    if (this.#context.isOtherCode(code)) return err({ code: 'people/badge-is-code' })
    if (this.#known().some(({ secret }) => secret === undefined)) return err({ code: 'keychain/locked' })
    const badge = badgeHash(code)
    // Also of someone who was removed: their badge must not come back as another person's.
    if (this.#known().some((other) => other.id !== id && other.secret?.badge === badge))
      return err({ code: 'people/badge-taken' })
    return this.#setSecret(id, { badge }, 'badge-set')
  }

  remove(id: PersonId): ResultOf<PersonView, NotFound | 'people/last-manager'> {
    const before = this.byId(id)
    if (!before) return err({ code: 'people/not-found' })
    const next = { ...before, removedAt: this.#context.clock.now() }
    return this.#losesManager(next) ? err({ code: 'people/last-manager' }) : this.#save(next, 'person-removed')
  }

  /** Undoes a removal. */
  restore(id: PersonId): ResultOf<PersonView, NotFound | 'people/short-name-taken'> {
    const before = this.#known().find((person) => person.id === id)
    if (!before) return err({ code: 'people/not-found' })
    if (this.byShortName(before.shortName).some((other) => other.id !== id))
      return err({ code: 'people/short-name-taken' })
    return this.#save({ ...before, restored: before.restored + 1, removedAt: null }, 'person-restored')
  }

  #setSecret(id: PersonId, change: Partial<PersonSecret>, what: ActName): ResultOf<PersonView, NotOpened> {
    const before = this.byId(id)
    if (!before) return err({ code: 'people/not-found' })
    if (!before.secret) return err({ code: 'keychain/locked' })
    return this.#save({ ...before, secret: { ...before.secret, ...change } }, what)
  }

  #losesManager(next: Person): boolean {
    const before = this.active()
    const others = before.filter(({ id }) => id !== next.id)
    return losesManager(before, next.removedAt === null ? [...others, next] : others)
  }

  #save(next: Person, what: ActName): ResultOf<PersonView, NotSaved> {
    return saved(() => {
      const { secret, isRoleFixed: _, ...row } = next
      this.#put({ ...row, secret: this.#sealed(next.id, secret) }, what)
      this.#changed()
      return ok(viewOf(next))
    })
  }

  /** What can't be opened stays as it is. */
  #sealed(id: string, secret: PersonSecret | undefined): string {
    if (secret) return this.#context.seal.seal(JSON.stringify(secret))
    return personRows.all(this.#sql.all).find((row) => row.id === id)?.secret ?? ''
  }

  #changed(): void {
    this.#all = undefined
    this.#context.events.emit('people.changed', this.view())
  }

  #known(): readonly Person[] {
    if (this.#all) return this.#all
    const all = personRows.readable(this.#sql.all).rows.map((row): Person => {
      const text = this.#context.seal.open(row.secret)
      const fixed = this.#context.roles.get(row.shortName)
      const known = text === undefined ? undefined : parseStored(PersonSecret, text)
      const secret = known ?? (this.#lost.has(row.secret) ? noSecret : undefined)
      return { ...row, role: fixed ?? row.role, secret, isRoleFixed: fixed !== undefined }
    })
    // The keychain may answer later.
    if (all.every(({ secret }) => secret !== undefined)) this.#all = all
    return all
  }
}
