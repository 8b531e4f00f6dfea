import type { ResultOf } from '../../src-shared/errors'
import { PeopleRules } from '../../src-shared/people'
import { err, ok } from '../../src-shared/result'
import type { MainEvents } from '../core/events'
import { type NotSaved, saved } from '../database/saved'
import type { Settings } from '../database/settings'
import type { PolicyPeople } from '../policy/policy'

export const peopleRulesSetting = 'people.rules' as const
const usual = PeopleRules.parse({})

interface RulesContext {
  settings: Pick<Settings, 'read' | 'write'>
  events: Pick<MainEvents, 'emit'>
  policy: PolicyPeople
}

/** What the store demands of names, below what IT's policy demands. */
export class Rules {
  readonly #context: RulesContext

  constructor(context: RulesContext) {
    this.#context = context
  }

  view(): PeopleRules {
    const { settings, policy } = this.#context
    const rules = settings.read(peopleRulesSetting, PeopleRules) ?? usual
    const { isSignInRequired, afterMinutes: minutes = rules.minutes } = policy
    return { ...rules, minutes, demand: isSignInRequired === true ? 'required' : rules.demand }
  }

  set(next: PeopleRules): ResultOf<PeopleRules, NotSaved | 'policy/fixed'> {
    const { policy } = this.#context
    const isFixed =
      (policy.isSignInRequired === true && next.demand === 'names') ||
      (policy.afterMinutes !== undefined && next.minutes !== policy.afterMinutes)
    if (isFixed) return err({ code: 'policy/fixed' })
    return this.use(next)
  }

  /** Uses what was set here or at another station. What the policy demands stays. */
  use(next: PeopleRules): ResultOf<PeopleRules, NotSaved> {
    const { settings, events } = this.#context
    return saved(() => {
      settings.write(peopleRulesSetting, next)
      events.emit('people.rules', this.view())
      return ok(this.view())
    })
  }
}
