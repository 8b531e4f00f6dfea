import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Answer } from '../../../src-shared/ipc/client'
import { type CallInput, type CallName, callNames, callTable } from '../../../src-shared/ipc/contract'
import { type App, compose } from '../../../src-main/compose'
import { type Dispatch, createDispatch } from '../../../src-main/ipc/dispatch'
import { type Station, startStation } from './station'

const id = 'VaVSFGDiox2pHf8GmQmTfG'
const operationId = '9af49740-96f5-40ee-9e25-02420ae59635'
const form = { caseId: id, packagedProductId: id, packageUid: 'P', posProductId: 'A', posInventoryId: 'B' }

/** For each call of the contract inputs that it takes and inputs that it must refuse. A new call doesn't compile without. */
const walk: { [Name in CallName]: { good: CallInput<Name>[]; bad: unknown[] } } = {
  'app.status': { good: [undefined], bad: [{}, 1] },
  'app.setLocale': { good: [{ locale: 'es' }, { locale: 'en' }], bad: [{ locale: 'xx' }, { locale: 1 }, undefined] },
  'scanner.setPlace': { good: [{ place: 'checkout' }], bad: [{ place: 'kitchen' }, {}] },
  'scanner.submit': {
    good: [
      { text: id, source: 'typed' },
      { text: '', source: 'wedge' },
    ],
    bad: [
      { text: 'x'.repeat(2_001), source: 'wedge' },
      { text: 1, source: 'wedge' },
      { text: id, source: 'radio' },
    ],
  },
  'scanner.scanners': { good: [undefined], bad: [{}] },
  'scanner.look': { good: [undefined], bad: [1] },
  'scanner.settings': { good: [undefined], bad: ['all'] },
  'scanner.setSettings': {
    good: [{}, { prefixes: { order: 'O-' }, wedge: { timing: { longestGap: 300 } }, sound: { isMuted: true } }],
    bad: [
      { wedge: { timing: { longestGap: 5 } } },
      { prefixes: { order: 'x'.repeat(21) } },
      { sound: { volume: 101 } },
      undefined,
    ],
  },
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
  'receiving.undo': { good: [{ operationId }], bad: [{ operationId: 'x' }, {}] },
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
  'checkout.clear': { good: [{ mode: 'return' }], bad: [{}] },
  'checkout.finish': {
    good: [
      { mode: 'sale', orderId: '1', itemCount: 0 },
      { mode: 'sale', orderId: null, itemCount: 7 },
    ],
    bad: [{ mode: null, orderId: '1', itemCount: 1 }, { mode: 'sale', orderId: '1', itemCount: -1 }, { mode: 'sale' }],
  },
  'checkout.reopen': { good: [{ operationId }], bad: [{ operationId: id }, {}] },
  'checkout.order': { good: [{ orderId: '1' }], bad: [{ orderId: '' }, {}] },
  'checkout.void': { good: [{ orderId: 'nobody knows it' }], bad: [{ orderId: '' }, { orderId: 1 }] },
  'outbox.list': {
    good: [{ show: 'waiting' }, { show: 'attention' }, { show: 'recent' }],
    bad: [{ show: 'all' }, undefined],
  },
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
  'outbox.retry': { good: [{ operationId }], bad: [{ operationId: id }] },
  'outbox.withdraw': { good: [{ operationId }], bad: [{ operationId: id }, {}] },
  'outbox.dismiss': {
    good: [{ operationId, reason: 'rung up twice' }],
    bad: [{ operationId, reason: ' ' }, { operationId }],
  },
  'outbox.sendNow': { good: [undefined], bad: [[]] },
  'media.picture': { good: [{ url: 'https://example.invalid/x.png' }], bad: [{ url: 'x'.repeat(2_001) }, {}] },
  'practice.codes': { good: [undefined], bad: ['all'] },
  'practice.fault': { good: [undefined], bad: [0] },
  'practice.setFault': { good: [{ fault: 'slow' }, { fault: 'none' }], bad: [{ fault: 'fire' }] },
}

/** Calls about something that must be there first: their successes are in checkout.test.ts and receiving.test.ts. */
const needsMore = new Set<CallName>([
  'receiving.case',
  'receiving.undo',
  'checkout.addItem',
  'checkout.finish',
  'checkout.reopen',
  'outbox.journal',
  'outbox.retry',
  'outbox.withdraw',
  'outbox.dismiss',
])

describe('the contract', () => {
  let station: Station
  let app: App
  let dispatch: Dispatch<'ours' | 'theirs'>
  beforeAll(async () => {
    station = await startStation()
    app = await compose({
      dataDir: `${station.dataDir}/second`,
      resourcesDir: `${import.meta.dirname}/../../../resources`,
      version: '0',
    })
    dispatch = createDispatch({ handlers: app.handlers, isTrusted: (sender) => sender === 'ours', log: app.log })
  })
  afterAll(async () => {
    await app.close()
    await station.close()
  })

  it.each(callNames)('%s answers every good input with what the contract says', async (name) => {
    for (const input of walk[name].good) {
      const answer = Answer.parse(await dispatch('ours', name, input))
      if (!needsMore.has(name)) expect(answer.ok).toBe(true)
      if (answer.ok) expect(callTable[name].output.safeParse(answer.value).error).toBeUndefined()
      // Operations and things that don't exist are refused by their own codes, never as a bug or bad input.
      else expect(answer.error.code).not.toMatch(/^(app|ipc)\//)
    }
  })

  it.each(callNames)('%s refuses every bad input and says what is wrong', async (name) => {
    for (const input of walk[name].bad) {
      const answer = Answer.parse(await dispatch('ours', name, input))
      expect(answer).toMatchObject({ ok: false, error: { code: 'ipc/invalid-input' } })
    }
  })

  it.each(callNames)('%s answers nobody but our own page', async (name) => {
    expect(await dispatch('theirs', name, walk[name].good[0])).toEqual({
      ok: false,
      error: { code: 'ipc/forbidden-sender' },
    })
  })

  it.each([
    '',
    'app',
    'app.statuss',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(10_000),
    7,
    null,
    undefined,
    {},
  ])('does not know the call %j', async (call) => {
    expect(await dispatch('ours', call, undefined)).toMatchObject({ ok: false, error: { code: 'ipc/unknown-call' } })
  })

  it('turns an exception into an error without leaking it', async () => {
    const broken = createDispatch({
      handlers: {
        ...app.handlers,
        'app.status': () => {
          throw new Error('secret: /home/somebody/client_secret')
        },
      },
      isTrusted: () => true,
      log: app.log,
    })
    const answer = await broken('anybody', 'app.status', undefined)
    expect(answer).toMatchObject({ ok: false, error: { code: 'app/unexpected' } })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('announces events that the contract knows', async () => {
    const scans: unknown[] = []
    const stop = station.client.on('scanner.scanned', (scan) => scans.push(scan))
    await station.ask('scanner.setPlace', { place: 'receiving' })
    await station.ask('scanner.submit', { text: id, source: 'typed' })
    await station.ask('scanner.submit', { text: 'nonsense', source: 'wedge' })
    stop()
    await station.ask('scanner.submit', { text: id, source: 'typed' })
    expect(scans).toMatchObject([
      { seq: 1, source: 'typed', raw: id, meaning: { kind: 'case', caseId: id } },
      { seq: 2, source: 'wedge', meaning: { kind: 'unknown', text: 'nonsense' } },
    ])
  })
})
