import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OperationId } from '../../../../../src-shared/ids'
import { type ItemFacts, differenceOf } from '../../../../../src-main/counting/cases/count-differences'
import { caseOf } from '../../../../fakes/ids'

const operationId = OperationId.parse('9af49740-96f5-40ee-9e25-02420ae59635')
const finding = (values: Partial<ItemFacts>): ItemFacts => ({
  expectedIn: null,
  isScanned: false,
  isIgnored: false,
  report: null,
  ...values,
})
const reported = (does: 'remove' | 'add') => ({ does, caseId: caseOf(1), operationId })

describe('an item of a count', () => {
  it.each([
    ['expected and scanned', { expectedIn: caseOf(1), isScanned: true }, null],
    ['expected, not scanned', { expectedIn: caseOf(1) }, ['missing', 'open', caseOf(1)]],
    ['scanned, not expected', { isScanned: true }, ['stranger', 'open', null]],
    ['missing and ignored', { expectedIn: caseOf(1), isIgnored: true }, ['missing', 'ignored', caseOf(1)]],
    ['an ignored stranger', { isScanned: true, isIgnored: true }, ['stranger', 'ignored', null]],
    ['missing and removed', { expectedIn: caseOf(1), report: reported('remove') }, ['missing', 'removed', caseOf(1)]],
    ['an added stranger', { isScanned: true, report: reported('add') }, ['stranger', 'added', caseOf(1)]],
    [
      'removed, but then scanned after all',
      { expectedIn: caseOf(1), isScanned: true, report: reported('remove') },
      ['stranger', 'open', null],
    ],
    ['added, but with its scan undone', { report: reported('add') }, ['missing', 'open', caseOf(1)]],
    ['ignored, then scanned', { expectedIn: caseOf(1), isScanned: true, isIgnored: true }, null],
    ['neither expected nor scanned', {}, null],
  ])('that is %s', (_, values, expected) => {
    const found = differenceOf(finding(values))
    expect(found && [found.kind, found.resolution, found.caseId]).toEqual(expected)
  })

  it('always has a reason for a difference, and names a report exactly if it resolves the difference', () => {
    const any = fc.record<ItemFacts>({
      expectedIn: fc.constantFrom(null, caseOf(1)),
      isScanned: fc.boolean(),
      isIgnored: fc.boolean(),
      report: fc.constantFrom(null, reported('remove'), reported('add')),
    })
    fc.assert(
      fc.property(any, (item) => {
        const found = differenceOf(item)
        expect(found === null).toBe(item.report === null && item.isScanned === (item.expectedIn !== null))
        if (found) {
          expect(found.kind === 'stranger').toBe(item.isScanned)
          expect(found.operationId !== null).toBe(found.resolution === 'removed' || found.resolution === 'added')
        }
      }),
    )
  })
})
