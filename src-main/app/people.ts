import { classify } from '../../src-shared/scan/classify'
import { type Permission, may } from '../../src-shared/people'
import { Journal } from '../outbox/journal'
import { JournalPages, journalHandlers } from '../outbox/journal-pages'
import { callHands } from '../people/acts'
import { peopleHandlers } from '../people/handlers'
import { People } from '../people/people'
import { Rules } from '../people/rules'
import { SignIn } from '../people/sign-in'
import type { Managers } from '../security/lock'
import type { CoreContext } from './context'
import type { LookupParts } from './network'
import type { Surroundings } from './surroundings'

export type PeopleParts = ReturnType<typeof createPeopleParts>

/** The people of the store, and who is signed in here. */
export function createPeopleParts(
  context: CoreContext,
  { codes }: LookupParts,
  { policyPeople: policy = {}, onPeople }: Pick<Surroundings, 'policyPeople' | 'onPeople'>,
) {
  const { db, clock } = context
  const journal = new Journal(db, () => clock.now())
  const isUsed = db.prepare(`
    SELECT 1 WHERE EXISTS (SELECT 1 FROM operation_key WHERE key = 'order:' || @code)
      OR EXISTS (SELECT 1 FROM open_order WHERE order_id = @code)
      OR EXISTS (SELECT 1 FROM memory WHERE id = @code OR identifier = @code)`)
  const isOtherCode = (code: string) => {
    const { kind } = classify(code, 'other', { known: codes.known() })
    return (kind !== 'unknown' && kind !== 'badge') || isUsed.get({ code }) !== undefined
  }
  const rules = new Rules({ ...context, policy })
  const roles = new Map(policy.roles?.map(({ shortName, role }) => [shortName, role]))
  const people = new People({ ...context, journal, roles, isOtherCode })
  const signIn = new SignIn({ ...context, people, journal, rules: () => rules.view(), steady: () => clock.steady() })
  for (const name of ['people.changed', 'people.signed-in'] as const)
    context.events.on(name, 'app/people.ts', () => onPeople?.())
  const canSignIn = (permission: Permission) =>
    people
      .active()
      .some(
        ({ role, secret }) =>
          may(role, permission) && (secret === undefined || secret.pin !== null || secret.badge !== null),
      )
  return {
    ...{ journal, people, signIn, rules },
    hands: callHands({ ...context, signIn, journal }),
    handlers: { ...peopleHandlers(people, signIn, rules), ...journalHandlers(new JournalPages(db), journal) },
    approvers: { are: () => canSignIn('approve'), approve: signIn.approve.bind(signIn) },
    managers: (): Managers => {
      const role = signIn.isHere() ? signIn.current()?.role : undefined
      const mayNow = (permission: Permission) => role !== undefined && may(role, permission)
      return { are: canSignIn('settings'), isIn: mayNow('settings'), isLeadIn: mayNow('approve') }
    },
  }
}
