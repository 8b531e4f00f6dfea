import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawSheet, sheetFile } from '../../../../scripts/action-sheet/draw'
import { actionTexts } from '../../../../src-shared/scan/meaning'

/** test/e2e/practice-sheet.spec.ts shows that a reader can read the printed sheet. */
describe('the printed action sheet', () => {
  it('is generated from the table of actions, and must be generated again after a change (npm run action-sheet)', () => {
    expect(readFileSync(join(import.meta.dirname, '../../../..', sheetFile), 'utf8')).toBe(drawSheet())
  })

  it('has a separate code for every action, with its text printed beside it', () => {
    const sheet = drawSheet()
    const codes = [...sheet.matchAll(/<path[^>]* d="([^"]+)"/g)].map(([, path]) => path)
    expect(new Set(codes).size).toBe(Object.keys(actionTexts).length)
    for (const text of Object.values(actionTexts)) expect(sheet).toContain(`>${text}<`)
  })
})
