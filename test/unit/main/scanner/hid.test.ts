import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ScannersView } from '../../../../src-shared/ipc/scanner-view'
import { systemClock } from '../../../../src-main/clock'
import { createHidSource, defaultTiming } from '../../../../src-main/scanner/hid'
import { silentLog } from '../../../../src-main/log'
import type { ScannerSource, SourceScan } from '../../../../src-main/scanner/source'
import { type FakeScanners, fakeScanners, gone } from '../../../fakes/hid-layer'
import { report, reports } from '../../../fakes/hid-reports'

const { flush, settle, poll, longestCall } = defaultTiming
const longCode = `https://tag.example/case/HF%202026%2F0417?${'x'.repeat(98)}`
const refused = new Error(
  "cannot open device with path /dev/hidraw0: Failed to open a device with path '/dev/hidraw0': Permission denied",
)
const missing = Object.assign(new Error('libusb-1.0.so.0: cannot open shared object file'), {
  code: 'ERR_DLOPEN_FAILED',
})

// The real one, for what promises still have to do while the clock stands.
const realImmediate = setImmediate
const breathe = () =>
  new Promise<void>((resolve) => {
    realImmediate(resolve)
  })

/** Turns the clock, with room for promises before and after. */
async function pass(ms: number): Promise<void> {
  await breathe()
  await vi.advanceTimersByTimeAsync(ms)
  await breathe()
}

let scanners: FakeScanners
let source: ScannerSource
let scans: SourceScan[]
let views: ScannersView[]

function begin(fake: FakeScanners, onScan: (scan: SourceScan) => void = (scan) => scans.push(scan)) {
  scanners = fake
  source = createHidSource({
    layer: fake.layer,
    clock: systemClock,
    log: silentLog,
    onScan,
    onChange: (view) => views.push(view),
  })
  source.start()
}

const texts = () => scans.map(({ text }) => text)
const states = () => source.view().devices.map(({ name, state, problem }) => [name, state, problem])
const voyager = 'Honeywell Voyager 1450g'

beforeEach(() => {
  vi.useFakeTimers()
  scans = []
  views = []
})

afterEach(async () => {
  await source.stop()
  // Nothing that keeps the process alive, nothing that still waits.
  expect(vi.getTimerCount()).toBe(0)
  expect(scanners.open()).toEqual([])
  expect(scanners.watchers()).toBe(0)
  vi.useRealTimers()
})

