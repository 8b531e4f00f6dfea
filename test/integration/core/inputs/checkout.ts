import { type Walk, id, operationId } from './walk'

const span = { from: '2026-11-21T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' }

/** The counter and the outbox. */
export const checkoutInputs: Walk<'checkout' | 'outbox' | 'store'> = {
  'checkout.cart': { good: [{ mode: 'sale' }, { mode: 'return' }], bad: [{ mode: 'gift' }, {}] },
  'checkout.setOrder': {
    good: [
      { mode: 'sale', orderId: 'Nº 10/482 🌿' },
      { mode: 'sale', orderId: null },
    ],
    bad: [{ mode: 'sale', orderId: ' ' }, { mode: 'sale', orderId: 'x'.repeat(200) }, { mode: 'sale' }],
  },
  'checkout.addItem': {
    good: [{ mode: 'sale', tagId: id }],
    bad: [
      { mode: 'sale', tagId: 'z'.repeat(22) },
      { mode: 'sale', tagId: operationId },
    ],
  },
  'checkout.removeItem': { good: [{ mode: 'sale', tagId: id }], bad: [{ mode: 'sale', tagId: '' }] },
  'checkout.clear': { good: [{ mode: 'return', revision: 0 }], bad: [{ mode: 'return' }, { revision: 0 }] },
  'checkout.finish': {
    good: [
      { mode: 'sale', orderId: '1', itemCount: 0, revision: 0 },
      { mode: 'sale', orderId: null, itemCount: 7, revision: 2 ** 47, isMeant: true },
    ],
    bad: [
      { mode: null, orderId: '1', itemCount: 1, revision: 0 },
      { mode: 'sale', orderId: '1', itemCount: -1, revision: 0 },
      { mode: 'sale', orderId: '1', itemCount: 1 },
      { mode: 'sale' },
    ],
  },
  'checkout.setBudtender': {
    good: [
      { mode: 'sale', budtenderId: 'BADGE 7' },
      { mode: 'return', budtenderId: null },
    ],
    bad: [{ mode: 'sale', budtenderId: ' ' }, { mode: 'sale', budtenderId: 'x'.repeat(101) }, { mode: 'sale' }],
  },
  'checkout.setCustomer': {
    good: [
      { mode: 'sale', customerId: 'CUSTOMER-1' },
      { mode: 'sale', customerId: null },
    ],
    bad: [{ mode: 'sale', customerId: '' }, { mode: 'sale', customerId: 7 }, { mode: 'sale' }],
  },
  'checkout.setExpected': {
    good: [
      { mode: 'sale', key: 'unknown', expected: 2 },
      { mode: 'sale', key: 'unknown', expected: null },
    ],
    bad: [
      { mode: 'sale', key: 'unknown', expected: 0 },
      { mode: 'sale', key: 'unknown', expected: 1.5 },
      { mode: 'sale', key: 'x'.repeat(101), expected: 1 },
    ],
  },
  'checkout.hold': { good: [{ revision: 0 }], bad: [{}, undefined, { revision: -1 }] },
  'checkout.held': { good: [undefined], bad: [1] },
  'checkout.reports': { good: [undefined], bad: [1] },
  'checkout.seen': {
    good: [{ operationIds: [operationId] }, { operationIds: [] }],
    bad: [{ operationIds: ['x'] }, {}, { operationIds: Array.from({ length: 501 }, () => operationId) }],
  },
  'checkout.seenAll': { good: [{ revision: 0 }], bad: [{}, { revision: -1 }, { revision: 'x' }] },
  'checkout.resume': { good: [{ heldId: 1 }], bad: [{ heldId: 0 }, { heldId: '1' }, {}] },
  'checkout.dropHeld': { good: [{ heldId: 1 }], bad: [{ heldId: -1 }, {}] },
  'checkout.settings': { good: [undefined], bad: [{}] },
  'checkout.usePreset': { good: [{ preset: 'strict' }], bad: [{ preset: 'custom' }, {}] },
  'checkout.setSettings': {
    good: [{}, { takesUnchecked: true, requiresBudtender: false, budtenders: [{ id: 'B-1', name: 'Rosa' }] }],
    bad: [
      { takesUnchecked: 'yes' },
      { budtenders: [{ id: '', name: 'Rosa' }] },
      { budtenders: Array.from({ length: 201 }, (_, n) => ({ id: String(n), name: 'x' })) },
      undefined,
    ],
  },
  'checkout.amend': {
    good: [{ operationId, without: [id], reason: 'Stayed in the store' }],
    bad: [
      { operationId, without: [id] },
      { operationId, without: [id], reason: ' ' },
      { operationId, without: [], reason: 'x' },
      { operationId, without: ['x'], reason: 'x' },
      { operationId: id, without: [id], reason: 'x' },
    ],
  },
  'checkout.amendMany': {
    good: [{ operationIds: [operationId, operationId], without: [id], reason: 'Stayed in the store' }],
    bad: [
      { operationIds: [], without: [id], reason: 'x' },
      { operationIds: [operationId], without: [], reason: 'x' },
      { operationIds: [operationId], without: [id], reason: ' ' },
      { operationIds: [id], without: [id], reason: 'x' },
    ],
  },
  'checkout.orderOfItem': { good: [{ tagId: id }], bad: [{ tagId: '' }, {}] },
  'checkout.orders': {
    good: [
      { filter: { days: null, state: null, budtenderId: null, text: '' }, before: null },
      {
        filter: { days: { from: '2026-11-15', to: '2026-11-21' }, state: 'unsent', budtenderId: 'B-1', text: '%' },
        before: 7,
      },
    ],
    bad: [
      {
        filter: { days: { from: '21.11.2026', to: '21.11.2026' }, state: null, budtenderId: null, text: '' },
        before: null,
      },
      { filter: { days: { from: '2026-11-21' }, state: null, budtenderId: null, text: '' }, before: null },
      { filter: { days: null, state: 'lost', budtenderId: null, text: '' }, before: null },
      { filter: { days: null, state: null, budtenderId: null, text: 'x'.repeat(201) }, before: null },
      { filter: { days: null, state: null, budtenderId: null, text: '' }, before: 0 },
    ],
  },
  'checkout.day': { good: [{ day: '2026-11-21' }], bad: [{ day: 'today' }, { day: '2026-02-30' }, {}] },
  'checkout.exportDay': { good: [{ day: '2026-11-21' }], bad: [{ day: '' }, {}] },
  'checkout.storeDay': { good: [{ day: '2026-11-21' }], bad: [{ day: 'today' }, {}] },
  'checkout.exportStoreDay': { good: [{ day: '2026-11-21' }], bad: [{ day: '' }, {}] },
  'checkout.closeStoreDay': {
    good: [{ day: '2026-11-21', mark: '', name: 'Maya' }],
    bad: [
      { day: '2026-11-21', name: 'Maya' },
      { day: '2026-11-21', mark: '', name: ' ' },
      { day: '', mark: '', name: 'Maya' },
      { day: '2026-11-21', mark: 'x'.repeat(101), name: 'Maya' },
    ],
  },
  'checkout.signDay': {
    good: [{ day: '2026-11-21', mark: 'old', name: 'Maya' }],
    bad: [
      { day: '2026-11-21', mark: '' },
      { day: '2026-11-21', mark: '', name: '' },
      { day: 'today', mark: '', name: 'Maya' },
    ],
  },
  'checkout.verifyDay': { good: [{ day: '2026-11-21' }], bad: [{ day: '21.11.2026' }, {}] },
  'checkout.stopVerifying': { good: [undefined], bad: [{}] },
  'outbox.export': { good: [undefined], bad: [{}] },
  'checkout.reopen': { good: [{ operationId }], bad: [{ operationId: id }, {}] },
  'checkout.order': { good: [{ orderId: '1' }], bad: [{ orderId: '' }, {}] },
  'checkout.void': {
    good: [{ orderId: 'unknown here', approval: { reason: 'Test' } }],
    bad: [{ orderId: '' }, { orderId: 1 }, { orderId: '1', approval: { reason: 1 } }],
  },
  'outbox.list': {
    good: [{ show: 'waiting' }, { show: 'attention' }, { show: 'recent' }],
    bad: [{ show: 'all' }, undefined],
  },
  'outbox.outages': {
    good: [span],
    bad: [
      { from: span.to, to: span.from },
      { from: span.from, to: span.from },
      { from: '2026-11-21', to: span.to },
      { from: '2020-01-01T00:00:00.000Z', to: span.to },
      {},
    ],
  },
  'outbox.outage': {
    good: [{ id: 1, after: 0 }],
    bad: [{ id: 1, after: -1 }, { id: 1.5, after: 0 }, { id: 'x', after: 0 }, {}],
  },
  'outbox.exportOutages': { good: [span], bad: [{ from: span.to, to: span.from }, undefined] },
  'outbox.journal': { good: [{ operationId }], bad: [{ operationId: id }, {}] },
  'outbox.limits': { good: [undefined], bad: [{}] },
  'outbox.setLimits': {
    good: [
      { count: 1, hours: 1 },
      { count: 500, hours: 12 },
    ],
    bad: [{ count: 0, hours: 1 }, { count: 1 }, { count: 1.5, hours: 1 }, { count: 1, hours: 1e9 }],
  },
  'store.acknowledgeSalvage': { good: [undefined], bad: [{}] },
  'store.backUp': { good: [undefined], bad: [{}] },
  'outbox.retry': { good: [{ operationId }], bad: [{ operationId: id }] },
  'outbox.date': {
    good: [{ operationId, performedAt: '2026-11-21T14:00:00Z' }],
    bad: [
      { operationId },
      { operationId, performedAt: 'yesterday' },
      { operationId: id, performedAt: '2026-11-21T14:00:00Z' },
    ],
  },
  'outbox.withdraw': { good: [{ operationId }], bad: [{ operationId: id }, {}] },
  'outbox.confirm': {
    good: [{ operationId }, { operationId, reason: 'seen in the service' }],
    bad: [{ operationId: id }, { operationId, reason: 'x'.repeat(501) }],
  },
  'outbox.dismiss': {
    good: [{ operationId, reason: 'rung up twice' }],
    bad: [{ operationId, reason: ' ' }, { operationId }],
  },
  'outbox.overview': { good: [undefined], bad: [{}] },
  'outbox.retryMany': {
    good: [{ operationIds: [operationId] }],
    bad: [
      { operationIds: [] },
      { operationIds: [id] },
      { operationIds: Array.from({ length: 1_001 }, () => operationId) },
    ],
  },
  'outbox.dismissMany': {
    good: [{ operationIds: [operationId, operationId], reason: 'counted wrong' }],
    bad: [
      { operationIds: [operationId], reason: ' ' },
      { operationIds: [], reason: 'counted wrong' },
    ],
  },
  'outbox.sendNow': { good: [undefined], bad: [[]] },
}
