import { describe, expect, it } from 'vitest'
import { type ItemKnowledge, type ItemAnswer, errorOf, verdictOf } from '../../../../src-main/counter/verdict'
import { PackageUid } from '../../../../src-shared/ids'
import type { CheckoutSettings } from '../../../../src-shared/ipc/contract/checkout'
import type { PackageCase } from '../../../../src-shared/service/imports'
import type { Verdict } from '../../../../src-shared/verdict'
import { order, tag } from '../../../fakes/ids'
import { facts } from './counter-desk'

const now = Date.parse('2026-11-23T15:00:00Z')
const rules: Pick<CheckoutSettings, 'takesUnchecked' | 'levels'> = { takesUnchecked: true }
const asOf = '2026-11-23T12:04:00.000Z'

const told = (more: Partial<ItemAnswer['facts']> = {}, entry?: ItemAnswer['entry']): ItemAnswer => ({
  facts: facts(tag(1), more),
  entry,
  asOf: null,
  askedAt: now,
})
const judge = (known: Partial<ItemKnowledge> = {}, by = rules) =>
  verdictOf(
    {
      mode: 'sale',
      openOrder: undefined,
      past: { kind: 'untouched' },
      told: told(),
      isSoldElsewhere: false,
      ownImport: null,
      isCounterfeit: false,
      ownDispensaryId: 'newark',
      now,
      ...known,
    },
    by,
  )
const says = (known: Partial<ItemKnowledge> = {}, by = rules) => {
  const { kind, level } = judge(known, by)
  return `${kind}: ${level}`
}
const entryOf = (uuid: string | null): PackageCase => ({
  is_imported: true,
  imported_on: null,
  package_uid: null,
  dispensary: uuid === null ? null : { uuid, name: `Green Door, ${uuid}`, state: 'NJ' },
})

