import { describe, expect, it } from 'vitest'
import type { CaseState } from '../../../src-shared/ipc/contract/receiving'
import { chipOf, coaChip, countChip } from '../../../src-renderer/receiving/case-text'
import { say } from '../../../src-renderer/text/text.svelte'
import { operation } from './examples'

const now = new Date(2026, 10, 12, 15, 0)
const words = (state: CaseState) => say(chipOf(state, now).text)
const imported = (at: Date | null): CaseState => ({
  kind: 'imported-here',
  at: at?.toISOString() ?? null,
  packageUid: null,
  operation: null,
})

describe('the status chip of a case', () => {
  it('shows the time of an import from today, the date of an earlier one, and neither if unknown', () => {
    expect(words(imported(new Date(2026, 10, 12, 10, 14)))).toMatch(/^Imported here at 10:14\sAM$/)
    expect(words(imported(new Date(2026, 9, 2)))).toBe('Imported here on Oct 2, 2026')
    expect(words(imported(null))).toBe('Imported here')
  })

  it('says "here" and "elsewhere" of no import for which the service names no dispensary', () => {
    for (const at of [null, new Date(2026, 10, 12, 10, 14), new Date(2026, 9, 2)]) {
      const said = words({ kind: 'imported-elsewhere', at: at?.toISOString() ?? null })
      expect(said).toContain('dispensary not named')
      expect(said).not.toMatch(/here|elsewhere/i)
    }
  })

  it('names the dispensary of the company that imported it', () => {
    expect(words({ kind: 'imported-by-company', at: null, dispensary: 'Green Door, Hoboken' })).toBe(
      'Imported by Green Door, Hoboken',
    )
  })

  it('shows why an import was refused', () => {
    const refused = operation({ kind: 'import', state: 'rejected', reason: { code: 'service/busy' } })
    expect(words({ kind: 'refused', operation: refused })).toBe('The service is too busy.')
  })

  it('counts the products if only some are imported', () => {
    expect(words({ kind: 'partly', imported: 1, total: 2 })).toBe('1 of 2 products imported')
  })
})

describe('the facts of a case', () => {
  it('say in words how many items are missing or too many', () => {
    const chip = (tagCount: number, requiredCount: number | null) => countChip({ tagCount, requiredCount })
    expect(say(chip(24, 24).text)).toBe('24 of 24 required')
    expect(say(chip(22, 24).text)).toBe('22 of 24 required, 2 short')
    expect(say(chip(25, 24).text)).toBe('25 of 24 required, 1 too many')
    expect(chip(22, 24).tone).toBe('attention')
    expect(say(chip(3, null).text)).toBe('3 items')
  })

  it('never call an expired certificate good', () => {
    expect(coaChip({ word: 'expired' }).tone).toBe('bad')
  })
})
