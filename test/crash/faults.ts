import type { FaultRule, FaultsInput } from '../../src-practice/admin'
import type { Chance } from './chance'

/** A failure of the service, or of the connection to it. */
export function anyFault(chance: Chance): FaultsInput {
  const kind = chance.weighed({ offline: 3, drop: 6, status: 5, latency: 2, garbage: 2, stall: 0.7, skew: 0.5 })
  if (kind === 'offline') return { offline: true }
  if (kind === 'skew') return { dateSkewMs: chance.pick([-7_200_000, 90_000, 86_400_000]) }
  const path = chance.pick([
    '/api/v1.2/transactions/',
    '/api/v1.2/transactions/',
    '/api/v1.2/caseids/',
    '/api/',
    '/auth/',
  ])
  // A permanent fault lasts until the next deed that changes the knobs.
  const times = chance.hits(0.75) ? { times: 1 + chance.below(4) } : {}
  return { rules: [{ ...ruleOf(kind, chance), path, ...times }] }
}

function ruleOf(kind: FaultRule['kind'], chance: Chance): FaultRule {
  switch (kind) {
    case 'drop':
      return { kind, when: chance.pick(['before-commit', 'after-commit', 'after-commit']) }
    case 'status': {
      const code = chance.pick([500, 502, 503, 504, 429] as const)
      const isBusy = code === 503 || code === 429
      return { kind, code, ...(isBusy && chance.hits(0.7) ? { retryAfter: chance.below(2) } : {}) }
    }
    case 'latency':
      return { kind, ms: 20 + chance.below(200) }
    case 'garbage':
      return { kind, answer: chance.pick(['html', 'empty']) }
    case 'stall':
      // Each one blocks a lane until the station's timeout, so there are only a few.
      return { kind, times: 1 }
  }
}
