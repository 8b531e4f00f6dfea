import { describe, expect, it } from 'vitest'
import { defaultTiming } from '../../../../src-main/scanner/hid'
import { fakeScanners, gone } from '../../../fakes/hid-layer'
import { report } from '../../../fakes/hid-reports'
import { hidDesk, pass, voyager } from './hid-desk'

const { flush, settle, poll, longestCall } = defaultTiming

const refused = new Error(
  "cannot open device with path /dev/hidraw0: Failed to open a device with path '/dev/hidraw0': Permission denied",
)

const desk = hidDesk()

describe('an unplugged scanner', () => {
  it('is shown as lost, and recognized when it returns, also on another port', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush)
    device.send(report('1'))
    device.unplug()
    expect(desk.states()).toEqual([[voyager, 'failed', 'scanner/lost']])
    await pass(settle)
    expect(fake.open()).toEqual([])
    await pass(10 * poll)
    expect(desk.states()).toEqual([[voyager, 'failed', 'scanner/lost']])
    device.replug('/dev/hidraw4')
    await pass(settle + flush)
    device.send(report('2'))
    expect(desk.source.view().devices).toMatchObject([{ id: 'hid-1', state: 'ready', problem: null, scans: 2 }])
  })

  it('that is replugged at once works again, without half of the old scan', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush)
    device.send(report('half ', { isContinued: true }))
    device.unplug()
    device.replug()
    await pass(settle + flush)
    device.send(report('7'))
    expect(desk.texts()).toEqual(['7'])
    expect(desk.states()).toEqual([[voyager, 'ready', null]])
  })

  it('that is unplugged within its first 250 ms never becomes ready, but is gone', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush - 1)
    device.unplug()
    expect(desk.states()).toEqual([[voyager, 'failed', 'scanner/lost']])
    await pass(settle + poll)
    expect(desk.source.view().devices).toEqual([])
    expect(desk.views.flatMap(({ devices }) => devices).some(({ state }) => state === 'ready')).toBe(false)
  })

  it('that is unplugged while being opened works after replugging', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    const open = device.holdOpening()
    desk.begin(fake)
    await pass(10)
    device.unplug()
    open()
    await pass(settle)
    expect(desk.source.view().devices).toEqual([])
    device.replug()
    await pass(settle + flush)
    expect(desk.states()).toEqual([[voyager, 'ready', null]])
  })

  it('that is unplugged between opening and start is closed', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    const start = device.holdStarting()
    desk.begin(fake)
    await pass(10)
    device.unplug()
    start()
    await pass(settle)
    expect(fake.open()).toEqual([])
    expect(desk.states()).not.toContainEqual([voyager, 'ready', null])
  })

  it('can leave its path to another scanner', async () => {
    const fake = fakeScanners()
    const first = fake.plug()
    desk.begin(fake)
    await pass(flush)
    first.unplug()
    const second = fake.plug({ product: 'Xenon 1900', serialNumber: '2' })
    await pass(settle + flush)
    second.send(report('7'))
    expect(desk.scans.map(({ device }) => device)).toEqual([{ id: 'hid-2', name: 'Honeywell Xenon 1900' }])
    expect(desk.states()).toEqual([
      [voyager, 'failed', 'scanner/lost'],
      ['Honeywell Xenon 1900', 'ready', null],
    ])
  })

  it('is forgotten when a person searches again', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush)
    device.unplug()
    await pass(settle)
    desk.source.look()
    await pass(0)
    expect(desk.source.view().devices).toEqual([])
  })

  it('next to a working one is searched for at most three more times, then only on USB events', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    fake.plug({ path: '/dev/hidraw1' })
    desk.begin(fake)
    await pass(flush)
    device.unplug()
    await pass(20 * poll)
    const listings = fake.listings()
    expect(listings).toBeLessThanOrEqual(5)
    await pass(20 * poll)
    expect(fake.listings()).toBe(listings)
    device.replug()
    await pass(settle + flush)
    expect(desk.states().map(([, state]) => state)).toEqual(['ready', 'ready'])
  })
})

