import { describe, expect, it } from 'vitest'
import { outsideAddress } from '../../../src-renderer/ui/clean-html'
import { headChips, detailText, factText, labelEnding } from '../../../src-renderer/find/entity-text'
import { missingAtTop, sectionsOf } from '../../../src-renderer/find/sections'
import { testChip, testName } from '../../../src-renderer/find/coa-text'
import { language, say } from '../../../src-renderer/text/text.svelte'
import { Locale } from '../../../src-shared/ipc/contract/app'
import { FactName, type EntityLink, EntityView } from '../../../src-shared/ipc/contract/find'
import { testNames } from '../../../src-shared/service/coas'
import { caseThing, tagView } from './finding'

describe('words', () => {
  it('has a name for every fact, in every language', () => {
    for (const locale of Locale.options) {
      language.locale = locale
      for (const name of FactName.options) expect(say({ key: `find.fact.${name}` }).length).toBeGreaterThan(1)
    }
  })

  it('formats a fact by its type, and shows a value of another type unchanged', () => {
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

  it('shows an unknown test result as failed, and never hides it', () => {
    const chip = (result: string) => testChip({ name: 'heavy_metals_tests', result })
    expect(chip('pass')).toEqual({ tone: 'good', text: 'Heavy metals: pass' })
    expect(chip('not_tested')).toEqual({ tone: 'plain', text: 'Heavy metals: not tested' })
    for (const result of ['fail', 'PASS', 'inconclusive', '']) {
      expect(chip(result)).toEqual({ tone: 'bad', text: `Heavy metals: ${result}` })
    }
    expect(testName('new_kind_of_tests')).toBe('new kind of tests')
    for (const name of testNames) expect(testName(name), name).not.toBe(name.replaceAll('_', ' '))
  })
})

describe('addresses outside the app', () => {
  it('must be https, without a user name before the host', () => {
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
    // An address that looks like another host is shown with its real host.
    expect(outsideAddress('https://tаg.example/')?.host).toMatch(/^xn--/)
  })

  it('distinguishes things with the same name by the end of their code, unless the row shows an identifier', () => {
    const ending = (one: Partial<EntityLink>) =>
      labelEnding({ kind: 'collection', id: 'XUE3ZUVASCi3bUKjbNTXd7', name: 'Case', detail: null, ...one })
    expect([ending({}), ending({ detail: 'case' }), ending({ kind: 'tag' })]).toEqual(['…bNTXd7', '…bNTXd7', '…bNTXd7'])
    expect(ending({ detail: 'HF 2026/0417' })).toBeNull()
    expect([ending({ name: null }), ending({ kind: 'product' }), ending({ kind: 'package' })]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('shows at the top of a thing what is wrong with it, and nothing if all is well', () => {
    const chips = (view: object) => headChips(EntityView.parse(view)).map(({ tone, text }) => `${tone}: ${say(text)}`)
    const coa = (word: string) => ({
      link: { kind: 'coa', id: 'x', name: null, detail: null },
      verdict: 'passed',
      word,
      isExpired: word === 'expired',
      expiresOn: null,
    })
    const required = (value: string) => ({ facts: [{ name: 'required-count', value, form: 'count' }] })
    expect(chips({ ...tagView(1), coas: [coa('passed')] })).toEqual([])
    expect(chips({ ...caseThing(), ...required('1') })).toEqual([])
    expect(chips({ ...tagView(1), sale: { orderId: null, at: null, by: 'service' } })).toEqual(['plain: Sold'])
    expect(chips({ ...caseThing(), isRemoved: true, ...required('3'), coas: [coa('failed'), coa('failed')] })).toEqual([
      'attention: Removed',
      expect.stringMatching(/^attention: .*1.*3/),
      expect.stringMatching(/^bad: /),
    ])
    expect(chips({ ...tagView(1), coas: [coa('expired'), coa('failed')] })).toHaveLength(2)
  })
})

describe('the sections of a thing', () => {
  const parts = [
    'catalogue',
    'product',
    'batch',
    'coas',
    'collections',
    'removed-collections',
    'sale',
    'case',
    'members',
  ]
  const missing = parts.map((part) => ({ part, reason: { code: 'service/unreachable' } }))
  const viewed = (view: object) => EntityView.parse({ ...view, missing })

  it.each([
    ['an item', tagView(1), ['product', 'sale', 'coas', 'holders', 'past-holders'], ['catalogue', 'case', 'members']],
    [
      'a case',
      caseThing(),
      ['packaged', 'items', 'coas'],
      ['catalogue', 'batch', 'collections', 'removed-collections', 'sale', 'case'],
    ],
  ])('of %s name what could not be read; the rest is named at its top', (_, view, names, top) => {
    const shown = viewed(view)
    expect(sectionsOf(shown).map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    expect(missingAtTop(shown).map(({ part }) => part)).toEqual(top)
  })
})