describe('a scanner', () => {
  it('that is there at the start is opened, and its scans come with its name and AIM id', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(0)
    expect(states()).toEqual([[voyager, 'opening', null]])
    await pass(flush)
    expect(states()).toEqual([[voyager, 'ready', null]])
    device.send(...reports(longCode), report('4006381333931', { aim: ']E0' }))
    const from = { id: 'hid-1', name: voyager }
    expect(scans).toEqual([
      { text: longCode, symbology: ']Q1', device: from },
      { text: '4006381333931', symbology: ']E0', device: from },
    ])
    expect(source.view()).toMatchObject({ library: 'ok', problem: null, devices: [{ source: 'hid', scans: 2 }] })
    expect(views.at(-1)).toEqual(source.view())
    expect(source.view().devices[0]?.lastScanAt).toBe(new Date().toISOString())
  })

  it('that is plugged in later is found by the news of it, in one look for many news', async () => {
    begin(fakeScanners())
    await pass(100)
    const device = scanners.plug()
    scanners.news(50)
    expect(scanners.listings()).toBe(1)
    await pass(settle + flush)
    expect(scanners.listings()).toBe(2)
    device.send(report('7'))
    expect(texts()).toEqual(['7'])
  })

  it('is found by a slow poll where there are no news, which stops as soon as it is connected', async () => {
    begin(fakeScanners({ hasNews: false }))
    await pass(3 * poll)
    expect(scanners.listings()).toBe(4)
    scanners.plug()
    await pass(poll + flush)
    expect(states()).toEqual([[voyager, 'ready', null]])
    expect(source.view()).toMatchObject({ library: 'no-usb', problem: 'scanner/no-usb' })
    const listings = scanners.listings()
    await pass(10 * poll)
    expect(scanners.listings()).toBe(listings)
  })

  it('is not heard in the first 250 ms, nor is the rest of what it sent then', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    const [first, second, third] = reports(longCode)
    if (!first || !second || !third) throw new Error('three reports')
    await pass(flush - 1)
    device.send(report('old'), first, second)
    await pass(1)
    device.send(third, report('7'))
    expect(texts()).toEqual(['7'])
  })

  it('is no keyboard, no other device of the page, and nothing that is a keyboard as well', async () => {
    const fake = fakeScanners()
    fake.plug({ path: 'keys', usagePage: 0x01, usage: 0x06 })
    fake.plug({ path: 'badge', usage: 0x01 })
    fake.plug({ path: 'scale', usagePage: 0x8d })
    fake.plug({ path: 'both' })
    fake.plug({ path: 'both', usagePage: 0x01, usage: 0x06 })
    begin(fake)
    await pass(flush)
    expect(source.view().devices).toEqual([])
    expect(fake.open()).toEqual([])
  })

  it.each([
    ['Honeywell', 0x0c2e, [[0xfe, 0x01]]],
    ['Youjie', 0x23d0, [[0xfe, 0x01]]],
    ['Zebra', 0x05e0, []],
  ])('of %s gets the start that its maker asks for', async (_maker, vendorId, reportsSent) => {
    const fake = fakeScanners()
    const device = fake.plug({ vendorId })
    begin(fake)
    await pass(flush)
    expect(device.started).toEqual(reportsSent)
  })

  it('that refuses the start, or never answers it, is heard all the same', async () => {
    const fake = fakeScanners()
    const refusing = fake.plug()
    const silent = fake.plug({ path: '/dev/hidraw1', product: 'Xenon' })
    refusing.refuseStarting()
    const release = silent.holdStarting()
    begin(fake)
    await pass(longestCall + flush)
    refusing.send(report('1'))
    silent.send(report('2'))
    expect(texts()).toEqual(['1', '2'])
    release()
  })

  it('may be one of several, each with its own half of a scan', async () => {
    const fake = fakeScanners()
    // The same serial number, as cheap ones have.
    const left = fake.plug()
    const right = fake.plug({ path: '/dev/hidraw1' })
    begin(fake)
    await pass(flush)
    const [first, second, third] = reports(longCode)
    if (!first || !second || !third) throw new Error('three reports')
    left.send(first)
    right.send(report('7'))
    left.send(second, third)
    expect(scans.map(({ text, device }) => [device.id, text])).toEqual([
      ['hid-2', '7'],
      ['hid-1', longCode],
    ])
  })

  it('says what it could not read, and forgets it with the next good scan', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush)
    device.send(report('7', { length: 99 }))
    expect(states()).toEqual([[voyager, 'ready', 'scanner/unreadable']])
    device.send(report('7'))
    expect(states()).toEqual([[voyager, 'ready', null]])
    device.send(report('begun', { isContinued: true }))
    await pass(2_001)
    device.send(report('8'))
    expect(texts()).toEqual(['7', '8'])
  })

  it('goes on when whoever takes its scans throws', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake, () => {
      throw new Error('a bug')
    })
    await pass(flush)
    device.send(report('7'), report('8'))
    expect(source.view().devices).toMatchObject([{ state: 'ready', scans: 2 }])
  })
})

