import { describe, expect, it } from 'vitest'
import { caseKindOf, countCases } from '../../../src-shared/case-state'

describe('the state of a case', () => {
  it.each([
    [['imported-here'], 'imported-here'],
    [['imported-here', 'imported-here'], 'imported-here'],
    [['imported-here', 'to-import'], 'partly'],
    [['imported-here', 'unknown'], 'partly'],
    [['imported-here', 'pending'], 'pending'],
    [['pending', 'refused'], 'refused'],
    [['unknown', 'to-import'], 'to-import'],
    [['unknown', 'unknown'], 'unknown'],
    // Nothing of them can be imported any more.
    [['imported-elsewhere', 'imported-here'], 'imported-here'],
    [['imported-here', 'imported-by-company'], 'imported-here'],
    [['imported-by-company', 'imported-elsewhere'], 'imported-by-company'],
    [['imported-elsewhere', 'unknown'], 'partly'],
    [['to-import', 'imported-by-company'], 'partly'],
    [[], undefined],
  ] as const)('%j is %s', (kinds, state) => {
    expect(caseKindOf(kinds)).toBe(state)
  })

  it('counts a case once, and one that is imported in part not as imported', () => {
    expect(countCases(['imported-here', 'partly', 'pending', 'refused', 'to-import', undefined])).toEqual({
      imported: 1,
      partly: 1,
      pending: 1,
      refused: 1,
    })
  })
})