describe('the verdict on an item', () => {
  it('is that it can be sold, if it is in our inventory', () => {
    expect(says()).toBe('sellable: ok')
    expect(says({ told: told({}, entryOf('newark')) })).toBe('sellable: ok')
  })

  it('names the sister store that has it', () => {
    const known = { told: told({ packageUids: [] }, entryOf('hoboken')) }
    expect(judge(known)).toMatchObject({ kind: 'sister-store', level: 'refuse', dispensary: 'Green Door, hoboken' })
    // Without knowing which dispensary is ours, every one would look like a sister store.
    expect(says({ ...known, ownDispensaryId: null })).toBe('sellable: ok')
    expect(says({ ...known, ownImport: { kind: 'imported', at: asOf } })).toBe('sellable: ok')
  })

  it('tells inventories of other companies from cases that were never imported', () => {
    expect(says({ told: told({ isImported: false, isImportedElsewhere: true }, undefined) })).toBe(
      'other-company: refuse',
    )
    expect(judge({ told: told({ isImported: false }) })).toMatchObject({
      kind: 'not-imported',
      level: 'warn',
      canImport: true,
    })
    expect(judge({ told: told({ isImported: false, caseId: null }) }).canImport).toBe(false)
    expect(says({ told: told({ isImported: false }), ownImport: { kind: 'imported', at: asOf } })).toBe('sellable: ok')
    expect(says({ told: told({ isImported: false, isRemovedFromCase: true, caseId: null }) })).toBe(
      'removed-from-case: refuse',
    )
  })

  it('goes by certificate and use-by date, whose own day is still good', () => {
    const coa = (expiresOn: string) => ({ verdict: 'passed' as const, expiresOn })
    expect(says({ told: told({ coa: { verdict: 'failed', expiresOn: null } }) })).toBe('certificate-failed: refuse')
    expect(says({ told: told({ coa: coa('2026-11-21T00:00:00Z') }) })).toBe('certificate-expired: pin')
    expect(says({ told: told({ coa: coa('2026-11-23T00:00:00Z') }) })).toBe('sellable: ok')
    expect(says({ told: told({ useBy: '2026-11-21' }) })).toBe('past-use-by: pin')
    expect(says({ told: told({ useBy: '2026-11-23' }) })).toBe('sellable: ok')
    expect(says({ told: told({ isPublished: false }) })).toBe('product-unpublished: warn')
    expect(says({ isCounterfeit: true })).toBe('counterfeit: refuse')
  })

  it('names the gravest of several reasons', () => {
    const several = { isImported: false, useBy: '2026-11-01', coa: { verdict: 'failed' as const, expiresOn: null } }
    expect(says({ told: told(several) })).toBe('certificate-failed: refuse')
  })

  it('says what this station did with the item, whatever the service knows', () => {
    const sold = { past: { kind: 'sold' as const, orderId: order('2001'), at: asOf } }
    expect(judge(sold)).toMatchObject({ kind: 'sold', level: 'refuse', orderId: '2001' })
    expect(says(sold, { takesUnchecked: true, levels: { sold: 'ok' } })).toBe('sold: refuse')
    expect(says({ past: { kind: 'refused', orderId: order('1') } })).toBe('refused-order: refuse')
    expect(says({ openOrder: { orderId: null }, told: 'looking' })).toBe('in-open-order: refuse')
    expect(judge({ past: { kind: 'returned', orderId: order('2001'), at: asOf } })).toMatchObject({
      kind: 'sellable',
      past: 'returned',
      orderId: '2001',
    })
    expect(judge({ ...sold, mode: 'return' })).toMatchObject({ kind: 'returnable', level: 'ok', orderId: '2001' })
  })

  it('is as of what this station did since the reading', () => {
    const later = new Date(Date.parse(asOf) + 60_000).toISOString()
    const earlier = new Date(Date.parse(asOf) - 60_000).toISOString()
    const read = { ...told(), asOf }
    const cases: [string, Partial<ItemKnowledge>, string | null][] = [
      ['imported since', { told: read, ownImport: { kind: 'imported', at: later } }, later],
      ['imported before', { told: read, ownImport: { kind: 'imported', at: earlier } }, asOf],
      ['its import removed since', { told: read, ownImport: { kind: 'removed', at: later } }, later],
      ['voided since', { told: read, past: { kind: 'voided', orderId: order('1'), at: later } }, later],
      ['returned since', { told: read, past: { kind: 'returned', orderId: order('1'), at: later } }, later],
      [
        'sold since, brought back',
        { mode: 'return', told: read, past: { kind: 'sold', orderId: order('1'), at: later } },
        later,
      ],
      ['asked now', { ownImport: { kind: 'imported', at: later } }, null],
    ]
    for (const [name, known, expected] of cases) expect([name, judge(known).asOf]).toEqual([name, expected])
  })

  it('of a return says whether the item was sold, and in which order', () => {
    const back = (known: Partial<ItemKnowledge>) => judge({ mode: 'return', ...known })
    const sold = { kind: 'sold' as const, orderId: order('2001'), at: asOf }
    const shown = (soldOn: string | null): ItemAnswer => told({ soldOn, isSaleShown: true })
    const cases: [string, Partial<ItemKnowledge>, Partial<Verdict>][] = [
      ['sold here', { past: sold, told: shown(asOf) }, { kind: 'returnable', level: 'ok', orderId: '2001' }],
      ['sold here, not sent yet', { past: sold, told: shown(null) }, { kind: 'returnable', orderId: '2001' }],
      ['sold here, no answer', { past: sold, told: undefined }, { kind: 'returnable', orderId: '2001', asOf: null }],
      ['sold at another register', { told: shown(asOf) }, { kind: 'returnable', level: 'ok', orderId: null, at: asOf }],
      ['never sold', { told: shown(null) }, { kind: 'not-sold', level: 'pin' }],
      ['not sold when it was read', { told: { ...shown(null), asOf } }, { kind: 'not-sold', level: 'pin', asOf }],
      ['read without its sale', { told: told() }, { kind: 'sale-unknown', level: 'warn' }],
      ['no connection, nothing remembered', { told: undefined }, { kind: 'sale-unknown', level: 'warn' }],
      ['unknown to the service', { told: 'no-item' }, { kind: 'unknown', level: 'refuse' }],
    ]
    expect(cases.map(([what, known]) => [what, back(known)])).toMatchObject(
      cases.map(([what, , right]) => [what, right]),
    )
    const strict = { takesUnchecked: false, levels: { 'not-sold': 'refuse' as const } }
    expect(says({ mode: 'return', told: shown(null) }, strict)).toBe('not-sold: refuse')
    expect(says({ mode: 'return', told: undefined }, strict)).toBe('sale-unknown: refuse')
  })

  it('asks for the manager where a refusal is only remembered, and says as of when', () => {
    const remembered = { ...told({}, entryOf('hoboken')), asOf }
    expect(judge({ told: remembered })).toMatchObject({ kind: 'sister-store', level: 'pin', asOf })
    expect(judge({ told: { ...told({ coa: { verdict: 'failed', expiresOn: null } }), asOf } }).level).toBe('refuse')
    expect(judge({ told: { ...told(), asOf } })).toMatchObject({ kind: 'sellable', asOf })
  })

  it('is open while the service is asked, does not answer, or does not say whose inventory it is', () => {
    expect(says({ told: 'looking' })).toBe('looking: ok')
    expect(says({ told: undefined })).toBe('unchecked: warn')
    expect(says({ told: undefined }, { takesUnchecked: false })).toBe('unchecked: refuse')
    expect(says({ told: 'no-item' })).toBe('unknown: refuse')
    const packageUids = [PackageUid.parse('1A4000000000000000000001')]
    expect(says({ told: told({ packageUids }, null) })).toBe('unchecked: warn')
    expect(says({ told: told({ packageUids: [] }, null) })).toBe('sellable: ok')
  })

  it('has the level that a manager set', () => {
    expect(
      says({ told: told({ useBy: '2026-11-01' }) }, { takesUnchecked: true, levels: { 'past-use-by': 'refuse' } }),
    ).toBe('past-use-by: refuse')
    expect(says({ isSoldElsewhere: true }, { takesUnchecked: true, levels: { sold: 'warn' } })).toBe('sold: warn')
  })

  it('becomes the error of a scan', () => {
    expect(errorOf(tag(1), judge({ isSoldElsewhere: true })).code).toBe('checkout/sold-elsewhere')
    expect(errorOf(tag(1), judge({ told: undefined })).code).toBe('checkout/unchecked')
    expect(errorOf(tag(1), judge({ told: told({ useBy: '2026-11-01' }) }))).toMatchObject({
      code: 'checkout/not-sellable',
      verdict: { kind: 'past-use-by' },
    })
  })
})
