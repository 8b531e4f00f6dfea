import { describe, expect, it } from 'vitest'
import { defaultTiming } from '../../../../src-main/scanner/hid'
import { fakeScanners } from '../../../fakes/hid-layer'
import { report, reports } from '../../../fakes/hid-reports'
import { hidDesk, longCode, pass, voyager } from './hid-desk'

const { flush, settle, poll, longestCall } = defaultTiming

const missing = Object.assign(new Error('libusb-1.0.so.0: cannot open shared object file'), {
  code: 'ERR_DLOPEN_FAILED',
})

const desk = hidDesk()

describe('a scanner', () => {
  it('that is present at the start is opened, and its scans carry its name and AIM id', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(0)
    expect(desk.states()).toEqual([[voyager, 'opening', null]])
    await pass(flush)
    expect(desk.states()).toEqual([[voyager, 'ready', null]])
    device.send(...reports(longCode), report('4006381333931', { aim: ']E0' }))
    const from = { id: 'hid-1', name: voyager }
    expect(desk.scans).toEqual([
      { text: longCode, symbology: ']Q1', device: from },
      { text: '4006381333931', symbology: ']E0', device: from },
    ])
    expect(desk.source.view()).toMatchObject({ library: 'ok', problem: null, devices: [{ source: 'hid', scans: 2 }] })
    expect(desk.views.at(-1)).toEqual(desk.source.view())
    expect(desk.source.view().devices[0]?.lastScanAt).toBe(new Date().toISOString())
  })

  it('that is plugged in later is found by a USB event, with one search for many events', async () => {
    desk.begin(fakeScanners())
    await pass(100)
    const device = desk.scanners.plug()
    desk.scanners.news(50)
    expect(desk.scanners.listings()).toBe(1)
    await pass(settle + flush)
    expect(desk.scanners.listings()).toBe(2)
    device.send(report('7'))
    expect(desk.texts()).toEqual(['7'])
  })

  it("is found by a slow poll if USB events aren't available, and the poll stops once it is connected", async () => {
    desk.begin(fakeScanners({ hasNews: false }))
    await pass(3 * poll)
    expect(desk.scanners.listings()).toBe(4)
    desk.scanners.plug()
    await pass(poll + flush)
    expect(desk.states()).toEqual([[voyager, 'ready', null]])
    expect(desk.source.view()).toMatchObject({ library: 'no-usb', problem: 'scanner/no-usb' })
    const listings = desk.scanners.listings()
    await pass(10 * poll)
    expect(desk.scanners.listings()).toBe(listings)
  })

  it('is ignored in the first 250 ms, along with the rest of a scan begun then', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    const [first, second, third] = reports(longCode)
    if (!first || !second || !third) throw new Error('three reports')
    await pass(flush - 1)
    device.send(report('old'), first, second)
    await pass(1)
    device.send(third, report('7'))
    expect(desk.texts()).toEqual(['7'])
  })

  it('is not a keyboard, another device of the usage page, or a device that is a keyboard as well', async () => {
    const fake = fakeScanners()
    fake.plug({ path: 'keys', usagePage: 0x01, usage: 0x06 })
    fake.plug({ path: 'badge', usage: 0x01 })
    fake.plug({ path: 'scale', usagePage: 0x8d })
    fake.plug({ path: 'both' })
    fake.plug({ path: 'both', usagePage: 0x01, usage: 0x06 })
    desk.begin(fake)
    await pass(flush)
    expect(desk.source.view().devices).toEqual([])
    expect(fake.open()).toEqual([])
  })

  it.each([
    ['Honeywell', 0x0c2e, [[0xfe, 0x01]]],
    ['Youjie', 0x23d0, [[0xfe, 0x01]]],
    ['Zebra', 0x05e0, []],
  ])('of %s gets the start command of its maker', async (_maker, vendorId, reportsSent) => {
    const fake = fakeScanners()
    const device = fake.plug({ vendorId })
    desk.begin(fake)
    await pass(flush)
    expect(device.started).toEqual(reportsSent)
  })

  it('that refuses the start command, or never answers it, is used anyway', async () => {
    const fake = fakeScanners()
    const refusing = fake.plug()
    const silent = fake.plug({ path: '/dev/hidraw1', product: 'Xenon' })
    refusing.refuseStarting()
    const release = silent.holdStarting()
    desk.begin(fake)
    await pass(longestCall + flush)
    refusing.send(report('1'))
    silent.send(report('2'))
    expect(desk.texts()).toEqual(['1', '2'])
    release()
  })

  it('can be one of several, with partial scans kept apart', async () => {
    const fake = fakeScanners()
    // Both have the same serial number, as cheap scanners do.
    const left = fake.plug()
    const right = fake.plug({ path: '/dev/hidraw1' })
    desk.begin(fake)
    await pass(flush)
    const [first, second, third] = reports(longCode)
    if (!first || !second || !third) throw new Error('three reports')
    left.send(first)
    right.send(report('7'))
    left.send(second, third)
    expect(desk.scans.map(({ text, device }) => [device.id, text])).toEqual([
      ['hid-2', '7'],
      ['hid-1', longCode],
    ])
  })

  it('shows an unreadable scan until the next good scan', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush)
    device.send(report('7', { length: 99 }))
    expect(desk.states()).toEqual([[voyager, 'ready', 'scanner/unreadable']])
    device.send(report('7'))
    expect(desk.states()).toEqual([[voyager, 'ready', null]])
    device.send(report('begun', { isContinued: true }))
    await pass(2_001)
    device.send(report('8'))
    expect(desk.texts()).toEqual(['7', '8'])
  })

  it('keeps working if the scan listener throws', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake, () => {
      throw new Error('a bug')
    })
    await pass(flush)
    device.send(report('7'), report('8'))
    expect(desk.source.view().devices).toMatchObject([{ state: 'ready', scans: 2 }])
  })
})

describe('searching for scanners', () => {
  it('reports a missing library, and continues once the library is there', async () => {
    const fake = fakeScanners({ hasNews: false })
    fake.plug()
    fake.failListing(missing)
    desk.begin(fake)
    await pass(0)
    expect(desk.source.view()).toEqual({ library: 'missing', problem: 'scanner/missing-library', devices: [] })
    fake.failListing(undefined)
    await pass(poll + flush)
    expect(desk.source.view()).toMatchObject({ library: 'no-usb', devices: [{ state: 'ready' }] })
  })

  it("abandons a listing that doesn't return, and tries again", async () => {
    const fake = fakeScanners()
    fake.plug()
    const go = fake.holdListing()
    desk.begin(fake)
    await pass(longestCall)
    expect(desk.source.view()).toEqual({ library: 'ok', problem: 'scanner/cannot-list', devices: [] })
    go()
    await pass(poll + flush)
    expect(desk.source.view()).toMatchObject({ problem: null, devices: [{ state: 'ready' }] })
  })

  it("doesn't pile up: any number of requests during a search cause one more", async () => {
    const fake = fakeScanners()
    const go = fake.holdListing()
    desk.begin(fake)
    await pass(0)
    for (let count = 0; count < 10; count++) desk.source.look()
    go()
    await pass(0)
    expect(fake.listings()).toBe(2)
  })

  it('keeps a working scanner if a later listing fails', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush)
    fake.failListing(missing)
    fake.news()
    await pass(settle)
    device.send(report('7'))
    expect(desk.texts()).toEqual(['7'])
  })
})
