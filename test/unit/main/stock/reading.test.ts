import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../../src-shared/errors'
import { importsOf } from '../../../../src-main/stock/case-reader'
import { placeOf, reportsOn } from '../../../../src-main/stock/ledger-items'
import type { KeptReport } from '../../../../src-main/stock/ledger-rows'
import { ReadingProgress } from '../../../../src-main/stock/reading-progress'
import { tag, thing } from '../../../fakes/ids'

const unreadable: AppError = { code: 'service/unreadable', path: null }
const unreachable: AppError = { code: 'service/unreachable' }
const refused: AppError = { code: 'service/not-found', id: 'b' }

describe('a reading of the shelf', () => {
  it('asks again about what had no answer, however often, and is silent after four', () => {
    const progress = new ReadingProgress()
    for (let times = 1; times <= 4; times++) {
      expect(progress.isSilent).toBe(false)
      expect(progress.isOpen('a', unreachable)).toBe(true)
    }
    expect([progress.isSilent, progress.error]).toEqual([true, unreachable])
    progress.tryAgain()
    expect(progress.isSilent).toBe(false)
  })

  it('leaves out what had three unusable answers', () => {
    const progress = new ReadingProgress()
    expect([1, 2, 3].map(() => progress.isOpen('a', unreadable))).toEqual([true, true, false])
    expect(progress.isOpen('a', unreadable)).toBe(true)
  })

  it('counts an answer that settles, also a refusal, and says once that it has read', () => {
    const progress = new ReadingProgress()
    expect([progress.isOpen('a', null), progress.isOpen('b', refused)]).toEqual([false, false])
    progress.count(null)
    progress.count(refused)
    expect(progress.sums).toEqual({ done: 2, failed: 1, failure: refused })
    expect([progress.takeRead(), progress.takeRead()]).toEqual([true, false])
    progress.begin()
    expect(progress.sums).toEqual({ done: 0, failed: 0, failure: null })
  })
})

describe('what a case says of its items', () => {
  const facts = { tagId: tag(1), caseId: null, productId: null, productName: null, brandName: null, pictureUrl: null }
  it.each([
    ['taken out', { isRemovedFromCase: true, isImported: true }, 'ours', 'taken-out'],
    ['not imported', { isImported: false }, 'ours', 'not-imported'],
    ['imported elsewhere', { isImported: false, isImportedElsewhere: true }, 'ours', 'elsewhere'],
    ['imported here', { isImported: true }, 'ours', 'here'],
    ['imported by another dispensary', { isImported: true }, 'theirs', 'elsewhere'],
    ['imported, without an own id', { isImported: true }, null, 'here'],
  ] as const)('%s', (_, said, own, place) => {
    const entry = { is_imported: true, dispensary: { uuid: 'ours', name: 'Ours' } }
    expect(placeOf({ ...facts, soldOn: null, ...said }, entry, own)).toBe(place)
  })

  it('gives an item without a time of its own that of its case', () => {
    const tags = [{ ...facts, isImported: true, soldOn: null }]
    expect([...importsOf({ tags }, null, undefined)]).toEqual([])
    expect([...importsOf({ tags }, null, { is_imported: true, imported_on: '2026-11-20T10:00:00Z' })]).toEqual([
      [tag(1), Date.parse('2026-11-20T10:00:00Z')],
    ])
  })
})

describe('the reports on an item', () => {
  const report = (seq: number, fields: Partial<KeptReport> = {}): KeptReport => ({
    ...{ seq, kind: 'import', state: 'accepted', accepted: seq, product: null },
    ...fields,
  })
  const item = { packagedProductId: thing(1) }
  it.each([
    ['those of its product, oldest first', [report(3), report(1, { product: thing(1) })], [true, true], 3],
    ['none of another product', [report(1, { product: thing(2) })], [], 3],
    ['what was accepted after its case was read', [report(4)], [false], 3],
    ['what was not accepted', [report(1, { state: 'queued', accepted: null })], [false], 3],
    ['all, if its case was only cached', [report(1)], [false], 0],
  ] as const)('has %s', (_, ofCase, known, position) => {
    expect(reportsOn(item, { ofCase, position }, []).map(({ isKnown }) => isKnown)).toEqual(known)
  })
})
