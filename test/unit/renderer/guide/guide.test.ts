import { describe, expect, it } from 'vitest'
import { App } from '../../../../src-renderer/app.svelte'
import { CheckoutSettings } from '../../../../src-shared/ipc/contract/checkout'
import type { GuideProgress } from '../../../../src-shared/ipc/contract/app'
import type { OperationView } from '../../../../src-shared/ipc/contract/outbox'
import { ScannerSettings } from '../../../../src-shared/ipc/contract/scanner'
import { nothingKnown } from '../../../../src-shared/scan/known'
import { appStatus, at, cart, noManifest, operation, scan } from '../examples'
import { createFakeWire, turn } from '../fake-wire'

const earlier = '2026-11-12T14:02:10Z'
const later = '2026-11-12T14:02:13Z'
const notBegun: GuideProgress = { startedAt: null, done: [], isOpen: false }
const begun = (fields: Partial<GuideProgress> = {}): GuideProgress => ({
  startedAt: at,
  done: [],
  isOpen: true,
  ...fields,
})

async function start({ isNew = false, progress = notBegun }: { isNew?: boolean; progress?: GuideProgress } = {}) {
  const fake = createFakeWire()
  fake.always('app.status', appStatus())
  fake.always('checkout.cart', cart('sale', []))
  fake.always('checkout.held', [])
  fake.always('checkout.settings', CheckoutSettings.parse({}))
  fake.always('receiving.delivery', null)
  fake.always('receiving.unreadCases', [])
  fake.always('receiving.openCount', null)
  fake.always('receiving.storeCounts', [])
  fake.always('receiving.storeDeliveries', [])
  fake.always('receiving.deliveryNotices', [])
  fake.always('receiving.manifest', noManifest)
  fake.always('scanner.settings', ScannerSettings.parse({}))
  fake.always('scanner.known', nothingKnown)
  fake.always('scanner.setPlace', null)
  fake.always('practice.codes', [])
  fake.always('practice.fault', { fault: 'none' })
  fake.always('practice.setFault', null)
  fake.always('outbox.list', { operations: [], total: 0 })
  fake.always('station.welcome', { isNew })
  fake.always('practice.guide', progress)
  const onReach = (listener: (reach: 'open') => void) => {
    listener('open')
    return () => undefined
  }
  const app = new App({ wire: fake.wire, onReach }, () => undefined)
  app.start()
  await turn()
  return { app, fake, guide: app.guide }
}

/** The progress saved so far, newest first. Clears the record. */
function kept(fake: ReturnType<typeof createFakeWire>): unknown[] {
  const all = fake.asked.filter(({ call }) => call === 'practice.setGuide').map(({ input }) => input)
  fake.asked.splice(0)
  return all.reverse()
}

describe('the welcome of the first start', () => {
  it('appears on a new station only, closes with a choice, and tells main once', async () => {
    const old = await start()
    await old.guide.load()
    expect(old.guide.isWelcoming).toBe(false)

    for (const choose of ['practise', 'connect', 'dismiss'] as const) {
      const { app, guide, fake } = await start({ isNew: true })
      await guide.load()
      expect(guide.isWelcoming).toBe(true)
      guide[choose]()
      expect([guide.isWelcoming, guide.isOpen, guide.isConnecting, app.screen]).toEqual([
        false,
        choose === 'practise',
        choose === 'connect',
        choose === 'connect' ? 'settings' : 'receiving',
      ])
      expect(fake.asked.filter(({ call }) => call === 'station.welcomed')).toHaveLength(1)
    }
  })

  it('closes with any scan, even one that came before it was shown', async () => {
    const after = await start({ isNew: true })
    await after.guide.load()
    await after.fake.emit('scanner.scanned', scan(1, { kind: 'unknown', text: 'x', reason: 'damaged' }))
    expect(after.guide.isWelcoming).toBe(false)
    after.fake.next('station.welcomed')

    const before = await start({ isNew: true })
    await before.fake.emit('scanner.scanned', scan(1, { kind: 'unknown', text: 'x', reason: 'damaged' }))
    await before.guide.load()
    expect(before.guide.isWelcoming).toBe(false)
    before.fake.next('station.welcomed')
  })
})

