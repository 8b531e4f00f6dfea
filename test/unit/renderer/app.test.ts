import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { App } from '../../../src-renderer/app.svelte'
import { back } from '../../../src-renderer/shell/shortcuts'
import { say } from '../../../src-renderer/text/text.svelte'
import { CheckoutSettings } from '../../../src-shared/ipc/contract/checkout'
import { PackageUid } from '../../../src-shared/ids'
import { nothingKnown } from '../../../src-shared/scan/known'
import { ScannerSettings } from '../../../src-shared/ipc/contract/scanner'
import type { Host, Reach } from '../../../src-renderer/host'
import {
  appStatus,
  caseAdded,
  caseId,
  caseView,
  deliveryCase,
  deliveryChange,
  cart,
  noManifest,
  operation,
  packageAdded,
  packageView,
  product,
  scan,
  tagId,
} from './examples'
import { answerPackage } from './deliveries'
import { createFakeWire, turn } from './fake-wire'
import { added } from './till'

async function start() {
  const fake = createFakeWire()
  let tell: (reach: Reach) => void = () => undefined
  const host: Host = {
    wire: fake.wire,
    onReach(listener) {
      tell = listener
      listener('open')
      return () => undefined
    },
  }
  fake.always('app.status', appStatus())
  fake.always('update.view', { version: null, isAgreed: false })
  const alone = { situation: 'alone', policy: 'warn', station: null, trouble: null, since: null } as const
  fake.always('hub.view', { ...alone, hasRival: false, hasCopy: false, awaited: [] })
  fake.always('hub.notices', [])
  fake.always('hub.soldTwice', [])
  fake.always('station.theme', { theme: 'system' })
  const rules = { demand: 'names', minutes: 5, staysAtCounter: false } as const
  fake.always('people.view', { people: [], signedIn: null, rules })
  fake.always('checkout.cart', cart('sale', []))
  fake.always('checkout.held', [])
  fake.always('checkout.reports', { revision: 0, orders: [], unseen: [], unseenCount: 0 })
  fake.always('checkout.settings', CheckoutSettings.parse({}))
  fake.always('receiving.delivery', null)
  fake.always('receiving.unreadCases', [])
  fake.always('receiving.openCount', null)
  fake.always('receiving.storeCounts', [])
  fake.always('receiving.storeDeliveries', [])
  fake.always('receiving.deliveryNotices', [])
  fake.always('receiving.manifest', noManifest)
  fake.always('receiving.prefills', [])
  fake.always('scanner.settings', ScannerSettings.parse({}))
  fake.always('scanner.known', nothingKnown)
  fake.always('scanner.scanners', { library: 'ok', problem: null, devices: [] })
  fake.always('outbox.list', { operations: [], total: 0 })
  fake.always('outbox.overview', { groups: [], total: 0, today: { accepted: 0, sales: 0, cancelled: 0 } })
  const app = new App(host, () => undefined)
  app.start()
  await fake.next('scanner.setPlace').answer(null)
  return { app, fake, tell: (reach: Reach) => tell(reach) }
}

