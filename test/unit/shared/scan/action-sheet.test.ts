import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawSheet, sheetFile } from '../../../../scripts/action-sheet/draw'
import { actionTexts } from '../../../../src-shared/scan/meaning'

/** That a reader reads it, printed, is shown in test/e2e/practice-sheet.spec.ts. */
describe('the printed action sheet', () => {
  it('is drawn from the table of actions, and drawn anew when that changes (npm run action-sheet)', () => {
    expect(readFileSync(join(import.meta.dirname, '../../../..', sheetFile), 'utf8')).toBe(drawSheet())
  })

  it('has a code of its own for every action, and its text in letters beside it', () => {
    const sheet = drawSheet()
    const codes = [...sheet.matchAll(/<path[^>]* d="([^"]+)"/g)].map(([, path]) => path)
    expect(new Set(codes).size).toBe(Object.keys(actionTexts).length)
    for (const text of Object.values(actionTexts)) expect(sheet).toContain(`>${text}<`)
  })
})
