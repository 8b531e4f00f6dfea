import '../../../src-renderer/messages/later'
import { describe, expect, it } from 'vitest'
import { outsideAddress } from '../../../src-renderer/design/outside'
import { detailText, factText } from '../../../src-renderer/find/thing-text'
import { testChip, testName } from '../../../src-renderer/find/things/coa-text'
import { language, say } from '../../../src-renderer/messages/text.svelte'
import { Locale } from '../../../src-shared/ipc/app-view'
import { FactName } from '../../../src-shared/ipc/find-view'

describe('words', () => {
  it('has a name for every fact, in every language', () => {
    for (const locale of Locale.options) {
      language.locale = locale
      for (const name of FactName.options) expect(say({ key: `find.fact.${name}` }).length).toBeGreaterThan(1)
    }
  })

  it('writes a fact by its form, and what does not have that form as it is', () => {
    const text = (form: Parameters<typeof factText>[0]['form'], value: string) =>
      factText({ name: 'state', form, value })
    expect(text('day', '2026-03-01')).toBe('Mar 1, 2026')
    expect(text('count', '12000')).toBe('12,000')
    expect([text('yes-no', 'yes'), text('yes-no', 'no'), text('yes-no', 'perhaps')]).toEqual(['Yes', 'No', 'perhaps'])
    expect([text('day', 'soon'), text('instant', 'soon'), text('count', 'many')]).toEqual(['soon', 'soon', 'many'])
    expect(factText({ name: 'type', form: 'text', value: 'case' })).toBe('Case')
    expect(detailText({ kind: 'collection', id: 'x', name: null, detail: 'origin' })).toBe('Origin')
    expect(detailText({ kind: 'coa', id: 'x', name: null, detail: '2026-03-01' })).toBe('Mar 1, 2026')
  })

  it('refuses a result of a test that it does not know, and never hides it', () => {
    const chip = (result: string) => testChip({ name: 'heavy_metals_tests', result })
    expect(chip('pass')).toEqual({ tone: 'good', text: 'Heavy metals: pass' })
    expect(chip('not_tested')).toEqual({ tone: 'plain', text: 'Heavy metals: not tested' })
    for (const result of ['fail', 'PASS', 'inconclusive', '']) {
      expect(chip(result)).toEqual({ tone: 'bad', text: `Heavy metals: ${result}` })
    }
    expect(testName('new_kind_of_tests')).toBe('new kind of tests')
  })
})

describe('addresses outside the app', () => {
  it('are https, without a name before the host', () => {
    const bad = [
      'http://laboratory.example/',
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://tag.example@laboratory.example/',
      'https://a:b@laboratory.example/',
      '//laboratory.example/',
      '/report',
      'report.pdf',
      'https://',
      '',
    ]
    expect(bad.filter((text) => outsideAddress(text) !== null)).toEqual([])
    expect(outsideAddress('https://laboratory.example/reports/HF-BD-35')?.host).toBe('laboratory.example')
    // What looks like another host is named as it is.
    expect(outsideAddress('https://tаg.example/')?.host).toMatch(/^xn--/)
  })
})
