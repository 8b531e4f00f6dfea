import { type Budtender, CheckoutSettings } from '../../src-shared/ipc/checkout-view'
import type { Settings } from '../store/settings'

/** The rules of this station's counter, and who serves at it. */
export interface CounterRules {
  view(): CheckoutSettings
  /** Throws when the disk refuses. */
  set(rules: CheckoutSettings): void
  /** Whoever has no name in the settings is called by their badge. */
  budtender(id: string | null): Budtender | null
}

const setting = 'checkout.settings'

export function createCounterRules(settings: Pick<Settings, 'read' | 'write'>): CounterRules {
  // Asked for with every line of a list.
  let rules = settings.read(setting, CheckoutSettings) ?? CheckoutSettings.parse({})
  let names = new Map(rules.budtenders.map((budtender) => [budtender.id, budtender]))
  return {
    view: () => rules,
    set(next) {
      settings.write(setting, next)
      rules = next
      names = new Map(next.budtenders.map((budtender) => [budtender.id, budtender]))
    },
    budtender: (id) => (id === null || id === '' ? null : (names.get(id) ?? { id, name: id })),
  }
}