describe('a scanner that is unplugged', () => {
  it('is shown as lost, and is the same one when it is back, in another place too', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush)
    device.send(report('1'))
    device.unplug()
    expect(states()).toEqual([[voyager, 'failed', 'scanner/lost']])
    await pass(settle)
    expect(fake.open()).toEqual([])
    await pass(10 * poll)
    expect(states()).toEqual([[voyager, 'failed', 'scanner/lost']])
    device.replug('/dev/hidraw4')
    await pass(settle + flush)
    device.send(report('2'))
    expect(source.view().devices).toMatchObject([{ id: 'hid-1', state: 'ready', problem: null, scans: 2 }])
  })

  it('and plugged in again at once works, without half of the old scan', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush)
    device.send(report('half ', { isContinued: true }))
    device.unplug()
    device.replug()
    await pass(settle + flush)
    device.send(report('7'))
    expect(texts()).toEqual(['7'])
    expect(states()).toEqual([[voyager, 'ready', null]])
  })

  it('within its first 250 ms is not ready later, but gone', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush - 1)
    device.unplug()
    expect(states()).toEqual([[voyager, 'failed', 'scanner/lost']])
    await pass(settle + poll)
    expect(source.view().devices).toEqual([])
    expect(views.flatMap(({ devices }) => devices).some(({ state }) => state === 'ready')).toBe(false)
  })

  it('while it is being opened does not stay in the way', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    const open = device.holdOpening()
    begin(fake)
    await pass(10)
    device.unplug()
    open()
    await pass(settle)
    expect(source.view().devices).toEqual([])
    device.replug()
    await pass(settle + flush)
    expect(states()).toEqual([[voyager, 'ready', null]])
  })

  it('between opening and its start is closed', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    const start = device.holdStarting()
    begin(fake)
    await pass(10)
    device.unplug()
    start()
    await pass(settle)
    expect(fake.open()).toEqual([])
    expect(states()).not.toContainEqual([voyager, 'ready', null])
  })

  it('may leave its path to another one', async () => {
    const fake = fakeScanners()
    const first = fake.plug()
    begin(fake)
    await pass(flush)
    first.unplug()
    const second = fake.plug({ product: 'Xenon 1900', serialNumber: '2' })
    await pass(settle + flush)
    second.send(report('7'))
    expect(scans.map(({ device }) => device)).toEqual([{ id: 'hid-2', name: 'Honeywell Xenon 1900' }])
    expect(states()).toEqual([
      [voyager, 'failed', 'scanner/lost'],
      ['Honeywell Xenon 1900', 'ready', null],
    ])
  })

  it('is forgotten when a person looks anew', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush)
    device.unplug()
    await pass(settle)
    source.look()
    await pass(0)
    expect(source.view().devices).toEqual([])
  })

  it('beside another one is looked for three more times, then left to the news', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    fake.plug({ path: '/dev/hidraw1' })
    begin(fake)
    await pass(flush)
    device.unplug()
    await pass(20 * poll)
    const listings = fake.listings()
    expect(listings).toBeLessThanOrEqual(5)
    await pass(20 * poll)
    expect(fake.listings()).toBe(listings)
    device.replug()
    await pass(settle + flush)
    expect(states().map(([, state]) => state)).toEqual(['ready', 'ready'])
  })
})

describe('a scanner that fails', () => {
  it('while it stays plugged in is opened again at once, after it has worked for a while', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush + poll)
    device.fail(gone)
    expect(fake.open()).toEqual(['/dev/hidraw0'])
    await pass(settle + flush)
    device.send(report('7'))
    expect(texts()).toEqual(['7'])
  })

  it('as soon as it is open is not opened in a ring', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush)
    const listings = fake.listings()
    for (let round = 0; round < 6; round++) {
      device.fail('could not read from HID device: ReadFile: (0x00000005) Access is denied.')
      expect(states()).toEqual([[voyager, 'failed', 'scanner/busy']])
      await pass(poll - 1)
      expect(fake.listings() - listings).toBe(round)
      await pass(1 + flush)
    }
    expect(fake.listings() - listings).toBe(6)
    expect(states()).toEqual([[voyager, 'ready', null]])
  })

  it('while it gets its start is opened again at the next poll', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    const start = device.holdStarting()
    begin(fake)
    await pass(10)
    device.fail(gone)
    start()
    await pass(flush)
    expect(states()).toEqual([[voyager, 'failed', 'scanner/lost']])
    expect(fake.open()).toEqual([])
    await pass(poll)
    expect(states()).toEqual([[voyager, 'ready', null]])
  })

  it('to open for want of rights says so, and works once they are given, without a word in between', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    device.refuse(refused)
    begin(fake)
    await pass(3 * poll)
    expect(states()).toEqual([[voyager, 'failed', 'scanner/no-permission']])
    expect(views).toHaveLength(2)
    device.refuse(undefined)
    await pass(poll + flush)
    expect(states()).toEqual([[voyager, 'ready', null]])
  })

  it('to open beside one that works is tried three times, and again when something is plugged in', async () => {
    const fake = fakeScanners()
    fake.plug()
    const device = fake.plug({ path: '/dev/hidraw1', product: 'Xenon' })
    device.refuse(refused)
    begin(fake)
    await pass(20 * poll)
    expect(fake.listings()).toBe(3)
    device.refuse(undefined)
    fake.news()
    await pass(settle + flush)
    expect(states()).toEqual([
      [voyager, 'ready', null],
      ['Honeywell Xenon', 'ready', null],
    ])
  })

  it('to open at first when it comes back, for its rights are set a little later, is tried again', async () => {
    const fake = fakeScanners()
    fake.plug({ path: '/dev/hidraw1' })
    const device = fake.plug()
    begin(fake)
    await pass(flush)
    device.unplug()
    await pass(20 * poll)
    device.refuse(refused)
    device.replug()
    await pass(settle)
    expect(states()).toContainEqual([voyager, 'failed', 'scanner/no-permission'])
    device.refuse(undefined)
    await pass(poll + flush)
    expect(states().map(([, state]) => state)).toEqual(['ready', 'ready'])
  })

  it('to open in time does not keep the others waiting, and is closed when it opens after all', async () => {
    const fake = fakeScanners()
    const slow = fake.plug()
    const open = slow.holdOpening()
    fake.plug({ path: '/dev/hidraw1', product: 'Xenon' })
    begin(fake)
    await pass(longestCall + flush)
    expect(states()).toEqual([
      [voyager, 'failed', 'scanner/cannot-open'],
      ['Honeywell Xenon', 'ready', null],
    ])
    open()
    await pass(0)
    expect(fake.open()).toEqual(['/dev/hidraw1'])
  })

  it('and goes without ever having worked is not shown any more', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    device.refuse(refused)
    begin(fake)
    await pass(0)
    device.unplug()
    await pass(settle)
    expect(source.view().devices).toEqual([])
  })
})

