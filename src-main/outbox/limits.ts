import { UnsentLimits } from '../../src-shared/ipc/operation-view'
import type { Warning } from '../../src-shared/ipc/app-view'
import type { Clock } from '../clock'
import type { Settings } from '../store/settings'
import type { Rows } from './rows'

/** When unsent operations become a warning. A warning: no sale is ever stopped by it. */
export interface Limits {
  view(): UnsentLimits
  /** Throws when the disk refuses. */
  set(limits: UnsentLimits): void
  warnings(counts: ReturnType<Rows['counts']>): Warning[]
}

export interface LimitParts {
  settings: Settings
  clock: Clock
}

const name = 'outbox.limits'
const usual: UnsentLimits = { count: 500, hours: 12 }
const hour = 3_600_000

export function createLimits({ settings, clock }: LimitParts): Limits {
  const view = () => settings.read(name, UnsentLimits) ?? usual
  return {
    view,
    set: (limits) => settings.write(name, limits),
    warnings({ unsent, oldestUnsentAt }) {
      const { count, hours } = view()
      const isOld = oldestUnsentAt !== null && clock.now() - oldestUnsentAt >= hours * hour
      return [...(unsent >= count ? ['unsent-many' as const] : []), ...(isOld ? ['unsent-old' as const] : [])]
    },
  }
}
