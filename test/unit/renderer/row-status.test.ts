import { describe, expect, it } from 'vitest'
import type { CaseState, CaseView, PackagedProductView } from '../../../src-shared/ipc/contract/receiving'
import { type StatusFacts, statusOf } from '../../../src-renderer/receiving/row-status'
import { loadTexts, say, write } from '../../../src-renderer/text/text.svelte'
import { caseView, operation, product } from './examples'

const now = new Date(2026, 10, 12, 15, 0)
const toImport: CaseState = { kind: 'to-import' }
const here: CaseState = { kind: 'imported-here', at: null, packageUid: null, operation: null }
const ofCompany: CaseState = { kind: 'imported-by-company', at: null, dispensary: 'Green Door, Hoboken' }
const refused: CaseState = {
  kind: 'refused',
  operation: operation({ kind: 'import', state: 'rejected', reason: { code: 'service/busy' } }),
}
const waiting: CaseState = { kind: 'pending', operation: operation({ kind: 'import', state: 'queued' }) }
const partly: CaseState = { kind: 'partly', imported: 1, total: 2 }

const expired = (one: PackagedProductView): PackagedProductView => ({
  ...one,
  coa: { ...one.coa, isExpired: true, word: 'expired' },
  heldBack: one.canImport ? 'coa' : null,
})
const withExpired = (...products: PackagedProductView[]): Partial<CaseView> => ({
  packagedProducts: products,
  worstCoa: { word: 'expired', count: products.filter(({ coa }) => coa.isExpired).length },
})
const single = (importState: Exclude<CaseState, { kind: 'partly' }>) => ({
  packagedProducts: [product(1, importState)],
})
const short = { tagCount: 10, requiredCount: 12 }

const facts = (importState: CaseState, view: Partial<CaseView> | null, fields: Partial<StatusFacts> = {}) => ({
  ...{ importState, view: view && caseView(1, view), error: null, isReading: false, lacks: null, isTicked: false },
  ...fields,
})

describe('the one status of a case', () => {
  it('is said in the language of the screen, also once that changes', async () => {
    const { text } = statusOf(facts(toImport, withExpired(expired(product(1, toImport)), product(2, toImport))), now)
    await loadTexts('es')
    expect(write('es', text.key, text.values)).toBe('Certificado vencido: 1 de 2 productos')
  })

  it.each<[string, StatusFacts, string]>([
    ['is being read', facts({ kind: 'unknown' }, null, { isReading: true }), 'working Looking it up…'],
    [
      'can’t be read',
      facts({ kind: 'unknown' }, null, { error: { code: 'service/busy' } }),
      'attention The service is too busy.',
    ],
    [
      'was refused, and its certificate expired',
      facts(refused, withExpired(expired(product(1, refused)))),
      'bad The service is too busy.',
    ],
    [
      'waits, and its certificate expired',
      facts(waiting, withExpired(expired(product(1, waiting)))),
      'waiting Waiting to be sent',
    ],
    [
      'is another dispensary’s, and short',
      facts(ofCompany, { ...single(ofCompany), ...short }),
      'attention Imported by Green Door, Hoboken',
    ],
    ['holds no product', facts(toImport, { packagedProducts: [] }), 'attention No items'],
    [
      'has an expired certificate, is short, and needs POS IDs',
      facts(toImport, { ...withExpired(expired(product(1))), ...short }, { lacks: 'ids' }),
      'bad Certificate expired',
    ],
    [
      'has one expired certificate of two',
      facts(toImport, withExpired(expired(product(1)), product(2))),
      'bad Certificate expired: 1 of 2 products',
    ],
    ['is short, and needs POS IDs', facts(toImport, short, { lacks: 'ids' }), 'attention 10 of 12 required, 2 short'],
    [
      'is partly imported, the rest with an expired certificate',
      facts(partly, withExpired(product(1, here), expired(product(2)))),
      'bad Certificate expired: 1 of 2 products',
    ],
    [
      'is partly imported',
      facts(partly, { packagedProducts: [product(1, here), product(2)] }),
      'attention 1 of 2 products imported',
    ],
    ['needs its package', facts(toImport, {}, { lacks: 'package' }), 'plain Needs a package'],
    ['needs POS IDs', facts(toImport, {}, { lacks: 'ids' }), 'plain Needs POS IDs'],
    ['is complete and selected', facts(toImport, {}, { isTicked: true }), 'plain Ready to import'],
    ['is complete and not selected', facts(toImport, {}), 'plain Not selected'],
    [
      'is imported with an expired certificate, and short',
      facts(here, { ...withExpired(expired(product(1, here))), ...short }),
      'good Imported here',
    ],
    ['is imported', facts(here, single(here)), 'good Imported here'],
    [
      'isn’t known now',
      facts({ kind: 'unknown' }, single({ kind: 'unknown' }), { lacks: 'ids' }),
      'attention Not known now',
    ],
  ])('if it %s', (_, given, expected) => {
    const { tone, text } = statusOf(given, now)
    expect(`${tone} ${say(text)}`).toBe(expected)
  })

  it('tells the person in the pane what a bad certificate comes to, before and after the case is selected', () => {
    const means = (isTicked: boolean) =>
      statusOf(facts(toImport, withExpired(expired(product(1))), { isTicked }), now).means
    expect([means(false), means(true)].map((text) => text && say(text))).toEqual([
      'Left out of the import. Select the case to import it anyway.',
      'Selected. Importing it asks for a reason.',
    ])
  })
})
