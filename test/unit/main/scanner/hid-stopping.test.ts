import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../src-main/core/clock'
import { ScannerSource, defaultTiming } from '../../../../src-main/scanner/hid'
import { silentLog } from '../../../../src-main/core/log'
import { fakeScanners, gone } from '../../../fakes/hid-layer'
import { report } from '../../../fakes/hid-reports'
import { hidDesk, pass, yieldNow } from './hid-desk'

const { flush, poll } = defaultTiming

const desk = hidDesk()

describe('stopping', () => {
  it("while a scanner opens doesn't wait for it, and closes it once it is open", async () => {
    const fake = fakeScanners()
    const open = fake.plug().holdOpening()
    desk.begin(fake)
    await pass(10)
    await desk.source.stop()
    open()
    await yieldNow()
    expect(fake.open()).toEqual([])
  })

  it('while devices are being listed opens none of them', async () => {
    const fake = fakeScanners()
    fake.plug()
    const go = fake.holdListing()
    desk.begin(fake)
    await pass(10)
    await desk.source.stop()
    go()
    await yieldNow()
    expect(fake.open()).toEqual([])
  })

  it('before USB events are watched stops watching them', async () => {
    const fake = fakeScanners()
    desk.begin(fake)
    await desk.source.stop()
    await yieldNow()
    expect(fake.watchers()).toBe(0)
  })

  it('writes nothing about USB events that are refused afterwards', async () => {
    desk.begin(fakeScanners())
    const { promise, reject } = Promise.withResolvers<() => void>()
    const { hid } = desk.scanners.layer
    const written: string[] = []
    const source = new ScannerSource({
      layer: { hid, usb: { watch: () => promise } },
      clock: systemClock,
      log: { ...silentLog, info: (text) => void written.push(text) },
      onScan: () => undefined,
    })
    source.start()
    await source.stop()
    reject(new Error('no USB'))
    await yieldNow()
    expect(written).toEqual([])
  })

  it('ends all scans, errors, USB events and searches', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush)
    const heard = desk.views.length
    const stopped = desk.source.stop()
    device.send(report('7'))
    device.fail(gone)
    fake.news()
    await stopped
    desk.source.look()
    device.send(report('7'))
    fake.plug({ path: '/dev/hidraw1' })
    await pass(10 * poll)
    expect(desk.scans).toEqual([])
    expect(desk.views).toHaveLength(heard)
    expect(fake.listings()).toBe(1)
  })

  it('in the same tick in which a scanner opens closes it before it is read', async () => {
    const fake = fakeScanners()
    const device = fake.plug({ vendorId: 0x05e0 })
    const open = device.holdOpening()
    desk.begin(fake)
    await pass(10)
    open()
    // Stops somewhere between the opening and the first read.
    for (let ticks = 0; ticks < 6; ticks++) await Promise.resolve()
    await desk.source.stop()
    await yieldNow()
    expect(fake.open()).toEqual([])
  })

  it('can be repeated, and can come before the start', async () => {
    desk.begin(fakeScanners())
    await desk.source.stop()
    await desk.source.stop()
    const never = new ScannerSource({
      layer: desk.scanners.layer,
      clock: systemClock,
      log: silentLog,
      onScan: () => undefined,
    })
    await never.stop()
    never.start()
    await yieldNow()
    expect(desk.scanners.listings()).toBe(0)
    expect(desk.scanners.watchers()).toBe(0)
  })
})