describe('looking for scanners', () => {
  it('says that the library is missing, and goes on by itself once it is there', async () => {
    const fake = fakeScanners({ hasNews: false })
    fake.plug()
    fake.failListing(missing)
    begin(fake)
    await pass(0)
    expect(source.view()).toEqual({ library: 'missing', problem: 'scanner/missing-library', devices: [] })
    fake.failListing(undefined)
    await pass(poll + flush)
    expect(source.view()).toMatchObject({ library: 'no-usb', devices: [{ state: 'ready' }] })
  })

  it('gives up a listing that does not return, and tries again', async () => {
    const fake = fakeScanners()
    fake.plug()
    const go = fake.holdListing()
    begin(fake)
    await pass(longestCall)
    expect(source.view()).toEqual({ library: 'ok', problem: 'scanner/cannot-list', devices: [] })
    go()
    await pass(poll + flush)
    expect(source.view()).toMatchObject({ problem: null, devices: [{ state: 'ready' }] })
  })

  it('does not pile up: while one look is under way, any number of wishes are one more', async () => {
    const fake = fakeScanners()
    const go = fake.holdListing()
    begin(fake)
    await pass(0)
    for (let count = 0; count < 10; count++) source.look()
    go()
    await pass(0)
    expect(fake.listings()).toBe(2)
  })

  it('keeps a scanner that works when a later listing fails', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush)
    fake.failListing(missing)
    fake.news()
    await pass(settle)
    device.send(report('7'))
    expect(texts()).toEqual(['7'])
  })
})

describe('stopping', () => {
  it('while a scanner opens does not wait for it, and closes it when it opens', async () => {
    const fake = fakeScanners()
    const open = fake.plug().holdOpening()
    begin(fake)
    await pass(10)
    await source.stop()
    open()
    await breathe()
    expect(fake.open()).toEqual([])
  })

  it('while devices are listed opens none of them', async () => {
    const fake = fakeScanners()
    fake.plug()
    const go = fake.holdListing()
    begin(fake)
    await pass(10)
    await source.stop()
    go()
    await breathe()
    expect(fake.open()).toEqual([])
  })

  it('before the news are on takes them off', async () => {
    const fake = fakeScanners()
    begin(fake)
    await source.stop()
    await breathe()
    expect(fake.watchers()).toBe(0)
  })

  it('is the end of every word: scans, errors, news, looks', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    begin(fake)
    await pass(flush)
    const heard = views.length
    const stopped = source.stop()
    device.send(report('7'))
    device.fail(gone)
    fake.news()
    await stopped
    source.look()
    device.send(report('7'))
    fake.plug({ path: '/dev/hidraw1' })
    await pass(10 * poll)
    expect(scans).toEqual([])
    expect(views).toHaveLength(heard)
    expect(fake.listings()).toBe(1)
  })

  it('in the tick in which a scanner opens closes it before it is read', async () => {
    const fake = fakeScanners()
    const device = fake.plug({ vendorId: 0x05e0 })
    const open = device.holdOpening()
    begin(fake)
    await pass(10)
    open()
    // Anywhere between the opening and the first reading.
    for (let ticks = 0; ticks < 6; ticks++) await Promise.resolve()
    await source.stop()
    await breathe()
    expect(fake.open()).toEqual([])
  })

  it('may be done twice, and before the start', async () => {
    begin(fakeScanners())
    await source.stop()
    await source.stop()
    const never = createHidSource({
      layer: scanners.layer,
      clock: systemClock,
      log: silentLog,
      onScan: () => undefined,
    })
    await never.stop()
    never.start()
    await breathe()
    expect(scanners.listings()).toBe(0)
    expect(scanners.watchers()).toBe(0)
  })
})
