import { z } from 'zod'
import { BadgeCode, PeopleRules, PersonForm, PersonId, PersonView, Shown, ShownPin, SignedIn } from '../../people'
import { call, done, nothing } from './call'
import { Pin } from './station'

export const PeopleView = z.object({ people: z.array(PersonView), signedIn: SignedIn.nullable(), rules: PeopleRules })
export type PeopleView = z.infer<typeof PeopleView>

/** A badge to print, as the SVG of its QR code. Only its hash is kept, so it can't be shown again. */
export const PrintedBadge = z.object({ person: PersonView, svg: z.string() })

/** The people of the store, and who is signed in at this station. */
export const peopleCalls = {
  'people.view': call(nothing, PeopleView),
  /** Adds a person (without id) or changes one. Errors: people/short-name-taken, -last-manager, policy/fixed. */
  'people.save': call(z.object({ id: PersonId.nullable(), person: PersonForm }), PersonView),
  'people.setPin': call(z.object({ id: PersonId, pin: Pin.nullable() }), PersonView),
  /** Gives a code of the store's own as a badge, or takes the badge away. Errors: people/badge-taken, -badge-is-code. */
  'people.setBadge': call(z.object({ id: PersonId, code: BadgeCode.nullable() }), PersonView),
  /** Gives a new badge in place of any other. */
  'people.printBadge': call(z.object({ id: PersonId }), PrintedBadge),
  'people.remove': call(z.object({ id: PersonId }), PersonView),
  /** Undoes a removal. */
  'people.restore': call(z.object({ id: PersonId }), PersonView),
  /** A badge that was scanned comes with a proof. Errors: people/wrong-pin, -no-badge. */
  'people.signIn': call(z.object({ shown: Shown }), SignedIn),
  /** A person changes their own PIN. Errors: people/wrong-pin. */
  'people.changePin': call(z.object({ shown: ShownPin, pin: Pin }), PersonView),
  'people.signOut': call(nothing, done),
  'people.setRules': call(PeopleRules, PeopleRules),
} as const

export const peopleEvents = {
  'people.changed': z.array(PersonView),
  /** Someone signed in, or out: null. */
  'people.signed-in': z.object({ person: SignedIn.nullable() }),
  'people.rules': PeopleRules,
} as const