describe('a failing scanner', () => {
  it('that stays plugged in is reopened at once if it had worked for a while', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush + poll)
    device.fail(gone)
    expect(fake.open()).toEqual(['/dev/hidraw0'])
    await pass(settle + flush)
    device.send(report('7'))
    expect(desk.texts()).toEqual(['7'])
  })

  it('that fails right after opening is reopened only at each poll', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush)
    const listings = fake.listings()
    for (let round = 0; round < 6; round++) {
      device.fail('could not read from HID device: ReadFile: (0x00000005) Access is denied.')
      expect(desk.states()).toEqual([[voyager, 'failed', 'scanner/busy']])
      await pass(poll - 1)
      expect(fake.listings() - listings).toBe(round)
      await pass(1 + flush)
    }
    expect(fake.listings() - listings).toBe(6)
    expect(desk.states()).toEqual([[voyager, 'ready', null]])
  })

  it('that fails during its start is reopened at the next poll', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    const start = device.holdStarting()
    desk.begin(fake)
    await pass(10)
    device.fail(gone)
    start()
    await pass(flush)
    expect(desk.states()).toEqual([[voyager, 'failed', 'scanner/lost']])
    expect(fake.open()).toEqual([])
    await pass(poll)
    expect(desk.states()).toEqual([[voyager, 'ready', null]])
  })

  it("that can't be opened without permission says so, and works once it is granted, announcing nothing in between", async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    device.refuse(refused)
    desk.begin(fake)
    await pass(3 * poll)
    expect(desk.states()).toEqual([[voyager, 'failed', 'scanner/no-permission']])
    expect(desk.views).toHaveLength(2)
    device.refuse(undefined)
    await pass(poll + flush)
    expect(desk.states()).toEqual([[voyager, 'ready', null]])
  })

  it("that can't be opened next to a working one is tried three times, and again when a device is plugged in", async () => {
    const fake = fakeScanners()
    fake.plug()
    const device = fake.plug({ path: '/dev/hidraw1', product: 'Xenon' })
    device.refuse(refused)
    desk.begin(fake)
    await pass(20 * poll)
    expect(fake.listings()).toBe(3)
    device.refuse(undefined)
    fake.news()
    await pass(settle + flush)
    expect(desk.states()).toEqual([
      [voyager, 'ready', null],
      ['Honeywell Xenon', 'ready', null],
    ])
  })

  it("that can't be opened right after plugging in, because permissions are set later, is tried again", async () => {
    const fake = fakeScanners()
    fake.plug({ path: '/dev/hidraw1' })
    const device = fake.plug()
    desk.begin(fake)
    await pass(flush)
    device.unplug()
    await pass(20 * poll)
    device.refuse(refused)
    device.replug()
    await pass(settle)
    expect(desk.states()).toContainEqual([voyager, 'failed', 'scanner/no-permission'])
    device.refuse(undefined)
    await pass(poll + flush)
    expect(desk.states().map(([, state]) => state)).toEqual(['ready', 'ready'])
  })

  it("that opens too slowly doesn't delay the others, and is closed if it opens after all", async () => {
    const fake = fakeScanners()
    const slow = fake.plug()
    const open = slow.holdOpening()
    fake.plug({ path: '/dev/hidraw1', product: 'Xenon' })
    desk.begin(fake)
    await pass(longestCall + flush)
    expect(desk.states()).toEqual([
      [voyager, 'failed', 'scanner/cannot-open'],
      ['Honeywell Xenon', 'ready', null],
    ])
    open()
    await pass(0)
    expect(fake.open()).toEqual(['/dev/hidraw1'])
  })

  it('that is unplugged without ever having worked is no longer shown', async () => {
    const fake = fakeScanners()
    const device = fake.plug()
    device.refuse(refused)
    desk.begin(fake)
    await pass(0)
    device.unplug()
    await pass(settle)
    expect(desk.source.view().devices).toEqual([])
  })
})
