import { describe, expect, it } from 'vitest'
import { classify } from '../../../../src-shared/scan/classify'
import type { Meaning } from '../../../../src-shared/scan/meaning'
import { WedgeSettings } from '../../../../src-shared/scan/timing'
import { Wedge } from '../../../../src-shared/scan/wedge'
import { play, steadily } from '../../../fakes/key-traces/play'
import fixture from '../../../fixtures/field/scans.json'

/** What each code of the fixture means, in its order. */
const meanings: Partial<Meaning>[] = [
  { kind: 'unknown', reason: 'several' },
  { kind: 'unknown', reason: 'several' },
  { kind: 'gs1', gtin: '00012345600012', batch: null },
  { kind: 'gs1', gtin: '00012345600012', batch: 'ABC123' },
  { kind: 'gs1', gtin: null, batch: null, serial: null },
]

describe('codes from the field', () => {
  it.each(fixture.map((code, at) => ({ ...code, meaning: meanings[at] })))('$kind: $text', ({ text, by, meaning }) => {
    const capsLock = by.includes('Caps Lock')
    const [typed] = play(new Wedge(WedgeSettings.parse({})), steadily(`${text}\n`, { capsLock })).scans
    expect(classify(typed?.text ?? '', 'receiving')).toMatchObject(meaning ?? {})
    expect(classify(text, 'receiving')).toMatchObject(meaning ?? {})
  })
})
