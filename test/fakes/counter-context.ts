import type { CounterContext } from '../../src-main/counter/counter-context'
import { silentLog } from '../../src-main/core/log'
import { createSettings } from '../../src-main/database/settings'
import { unsealed } from '../../src-main/privacy/seal'
import { createGates, usualGateRules } from '../../src-main/security/gates'

const unused = () => {
  throw new Error('nothing is reported here')
}

export const online: CounterContext['connection'] = {
  view: () => ({ state: 'online', since: '2026-11-21T14:00:00.000Z' }),
  isOutOfReach: () => false,
}

/** The context of a counter that works alone: online, without a PIN, an outage or a verified day. */
export function counterContext(
  parts: Pick<CounterContext, 'db' | 'events' | 'clock' | 'lookup' | 'outbox'> & Partial<CounterContext>,
): CounterContext {
  return {
    log: silentLog,
    settings: createSettings(parts.db, silentLog),
    reporting: { view: unused, send: unused, isUnderWay: unused },
    ledger: { during: () => [] },
    connection: online,
    serviceClock: { offset: () => 0 },
    gates: createGates(usualGateRules),
    seal: unsealed,
    storeName: '',
    station: 'Till 1',
    ownDispensaryId: null,
    isCounterfeit: () => false,
    verification: () => null,
    ...parts,
  }
}
