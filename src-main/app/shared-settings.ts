import { isDeepStrictEqual } from 'node:util'
import { CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import { UnsentLimits } from '../../src-shared/ipc/contract/outbox'
import { GateLevels } from '../../src-shared/gates'
import { PeopleRules } from '../../src-shared/people'
import type { Checkout } from '../counter/checkout'
import type { SharedSetting } from '../sharing/topics/settings'
import type { Limits } from '../outbox/views'
import { type Rules, peopleRulesSetting } from '../people/rules'
import type { Settings } from '../database/settings'
import type { CoreContext } from './context'
import type { Surroundings } from './surroundings'

/**
 * The settings that all stations of a store share, each as it is read and used here. `checkout` is asked for when another
 * station's settings are used: the counter is made after what it shares.
 */
export const sharedSettings = (
  { settings, events }: Pick<CoreContext, 'settings' | 'events'>,
  gateLevels: Surroundings['gateLevels'],
  { limits, rules }: { limits: Limits; rules: Rules },
  checkout: () => Checkout,
): SharedSetting[] => [
  ...(gateLevels ? [sharedGates(gateLevels, settings)] : []),
  {
    name: 'checkout.settings',
    read: () => settings.read('checkout.settings', CheckoutSettings),
    apply(value) {
      const read = CheckoutSettings.safeParse(value)
      if (!read.success) return 'unreadable'
      return checkout().setSettings(read.data).ok ? 'used' : 'not-saved'
    },
  },
  {
    name: 'outbox.limits',
    read: () => settings.read('outbox.limits', UnsentLimits),
    apply(value) {
      const read = UnsentLimits.safeParse(value)
      if (!read.success) return 'unreadable'
      limits.set(read.data)
      events.emit('limits.changed', null)
      return 'used'
    },
  },
  {
    name: peopleRulesSetting,
    read: () => settings.read(peopleRulesSetting, PeopleRules),
    apply(value) {
      const read = PeopleRules.safeParse(value)
      if (!read.success) return 'unreadable'
      return rules.use(read.data).ok ? 'used' : 'not-saved'
    },
  },
]

/** The gates are a setting of the station: its copy in the store says what the others know. */
function sharedGates({ read, use }: NonNullable<Surroundings['gateLevels']>, settings: Settings): SharedSetting {
  return {
    name: 'security.gates',
    read: () => settings.read('security.gates', GateLevels),
    note() {
      const known = settings.read('security.gates', GateLevels) ?? {}
      if (!isDeepStrictEqual(known, read())) settings.write('security.gates', read())
    },
    apply(value) {
      const levels = GateLevels.safeParse(value)
      if (!levels.success) return 'unreadable'
      if (!use(levels.data).ok) return 'not-saved'
      settings.write('security.gates', levels.data)
      return 'used'
    },
  }
}
