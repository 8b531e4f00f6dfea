import { type Walk, id, operationId } from './walk'

const otherId = '2NEpo7TZRRrLZSi2U2U2U2'
const pos = { packageUid: 'P', posProductId: 'A', posInventoryId: 'B' }
const form = { ...pos, caseId: id, packagedProductId: id }
const catalogueRow = { ...pos, line: 2, productName: null, sku: null }
const anything = { from: null, to: null, text: '' }

/** Receiving, and changes to collections. */
export const receivingInputs: Walk<'receiving' | 'collection'> = {
  'receiving.package': {
    good: [{ packageUid: 'P' }],
    bad: [{ packageUid: '' }, { packageUid: '  ' }, { packageUid: 'x'.repeat(101) }, {}],
  },
  'receiving.case': {
    good: [{ identifier: 'A / B' }],
    bad: [{ identifier: '' }, { identifier: 'x'.repeat(501) }, null],
  },
  'receiving.import': {
    good: [form, { ...form, sku: 'S' }],
    bad: [
      { ...form, caseId: 'zzz' },
      { ...form, posProductId: ' ' },
      { ...form, packageUid: 7 },
      { ...form, sku: 'x'.repeat(101) },
      {},
    ],
  },
  'receiving.importBlind': {
    good: [{ ...pos, scanned: 'GREEN-1' }],
    bad: [{ ...pos, scanned: ' ' }, { ...pos, scanned: 'x'.repeat(501) }, { scanned: 'GREEN-1' }, undefined],
  },
  'receiving.importMany': {
    good: [{ imports: [form, { ...form, packagedProductId: otherId }] }],
    bad: [
      { imports: [] },
      { imports: [form, { ...form, posInventoryId: '' }] },
      { imports: Array.from({ length: 501 }, () => form) },
      {},
    ],
  },
  'receiving.undo': { good: [{ operationId }], bad: [{ operationId: 'x' }, {}] },
  'receiving.delivery': { good: [undefined], bad: [{}] },
  'receiving.addPackage': {
    good: [{ packageUid: 'unknown here' }],
    bad: [{ packageUid: ' ' }, { packageUid: 1 }, {}],
  },
  'receiving.addCase': {
    good: [{ identifier: 'A / B' }],
    bad: [{ identifier: ' ' }, { identifier: 'x'.repeat(501) }, {}],
  },
  'receiving.refresh': { good: [undefined], bad: [1] },
  'receiving.dropPackage': { good: [{ packageUid: 'unknown here' }], bad: [{ packageUid: '' }, {}] },
  'receiving.dropCase': { good: [{ caseId: id }], bad: [{ caseId: operationId }, {}] },
  'receiving.reopenDelivery': { good: [{ deliveryId: operationId }], bad: [{ deliveryId: id }, {}] },
  'receiving.finishDelivery': { good: [{ deliveryId: operationId }], bad: [{ deliveryId: id }, {}] },
  'receiving.undoDelivery': { good: [{ deliveryId: operationId }], bad: [{ deliveryId: id }, {}] },
  'receiving.deliveries': { good: [undefined], bad: [{}] },
  'receiving.report': { good: [{ deliveryId: operationId }], bad: [{ deliveryId: id }, {}] },
  'receiving.prefills': {
    good: [{ pairs: [{ productId: id, packageUid: 'P' }] }, { pairs: [] }],
    bad: [{ pairs: [{ productId: id }] }, { pairs: [{ productId: 'x', packageUid: 'P' }] }, {}],
  },
  'receiving.catalogue': { good: [undefined], bad: [{}] },
  'receiving.loadCatalogue': {
    good: [{ fileName: 'stock.csv', start: 0, rows: [catalogueRow], isLast: true }],
    bad: [
      { fileName: ' ', start: 0, rows: [], isLast: true },
      { fileName: 'stock.csv', start: -1, rows: [], isLast: true },
      { fileName: 'stock.csv', start: 0, rows: [{ ...catalogueRow, posProductId: '' }], isLast: true },
      { fileName: 'stock.csv', start: 0, rows: Array.from({ length: 301 }, () => catalogueRow), isLast: true },
    ],
  },
  'receiving.forgetCatalogue': { good: [undefined], bad: [{}] },
  'receiving.openCount': { good: [undefined], bad: [{}] },
  'receiving.startCount': { good: [{ caseId: id }, { caseId: null }], bad: [{ caseId: 'x' }, {}] },
  'receiving.countTag': {
    good: [{ countId: operationId, tagId: id }],
    bad: [{ countId: id, tagId: id }, { countId: operationId, tagId: 'x' }, {}],
  },
  'receiving.uncountTag': { good: [{ countId: operationId, tagId: id }], bad: [{ countId: operationId }, {}] },
  'receiving.finishCount': { good: [{ countId: operationId }], bad: [{ countId: id }, {}] },
  'receiving.reopenCount': { good: [{ countId: operationId }], bad: [{ countId: id }, {}] },
  'receiving.countDetail': { good: [{ countId: operationId }], bad: [{ countId: id }, {}] },
  'receiving.resolve': {
    good: [{ countId: operationId, changes: [{ caseId: id, tagIds: [id] }], how: 'remove' }],
    bad: [
      { countId: operationId, changes: [], how: 'remove' },
      { countId: operationId, changes: [{ caseId: id, tagIds: [] }], how: 'remove' },
      { countId: operationId, changes: [{ caseId: id, tagIds: [id] }], how: 'burn' },
      { countId: operationId, changes: [{ caseId: id, tagIds: Array.from({ length: 501 }, () => id) }], how: 'add' },
    ],
  },
  'collection.remove': { good: [{ collectionId: id }], bad: [{ collectionId: 'x' }, {}] },
  'collection.restore': { good: [{ collectionId: id }], bad: [{ collectionId: 'x' }, {}] },
  'collection.removeItem': { good: [{ collectionId: id, tagId: id }], bad: [{ collectionId: id }, { tagId: id }] },
  'collection.restoreItem': { good: [{ collectionId: id, tagId: id }], bad: [{ collectionId: id }, { tagId: id }] },
  'collection.addItems': {
    good: [{ caseId: id, tagIds: [id] }],
    bad: [
      { caseId: id, tagIds: [] },
      { caseId: id, tagIds: Array.from({ length: 501 }, () => id) },
    ],
  },
  'collection.addCase': {
    good: [
      { regulatorIdentifier: '1A40', caseId: id, packagedProductId: null },
      { regulatorIdentifier: '1A40', caseId: id, packagedProductId: id },
    ],
    bad: [
      { regulatorIdentifier: ' ', caseId: id, packagedProductId: null },
      { regulatorIdentifier: '1A40', caseId: id },
    ],
  },
  'receiving.exportCount': { good: [{ countId: operationId }], bad: [{ countId: id }, {}] },
  'receiving.history': {
    good: [
      { filter: anything, before: null },
      { filter: { from: '2026-11-01', to: '2026-11-02', text: '1A40' }, before: 7 },
    ],
    bad: [
      { filter: { ...anything, from: '1 November' }, before: null },
      { filter: { ...anything, text: 'x'.repeat(201) }, before: null },
      { filter: anything, before: 0 },
      { filter: anything },
      {},
    ],
  },
  'receiving.exportHistory': {
    good: [{ filter: anything }],
    bad: [{ filter: { ...anything, to: '2026-02-30' } }, {}],
  },
}