describe('the guide', () => {
  it('records and saves nothing before it is started', async () => {
    const { app, guide, fake } = await start()
    await guide.load()
    app.go('checkout')
    guide.look()
    await fake.emit('outbox.changed', operation({ kind: 'import' }))
    expect(guide.done).toEqual([])
    expect(kept(fake)).toEqual([])
  })

  it('checks off each step once, from what the screens show', async () => {
    const { app, guide, fake } = await start({ progress: begun() })
    await guide.load()
    guide.look()
    expect(kept(fake)).toEqual([])
    app.go('checkout')
    guide.look()
    guide.look()
    expect(kept(fake)).toEqual([begun({ done: ['checkout'] })])
  })

  it.each<[string, Partial<OperationView>, string[]]>([
    ['an import that the service took', { kind: 'import' }, ['package', 'cases', 'pos-ids', 'import']],
    ['an import that waits', { kind: 'import', state: 'queued' }, []],
    ['an import that was refused', { kind: 'import', state: 'rejected' }, []],
    ['a sale that the service took', { kind: 'complete' }, ['checkout', 'items', 'complete']],
    ['a sale that waits while there is a network', { kind: 'complete', state: 'queued' }, []],
    ['a void', { kind: 'void' }, ['checkout', 'items', 'complete', 'void']],
    ['a void that waits', { kind: 'void', state: 'queued' }, []],
    ['a sale taken back unsent', { kind: 'complete', state: 'cancelled' }, ['checkout', 'items', 'complete', 'void']],
    ['a return', { kind: 'return' }, []],
    ['an import of before it was begun', { kind: 'import', performedAt: earlier }, []],
  ])('reads %s', async (_what, fields, done) => {
    const { guide, fake } = await start({ progress: begun() })
    await guide.load()
    await fake.emit('outbox.changed', operation({ performedAt: later, ...fields }))
    expect(guide.done).toEqual(done)
  })

  it('asks for a sale that is saved offline and sent once the network is back', async () => {
    const { app, guide, fake } = await start({ progress: begun() })
    await guide.load()
    const sale = { kind: 'complete' as const, performedAt: later }
    await app.practice.setFault('offline')
    guide.look()
    expect(guide.done).toEqual(['offline'])
    await fake.emit('outbox.changed', operation({ ...sale, state: 'queued' }))
    expect(guide.done).toEqual(['offline', 'saved'])
    await fake.emit('app.status', appStatus({ unsent: 1, connection: { state: 'unreachable', since: at } }))
    await app.practice.setFault('none')
    guide.look()
    expect(guide.done).not.toContain('sent')
    await fake.emit('app.status', appStatus({ unsent: 0 }))
    guide.look()
    expect(guide.done).toEqual(['offline', 'saved', 'sent'])
  })

  it('changes the switch only after the service has changed', async () => {
    const { app, guide, fake } = await start({ progress: begun() })
    await guide.load()
    fake.never('practice.setFault')
    const turning = app.practice.setFault('offline')
    expect(app.practice.fault).toBe('offline')
    guide.look()
    expect(guide.done).toEqual([])
    await fake.next('practice.setFault').refuse({ code: 'practice/not-active' })
    await turning
    guide.look()
    expect(guide.done).toEqual([])
  })

  it('counts what was done while no page was open, and reopens at the same step', async () => {
    const { guide, fake } = await start({ progress: begun({ done: ['package'], isOpen: false }) })
    fake.always('outbox.list', { operations: [operation({ kind: 'import', performedAt: later })], total: 1 })
    await guide.load()
    expect(guide.done).toEqual(['package', 'cases', 'pos-ids', 'import'])
    expect(guide.isOpen).toBe(false)
    guide.open()
    expect([guide.isOpen, guide.progress.startedAt, guide.current]).toEqual([true, at, 'checkout'])
    guide.putAway()
    expect(kept(fake)[0]).toMatchObject({ isOpen: false, startedAt: at })
    guide.beginAgain()
    expect(kept(fake)[0]).toMatchObject({ done: [] })
    expect(guide.current).toBe('package')
  })
})
