import { describe, expect, it } from 'vitest'
import { Action, Place, actionOf, actionTexts } from '../../../../src-shared/scan/meaning'
import { classify } from '../../../../src-shared/scan/classify'
import { KnownPrefixes } from '../../../../src-shared/scan/known'

describe('an action barcode', () => {
  it.each(Action.options)("%s triggers that action everywhere, whatever the station's settings are", (action) => {
    const text = actionTexts[action]
    const greedy = KnownPrefixes.parse({
      tagPrefixes: ['CT:'],
      casePrefixes: ['CT:'],
      scanPrefixes: { order: 'CT:', badge: 'C' },
    })
    for (const place of Place.options) {
      for (const scanned of [text, text.toLowerCase(), `]Q1${text}`, ` ${text}\r\n`]) {
        expect(classify(scanned, place, { known: greedy })).toEqual({ kind: 'action', action })
      }
      expect(classify(text, place, { symbology: ']C1' })).toEqual({ kind: 'action', action })
    }
  })

  it('has a text that no other reading accepts', () => {
    const texts = Object.values(actionTexts)
    expect(new Set(texts).size).toBe(Action.options.length)
    for (const text of texts) {
      // A small QR code can encode these characters. Ids, tags and numbers contain no colon, and addresses begin
      // differently.
      expect(text).toMatch(/^CT:[A-Z]+$/)
      for (const near of [`${text}X`, text.slice(0, -1), text.replace(':', ''), text.slice(3)]) {
        expect(classify(near, 'checkout')).toMatchObject({ kind: 'unknown' })
      }
    }
  })

  it.each(['', 'CT:', 'CT:NOTHING', 'constructor', 'CT:COMPLETE CT:COMPLETE'])('is not read from %j', (text) => {
    expect(actionOf(text)).toBeUndefined()
  })
})
