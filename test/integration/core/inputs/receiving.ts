import { photoPart } from '../../../../src-shared/ipc/contract/record'
import { type Walk, id, operationId } from './walk'

const otherId = '2NEpo7TZRRrLZSi2U2U2U2'
const pos = { packageUid: 'P', posProductId: 'A', posInventoryId: 'B' }
const form = { ...pos, caseId: id, packagedProductId: id }
const catalogueRow = { ...pos, line: 2, productName: null, sku: null }
const manifestRow = {
  ...{ line: 2, packageUid: 'P', productName: null, sku: null, posProductId: null },
  ...{ count: 24, lines: 1 },
}
const about = { receivedBy: 'Maya', shippedBy: null, driver: null, manifestNumber: null }
const photo = { caption: 'Torn seal', packageUid: null, caseId: null }
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
    good: [{ packageUid: 'unknown here', isMeant: true }],
    bad: [{ packageUid: ' ' }, { packageUid: 1 }, { packageUid: 'unknown here', isMeant: false }, {}],
  },
  'receiving.unreadCases': { good: [undefined], bad: [{}] },
  'receiving.forgetUnreadCase': {
    good: [{ scanned: 'A / B' }],
    bad: [{ scanned: '' }, { scanned: 'x'.repeat(501) }, {}],
  },
  'receiving.addCase': {
    good: [{ identifier: 'A / B' }],
    bad: [{ identifier: ' ' }, { identifier: 'x'.repeat(501) }, {}],
  },
  'receiving.refresh': { good: [undefined], bad: [1] },
  'receiving.dropPackage': { good: [{ packageUid: 'unknown here' }], bad: [{ packageUid: '' }, {}] },
  'receiving.dropCase': { good: [{ caseId: id }], bad: [{ caseId: operationId }, {}] },
  'receiving.reopenDelivery': { good: [{ deliveryId: operationId }], bad: [{ deliveryId: id }, {}] },
  'receiving.finishDelivery': {
    good: [{ deliveryId: operationId }, { deliveryId: operationId, about }],
    bad: [
      { deliveryId: id },
      { deliveryId: operationId, about: { ...about, driver: 'x'.repeat(81) } },
      { deliveryId: operationId, about: { ...about, receivedBy: 'broken \uD800 pair' } },
      { deliveryId: operationId, about: {} },
      {},
    ],
  },
  'receiving.finishing': { good: [{ deliveryId: operationId }], bad: [{ deliveryId: id }, {}] },
  'receiving.record': {
    good: [
      { deliveryId: operationId, version: null },
      { deliveryId: operationId, version: 7 },
    ],
    bad: [{ deliveryId: operationId }, { deliveryId: operationId, version: 0 }, { deliveryId: id, version: null }],
  },
  'receiving.correct': {
    good: [{ deliveryId: operationId, by: 'Maya', text: 'x', photoId: null }],
    bad: [
      { deliveryId: operationId, by: ' ', text: 'x', photoId: null },
      { deliveryId: operationId, by: 'Maya', text: ' ', photoId: null },
      { deliveryId: operationId, by: 'Maya', text: 'x'.repeat(1_001), photoId: null },
      { deliveryId: operationId, by: 'Maya', text: 'x', photoId: '../../x' },
      {},
    ],
  },
  'receiving.sendPhoto': {
    good: [{ photoId: operationId, start: 0, base64: 'AAAA' }],
    bad: [
      { photoId: operationId, start: -1, base64: 'AAAA' },
      { photoId: operationId, start: 0, base64: 'not base64!' },
      { photoId: operationId, start: 0, base64: '' },
      { photoId: operationId, start: 0, base64: 'A'.repeat(photoPart + 4) },
      { photoId: id, start: 0, base64: 'AAAA' },
    ],
  },
  'receiving.addPhoto': {
    good: [{ deliveryId: operationId, photoId: operationId, ...photo }],
    bad: [
      { deliveryId: operationId, photoId: operationId, ...photo, caption: 'x'.repeat(201) },
      { deliveryId: operationId, photoId: operationId, ...photo, caseId: operationId },
      {},
    ],
  },
  'receiving.describePhoto': {
    good: [{ photoId: operationId, ...photo, caseId: id }],
    bad: [{ photoId: operationId }, { photoId: operationId, ...photo, packageUid: ' ' }],
  },
  'receiving.removePhoto': { good: [{ photoId: operationId }], bad: [{ photoId: id }, {}] },
  'receiving.restorePhoto': { good: [{ photoId: operationId }], bad: [{ photoId: id }, {}] },
  'receiving.photos': { good: [undefined], bad: [{}] },
  'receiving.photo': { good: [{ photoId: operationId }], bad: [{ photoId: '../countertag' }, {}] },
  'receiving.undoDelivery': { good: [{ deliveryId: operationId }], bad: [{ deliveryId: id }, {}] },
  'receiving.deliveries': { good: [undefined, { text: ' x ' }], bad: [{}, { text: 'x'.repeat(201) }] },
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
  'receiving.manifest': { good: [undefined], bad: [{}] },
  'receiving.loadManifest': {
    good: [{ fileName: 'order.csv', start: 0, rows: [manifestRow], leftOut: 0, isLast: true }],
    bad: [
      { fileName: ' ', start: 0, rows: [], leftOut: 0, isLast: true },
      { fileName: 'order.csv', start: -1, rows: [], leftOut: 0, isLast: true },
      { fileName: 'order.csv', start: 0, rows: [{ ...manifestRow, packageUid: ' ' }], leftOut: 0, isLast: true },
      { fileName: 'order.csv', start: 0, rows: [{ ...manifestRow, count: 1.5 }], leftOut: 0, isLast: true },
      { fileName: 'order.csv', start: 0, rows: [manifestRow], isLast: true },
      {
        fileName: 'order.csv',
        start: 0,
        rows: Array.from({ length: 301 }, () => manifestRow),
        leftOut: 0,
        isLast: true,
      },
    ],
  },
  'receiving.removeManifest': { good: [{ manifestId: operationId }], bad: [{ manifestId: id }, {}] },
  'receiving.restoreManifest': { good: [{ manifestId: operationId }], bad: [{ manifestId: id }, {}] },
  'receiving.matchManifest': {
    good: [
      { manifestId: operationId, line: 2, productId: id },
      { manifestId: operationId, line: 2, productId: null },
    ],
    bad: [
      { manifestId: operationId, line: 0, productId: id },
      { manifestId: operationId, line: 2, productId: 'x' },
      { manifestId: operationId, line: 2 },
    ],
  },
  'receiving.openCount': { good: [undefined], bad: [{}] },
  'receiving.startCount': { good: [{ caseId: id }, { caseId: null }], bad: [{ caseId: 'x' }, {}] },
  'receiving.countTag': {
    good: [{ countId: operationId, tagId: id }],
    bad: [{ countId: id, tagId: id }, { countId: operationId, tagId: 'x' }, {}],
  },
  'receiving.uncountTag': { good: [{ countId: operationId, tagId: id }], bad: [{ countId: operationId }, {}] },
  'receiving.finishCount': { good: [{ countId: operationId }], bad: [{ countId: id }, {}] },
  'receiving.storeDeliveries': { good: [undefined], bad: [{}] },
  'receiving.deliveryNotices': { good: [undefined], bad: [{}] },
  'receiving.seeDeliveryNotice': { good: [{ id: 7 }], bad: [{ id: '7' }, {}] },
  'receiving.joinDelivery': { good: [{ deliveryId: operationId }], bad: [{ deliveryId: id }, {}] },
  'receiving.storeCounts': { good: [undefined], bad: [{}] },
  'receiving.joinCount': { good: [{ countId: operationId }], bad: [{ countId: id }, {}] },
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
  'receiving.takeOverSettling': {
    good: [{ countId: operationId, approval: { reason: 'The other station is off' } }],
    bad: [{ countId: id }, { countId: operationId, approval: { reason: 1 } }, {}],
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