describe('the app', () => {
  it('tells main which screen is in front, on every change and after a reconnect', async () => {
    const { app, fake, tell } = await start()
    app.go('checkout')
    expect(fake.next('scanner.setPlace').input).toEqual({ place: 'checkout' })
    app.go('outbox')
    expect(fake.next('scanner.setPlace').input).toEqual({ place: 'other' })
    tell('lost')
    expect(app.reach).toBe('lost')
    tell('open')
    expect(fake.next('scanner.setPlace').input).toEqual({ place: 'other' })
  })

  it('returns to the same screen after a reload, and to Receiving if the stored name is unknown', () => {
    const kept = new Map<string, string>()
    const memory = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    }
    const page = () => {
      const { wire } = createFakeWire()
      return new App({ wire, onReach: () => () => undefined }, () => undefined, memory)
    }
    const app = page()
    expect(app.screen).toBe('receiving')
    app.go('checkout')
    expect(page().screen).toBe('checkout')
    for (const name of kept.keys()) kept.set(name, 'constructor')
    expect(page().screen).toBe('receiving')
  })

  it('tells main once when scans get another meaning: another tab, remove mode', async () => {
    const { app, fake } = await start()
    app.go('checkout')
    await fake.next('scanner.setPlace').answer(null)
    const steps = [
      () => app.checkout.openTab('return'),
      () => app.checkout.openTab('sale'),
      () => (app.checkout.sale.isRemoving = true),
      () => (app.checkout.sale.isRemoving = false),
    ]
    for (const step of steps) {
      step()
      step()
      const told = fake.next('scanner.setPlace')
      expect(told.input).toEqual({ place: 'checkout' })
      await told.answer(null)
      expect(fake.asked).toEqual([])
    }
  })

  it('goes back to the previous screen', async () => {
    const { app } = await start()
    app.go('checkout')
    app.go('outbox')
    back(app)
    expect(app.screen).toBe('checkout')
    back(app)
    expect(app.screen).toBe('receiving')
    back(app)
    expect(app.screen).toBe('receiving')
  })

  it('loads the outbox and the limits only when their screen is opened', async () => {
    const { app, fake } = await start()
    const invoke = vi.spyOn(fake.wire, 'invoke')
    const names = () => invoke.mock.calls.map(([call]) => call).filter((call) => call.startsWith('outbox.'))
    await fake.emit('outbox.changed', operation({ state: 'queued' }))
    expect(names()).toEqual([])
    app.go('outbox')
    await turn()
    expect(names()).toEqual(['outbox.list', 'outbox.overview', 'outbox.list'])
    app.go('settings')
    await fake.next('outbox.limits').answer({ count: 500, hours: 12 })
    expect(names()).toHaveLength(4)
    expect(app.limits.values.count).toBe('500')
  })

  it('shows one drawer at a time, and Escape closes the warnings before anything else', async () => {
    const { app, fake } = await start()
    fake.always('practice.codes', [])
    fake.always('practice.fault', { fault: 'none' })
    app.go('checkout')
    app.toggleWarnings()
    expect([app.warnings.isOpen, app.practice.isOpen]).toEqual([true, false])
    await app.togglePractice()
    expect([app.warnings.isOpen, app.practice.isOpen]).toEqual([false, true])
    app.toggleWarnings()
    expect([app.warnings.isOpen, app.practice.isOpen]).toEqual([true, false])
    back(app)
    expect([app.warnings.isOpen, app.screen]).toEqual([false, 'checkout'])
    back(app)
    expect(app.screen).toBe('receiving')
  })

  it('reloads the practice codes after an import, once for 500 imports, and not after sales', async () => {
    const { app, fake } = await start()
    fake.always('practice.codes', [])
    fake.always('practice.fault', { fault: 'none' })
    await app.togglePractice()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const invoke = vi.spyOn(fake.wire, 'invoke')
    void fake.emit('outbox.changed', operation({ kind: 'complete', state: 'accepted' }))
    void fake.emit('outbox.changed', operation({ kind: 'import', state: 'sending' }))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(invoke).not.toHaveBeenCalled()
    for (let imported = 0; imported < 500; imported++) {
      void fake.emit('outbox.changed', operation({ kind: 'import', state: 'accepted' }))
    }
    await vi.advanceTimersByTimeAsync(5_000)
    expect(invoke.mock.calls.map(([call]) => call)).toEqual(['practice.codes', 'practice.fault'])
  })

  it('sends an item scanned in receiving to checkout, without adding it', async () => {
    const { app, fake } = await start()
    await fake.emit('scanner.scanned', scan(1, { kind: 'tag', tagId: tagId(1), certain: true }))
    expect(app.strip.current && say(app.strip.current.what)).toBe('This is a single item (TagID)')
    app.strip.current?.actions[0]?.run()
    expect(app.screen).toBe('checkout')
    expect(fake.asked.map((asked) => asked.call)).toEqual(['scanner.setPlace'])
  })

  it('offers checkout for a bare id that turns out to be an item', async () => {
    const { app, fake } = await start()
    await fake.emit('scanner.scanned', scan(1, { kind: 'case', identifier: 'x', caseId: null, certain: false }))
    await fake.next('receiving.addCase').refuse({ code: 'scan/wrong-place', found: 'tag', expected: 'case' })
    expect(app.strip.current?.what.key).toBe('error.scan/wrong-place.what')
    expect(app.strip.current?.actions).toHaveLength(1)
  })

  it('opens a case scanned in checkout in receiving, on request', async () => {
    const { app, fake } = await start()
    app.go('checkout')
    await fake.emit('scanner.scanned', scan(1, { kind: 'case', identifier: 'x', caseId: caseId(1), certain: true }))
    expect(app.screen).toBe('checkout')
    app.strip.current?.actions[0]?.run()
    await fake.emit('receiving.changed', deliveryChange({ cases: [deliveryCase(caseView(1))] }))
    await fake.next('receiving.addCase').answer(caseAdded(caseView(1)))
    expect(app.screen).toBe('receiving')
    expect(app.receiving.selection.id).toBe(caseId(1))
  })

  it.each([
    ['good', null, 'scan.found.case.detail'],
    ['bad', { word: 'expired', count: 1 }, 'coa.expired'],
    ['bad', { word: 'failed', count: 1 }, 'coa.failed'],
  ] as const)('has the color of what a case is: %s', async (tone, worstCoa, key) => {
    const { app, fake } = await start()
    const view = caseView(1, { worstCoa })
    await fake.emit('scanner.scanned', scan(1, { kind: 'case', identifier: 'x', caseId: caseId(1), certain: true }))
    await fake.emit('receiving.changed', deliveryChange({ cases: [deliveryCase(view)] }))
    await fake.next('receiving.addCase').answer(caseAdded(view))
    expect(app.strip.current).toMatchObject({ tone, detail: { key } })
  })

  const expired = { worstCoa: { word: 'expired', count: 1 } as const }
  const importedHere = { kind: 'imported-here', at: null, packageUid: null, operation: null } as const
  const imported = { packagedProducts: [product(1, importedHere)] }
  it.each([
    ['good', 'scan.found.package.detail', [{}, expired]],
    ['bad', 'coa.expired', [expired]],
    ['bad', 'scan.found.package.none', [expired, expired]],
    ['attention', 'import-state.imported-here', [imported]],
    ['attention', 'scan.found.package.none', [imported, expired]],
  ] as const)('has the color of what all cases of a package are: %s, %s', async (tone, key, cases) => {
    const { app, fake } = await start()
    const packageUid = '1A4060300020081000006609'
    await fake.emit('scanner.scanned', scan(1, { kind: 'package', packageUid: PackageUid.parse(packageUid) }))
    await answerPackage(
      fake,
      packageUid,
      cases.map((fields, index) => caseView(index + 1, fields)),
    )
    expect(app.strip.current).toMatchObject({ tone, detail: { key } })
  })

  it('is green for a package whose cases are not read yet', async () => {
    const { app, fake } = await start()
    const packageUid = PackageUid.parse('1A4060300020081000006609')
    await fake.emit('scanner.scanned', scan(1, { kind: 'package', packageUid }))
    const unread = { ...deliveryCase(caseView(1), packageUid), case: null, isReading: true }
    await fake.emit('receiving.changed', deliveryChange({ packages: [packageView(packageUid)], cases: [unread] }))
    await fake.next('receiving.addPackage').answer(packageAdded(packageUid, [caseView(1)]))
    expect(app.strip.current).toMatchObject({ tone: 'good', detail: { key: 'scan.found.package.detail' } })
  })

  it('refuses an unknown package in red, and adds it only if a person says so', async () => {
    const { app, fake } = await start()
    const packageUid = PackageUid.parse('1A4060300020081000006609')
    await fake.emit('scanner.scanned', scan(1, { kind: 'package', packageUid }))
    await fake.next('receiving.addPackage').refuse({ code: 'receiving/unknown-package', packageUid })
    const [anyway] = app.strip.current?.actions ?? []
    expect(app.strip.current).toMatchObject({ tone: 'bad', what: { key: 'error.receiving/unknown-package.what' } })
    expect(anyway?.label.key).toBe('scan.add-anyway')
    anyway?.run()
    const asked = fake.next('receiving.addPackage')
    expect(asked.input).toEqual({ packageUid, isMeant: true })
    await fake.emit('receiving.changed', deliveryChange({ packages: [packageView(packageUid)] }))
    await asked.answer(packageAdded(packageUid, []))
    expect(app.strip.current).toMatchObject({ tone: 'attention', detail: { key: 'scan.found.package.detail' } })
  })

  it('offers to try a scan again that the service or this computer could not serve, in the same notice', async () => {
    const { app, fake } = await start()
    const packageUid = PackageUid.parse('1A4060300020081000006609')
    await fake.emit('scanner.scanned', scan(1, { kind: 'package', packageUid }))
    await fake.next('receiving.addPackage').refuse({ code: 'store/not-saved' })
    const [again] = app.strip.current?.actions ?? []
    expect([app.strip.current?.tone, again && say(again.label), again?.isOffered()]).toEqual(['bad', 'Try again', true])
    again?.run()
    await fake.next('receiving.addPackage').refuse({ code: 'service/busy' })
    expect(app.strip.current).toMatchObject({ seq: 1, tone: 'bad', actions: [{ label: { key: 'action.try-again' } }] })
    app.strip.current?.actions[0]?.run()
    await answerPackage(fake, packageUid, [caseView(1)])
    expect(app.strip.current).toMatchObject({ seq: 1, tone: 'good', actions: [] })
    app.go('checkout')
    expect(again?.isOffered()).toBe(false)
  })

  it('shows what became of a package that was scanned on another screen and opened in Receiving', async () => {
    const { app, fake } = await start()
    app.go('checkout')
    const packageUid = PackageUid.parse('1A4060300020081000006609')
    await fake.emit('scanner.scanned', scan(1, { kind: 'package', packageUid }))
    app.strip.current?.actions[0]?.run()
    await fake.next('receiving.addPackage').refuse({ code: 'receiving/unknown-package', packageUid })
    expect(app.strip.current).toMatchObject({ tone: 'bad', what: { key: 'error.receiving/unknown-package.what' } })
  })

  it.each([
    ['attention', []],
    ['good', [caseView(1)]],
  ] as const)('has the color of what a package holds: %s', async (tone, cases) => {
    const { app, fake } = await start()
    const packageUid = PackageUid.parse('1A4060300020081000006609')
    await fake.emit('scanner.scanned', scan(1, { kind: 'package', packageUid }))
    await answerPackage(fake, packageUid, [...cases])
    expect(app.strip.current?.tone).toBe(tone)
  })

  it('offers unknown text as the order number only while there is none, and never uses it on its own', async () => {
    const { app, fake } = await start()
    app.go('checkout')
    await fake.emit('scanner.scanned', scan(1, { kind: 'unknown', text: '10482' }))
    const offered = () => app.strip.current?.actions.filter((action) => action.isOffered()) ?? []
    expect(offered().map((action) => say(action.label))).toEqual(['Use “10482” as the order number'])
    // It may be wanted: nothing is wrong.
    expect(app.strip.current).toMatchObject({ tone: 'attention', what: { key: 'scan.like-order' } })
    expect(app.checkout.sale.orderText).toBe('')
    offered()[0]?.run()
    expect(app.checkout.sale.orderText).toBe('10482')
    expect(offered()).toEqual([])
    await fake.emit('scanner.scanned', scan(2, { kind: 'unknown', text: '10483' }))
    expect(app.strip.current).toMatchObject({ tone: 'bad', what: { key: 'error.scan/not-a-code.what' } })
  })

  it('does not offer text that is too long for an order number, and quotes its start', async () => {
    const { app, fake } = await start()
    app.go('checkout')
    await fake.emit('scanner.scanned', scan(1, { kind: 'unknown', text: 'x'.repeat(200) }))
    expect(app.strip.current?.actions).toEqual([])
    expect(app.strip.current && say(app.strip.current.what).length).toBeLessThan(100)
  })

  it("shows and sounds a refusal when main can't be reached", async () => {
    const { app, fake } = await start()
    const submitted = app.submit('https://x.example/1', 'typed')
    await fake.next('scanner.submit').disconnect()
    await submitted
    expect(app.strip.current).toMatchObject({ tone: 'bad', what: { key: 'error.ipc/disconnected.what' } })
  })

  it('keeps a slow scan from overwriting a newer one', async () => {
    const { app, fake } = await start()
    app.go('checkout')
    await fake.emit('scanner.scanned', scan(1, { kind: 'tag', tagId: tagId(1), certain: true }))
    await fake.emit('scanner.scanned', scan(2, { kind: 'tag', tagId: tagId(2), certain: true }))
    const slow = fake.next('checkout.addItem')
    await added(fake, cart('sale', [tagId(1), tagId(2)]))
    await slow.refuse({ code: 'checkout/duplicate', tagId: tagId(1) })
    expect([app.strip.current?.seq, app.strip.current?.tone]).toEqual([2, 'good'])
    expect([app.strip.previous?.seq, app.strip.previous?.tone]).toEqual([1, 'bad'])
  })

  it('says that an item was never sold here, while another order was looked up', async () => {
    const { app, fake } = await start()
    app.go('checkout')
    app.checkout.voiding.orderText = '7'
    app.checkout.openTab('void')
    const looked = app.checkout.primary()
    await fake.next('checkout.order').refuse({ code: 'checkout/order-unknown', orderId: '7' })
    await looked
    expect(app.checkout.voiding.error?.code).toBe('checkout/order-unknown')
    await fake.emit('scanner.scanned', scan(1, { kind: 'tag', tagId: tagId(1), certain: true }))
    await fake.next('checkout.orderOfItem').refuse({ code: 'checkout/never-sold-here', tagId: tagId(1) })
    expect(app.strip.current?.what.key).toBe('error.checkout/never-sold-here.what')
  })

  it('changes the language of text that is already shown', async () => {
    const { app, fake } = await start()
    await fake.emit('scanner.scanned', scan(1, { kind: 'unknown', text: 'x' }))
    await turn()
    const changed = app.setLocale('es')
    await fake.next('app.setLocale').answer(null)
    await changed
    expect(app.strip.current && say(app.strip.current.what)).toBe('Código no reconocido: x')
  })
})
