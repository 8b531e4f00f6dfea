import { describe, expect, it } from 'vitest'
import { OrderId } from '../../../src-shared/ids'
import type { OrderReport, ReportWord, ReportsView } from '../../../src-shared/ipc/contract/checkout'
import { reportReason, reportState, reportTitle } from '../../../src-renderer/checkout/report-text'
import { clearing } from '../../../src-renderer/scan/clearing'
import { say } from '../../../src-renderer/text/text.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import { cart, operation, operationId, tagId } from './examples'
import { createFakeWire } from './fake-wire'
import { createCheckout } from './till'

function report(n: number, word: ReportWord, fields: Parameters<typeof operation>[0] = {}): OrderReport {
  const id = operationId(n)
  return { operation: operation({ id, orderId: `${n}`, itemCount: 6, ...fields }), word, isUnseen: false }
}
const refused = (n: number): OrderReport => ({
  ...report(n, 'refused', { state: 'rejected', reason: { code: 'service/not-imported', tagIds: ['x'] } }),
  isUnseen: true,
})
const view = (revision: number, orders: OrderReport[]): ReportsView => {
  const unseen = orders.filter(({ isUnseen }) => isUnseen)
  return { revision, orders, unseen, unseenCount: unseen.length }
}

describe('the words of a report', () => {
  it('say what it is, and what became of it', () => {
    const words = (one: OrderReport) =>
      [reportTitle(one), reportState(one).text].flatMap((text) => (text ? say(text) : []))
    expect(words(report(1, 'sending'))).toEqual(['Order 1, 6 items', 'Saved, being sent'])
    expect(words(report(1, 'later'))).toEqual(['Order 1, 6 items', 'Saved. Will be sent when the connection is back.'])
    expect(words(report(1, 'reported'))).toEqual(['Order 1 reported, 6 items'])
    expect(words(report(1, 'reported', { kind: 'void' }))).toEqual(['Order 1 voided'])
    expect(words(report(1, 'cancelled', { state: 'cancelled' }))).toEqual(['Order 1, 6 items', 'Canceled'])
    const why = reportReason(refused(1))
    expect(why && say(why)).toBe('1 item is not in our inventory.')
  })
})

describe('a refusal that comes late', () => {
  it('sounds once, and again only for another one', async () => {
    const { fake, sounds } = createCheckout()
    await fake.emit('checkout.reports', view(1, [report(1, 'sending')]))
    expect(sounds).toEqual([])
    await fake.emit('checkout.reports', view(2, [refused(1)]))
    await fake.emit('checkout.reports', view(3, [refused(1)]))
    expect(sounds).toEqual(['bad'])
    await fake.emit('checkout.reports', view(4, [refused(2), refused(1)]))
    expect(sounds).toEqual(['bad', 'bad'])
  })

  it('takes away the notice of the scan that made the report: its card or the banner says why', async () => {
    const { fake, strip, sounds } = createCheckout()
    strip.begin({ seq: 1, at: '' }, { key: 'scan.read.tag' })
    strip.settle(1, { tone: 'good', what: { key: 'report.sending' }, report: operationId(1), isSilent: true })
    await fake.emit('checkout.reports', view(1, [refused(1)]))
    expect(strip.current).toBeNull()
    expect(sounds).toEqual(['bad'])
  })

  it('is never replaced by an older view', async () => {
    const { fake, checkout } = createCheckout()
    await fake.emit('checkout.reports', view(5, [refused(1)]))
    await fake.emit('checkout.reports', view(4, [report(1, 'sending')]))
    expect(checkout.reports.view.orders[0]?.word).toBe('refused')
    const loading = checkout.reports.load()
    await fake.next('checkout.reports').answer(view(1, [report(2, 'reported')]))
    await loading
    expect(checkout.reports.view.orders[0]?.operation.orderId).toBe('2')
  })
})

describe('the strip after something else than a scan changed the screen', () => {
  const start = () => {
    const { strip } = createCheckout()
    const fake = createFakeWire()
    const client = clearing(createClient(fake.wire), strip)
    strip.begin({ seq: 1, at: '' }, { key: 'scan.read.tag' })
    strip.settle(1, { tone: 'good', what: { key: 'scan.read.tag' }, undo: () => Promise.reject(new Error('gone')) })
    return { strip, fake, client }
  }

  it('is empty once a command succeeded, and stays if it was refused', async () => {
    const { strip, fake, client } = start()
    const no = client.call('checkout.removeItem', { mode: 'sale', tagId: tagId(1) })
    await fake.next('checkout.removeItem').refuse({ code: 'store/not-saved' })
    await no
    expect(strip.current?.tone).toBe('good')
    const yes = client.call('checkout.removeItem', { mode: 'sale', tagId: tagId(1) })
    await fake.next('checkout.removeItem').answer({ mode: 'sale', revision: 1 })
    await yes
    expect(strip.current).toBeNull()
  })

  it('is empty once a group of reports was sent again or dismissed', async () => {
    for (const name of ['outbox.retryMany', 'outbox.dismissMany'] as const) {
      const { strip, fake, client } = start()
      const done = client.call(name, { operationIds: [operationId(1)], reason: 'rung up twice' })
      await fake.next(name).answer({ done: 1, refused: [] })
      await done
      expect(strip.current, name).toBeNull()
    }
  })

  it('keeps the notice of the scan that gave the command, but none before it', async () => {
    const { strip, fake, client } = start()
    strip.begin({ seq: 2, at: '' }, { key: 'scan.action' })
    const call = client.call('checkout.removeItem', { mode: 'sale', tagId: tagId(1) })
    await fake.next('checkout.removeItem').answer({ mode: 'sale', revision: 1 })
    await call
    expect([strip.current?.seq, strip.previous]).toEqual([2, null])
    strip.settle(2, { tone: 'good', what: { key: 'scan.action' } })
    expect(strip.current?.tone).toBe('good')
  })

  it('keeps the notice of a scan while it is undone', async () => {
    const { strip, fake, client } = start()
    strip.begin({ seq: 2, at: '' }, { key: 'scan.read.tag' })
    const undo = async () => {
      await client.call('checkout.removeItem', { mode: 'sale', tagId: tagId(1) })
      return { tone: 'attention', what: { key: 'checkout.scan.undone', values: { name: 'A' } } } as const
    }
    strip.settle(2, { tone: 'good', what: { key: 'scan.read.tag' }, undo })
    const undone = strip.undo()
    await fake.next('checkout.removeItem').answer({ mode: 'sale', revision: 1 })
    await undone
    expect(strip.current?.what.key).toBe('checkout.scan.undone')
  })

  it('is empty when another page closed the order', async () => {
    const { strip, fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    strip.begin({ seq: 1, at: '' }, { key: 'scan.read.tag' })
    strip.settle(1, { tone: 'good', what: { key: 'scan.read.tag' } })
    await fake.emit('checkout.cart', cart('sale', [], { id: 2, revision: 9 }))
    expect(strip.current).toBeNull()
  })
})
