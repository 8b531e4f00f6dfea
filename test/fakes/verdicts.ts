import type { Verdict, VerdictKind, VerdictLevel } from '../../src-shared/verdict'

const levels: Partial<Record<VerdictKind, VerdictLevel>> = {
  sellable: 'ok',
  looking: 'ok',
  unchecked: 'warn',
  'not-imported': 'warn',
}

/** A verdict on an item, at the level of a station without own rules. */
export const verdict = (kind: VerdictKind = 'sellable', more: Partial<Verdict> = {}): Verdict => ({
  kind,
  level: levels[kind] ?? 'refuse',
  asOf: null,
  orderId: null,
  at: null,
  dispensary: null,
  past: null,
  canImport: kind === 'not-imported',
  also: [],
  ...more,
})
