import { type Walk, id, operationId } from './walk'

const ofCount = { good: [{ countId: operationId }], bad: [{ countId: id }, {}, undefined] }
const explained = { countId: operationId, which: { tagIds: [id] }, reason: 'damaged' as const }

/** Counts of the shelf. */
export const stockInputs: Walk<'stock'> = {
  'stock.ledger': { good: [undefined], bad: [{}] },
  'stock.refresh': { good: [undefined], bad: [1] },
  'stock.stopRefresh': { good: [undefined], bad: [1] },
  'stock.choices': { good: [{ text: '' }, { text: 'Blue' }], bad: [{ text: 'x'.repeat(201) }, { text: 7 }, {}] },
  'stock.open': { good: [undefined], bad: [{}] },
  'stock.count': ofCount,
  'stock.start': {
    good: [
      { scope: { kind: 'all' } },
      { scope: { kind: 'product', productId: id } },
      { scope: { kind: 'brand', brandName: 'Hudson' } },
      { scope: { kind: 'case', caseId: id } },
      { scope: { kind: 'sample', products: 50 } },
    ],
    bad: [
      { scope: { kind: 'shelf' } },
      { scope: { kind: 'product', productId: 'x' } },
      { scope: { kind: 'product' } },
      { scope: { kind: 'brand', brandName: ' ' } },
      { scope: { kind: 'brand', brandName: 'x'.repeat(301) } },
      { scope: { kind: 'case', caseId: operationId } },
      { scope: { kind: 'sample', products: 0 } },
      { scope: { kind: 'sample', products: 51 } },
      { scope: { kind: 'sample', products: 1.5 } },
      {},
    ],
  },
  'stock.storeCounts': { good: [undefined], bad: [{}] },
  'stock.join': ofCount,
  'stock.behind': ofCount,
  'stock.late': {
    good: [
      { countId: operationId, after: null },
      { countId: operationId, after: id },
    ],
    bad: [{ countId: operationId }, { countId: operationId, after: 1 }, {}],
  },
  'stock.scan': {
    good: [{ countId: operationId, tagId: id }],
    bad: [{ countId: id, tagId: id }, { countId: operationId, tagId: 'garbage' }, { countId: operationId }, {}],
  },
  'stock.unscan': {
    good: [{ countId: operationId, tagId: id }],
    bad: [{ countId: id, tagId: id }, { countId: operationId, tagId: '' }, {}],
  },
  'stock.recent': ofCount,
  'stock.pause': ofCount,
  'stock.resume': ofCount,
  'stock.finish': ofCount,
  'stock.drop': ofCount,
  'stock.recount': ofCount,
  'stock.products': ofCount,
  'stock.differences': {
    good: [
      { countId: operationId, filter: {}, after: null },
      { countId: operationId, filter: { result: 'missing', productId: null, isOpen: true }, after: 7 },
      { countId: operationId, filter: { why: 'sold', productId: id }, after: null },
    ],
    bad: [
      { countId: operationId, filter: {} },
      { countId: operationId, filter: { result: 'found' }, after: null },
      { countId: operationId, filter: { why: 'stolen' }, after: null },
      { countId: operationId, filter: { isOpen: false }, after: null },
      { countId: operationId, filter: {}, after: -1 },
      { countId: id, filter: {}, after: null },
    ],
  },
  'stock.explain': {
    good: [
      explained,
      { ...explained, which: { filter: { result: 'missing' } }, reason: 'other', text: 'Fell behind the fridge' },
      { ...explained, reason: null },
    ],
    bad: [
      { ...explained, reason: 'burned' },
      { ...explained, which: { tagIds: [] } },
      { ...explained, which: { tagIds: Array.from({ length: 501 }, () => id) } },
      { ...explained, which: { tagIds: [id], filter: {} } },
      { ...explained, which: {} },
      { ...explained, text: 'x'.repeat(301) },
      {},
    ],
  },
  'stock.sign': {
    good: [{ countId: operationId, revision: 0 }],
    bad: [
      { countId: operationId },
      { countId: operationId, revision: -1 },
      { countId: id, revision: 0 },
      { countId: operationId, revision: 0, approval: { reason: 'x'.repeat(301) } },
    ],
  },
  'stock.export': {
    good: [{ countId: operationId, after: null }],
    bad: [{ countId: operationId }, { countId: operationId, after: 1.5 }, { countId: id, after: null }, {}],
  },
  'stock.history': { good: [{ before: null }, { before: 1 }], bad: [{ before: 0 }, { before: 'x' }, {}] },
}
