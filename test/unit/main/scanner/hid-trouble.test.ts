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

describe('a scanner that is unplugged', () => {
  it('is shown as lost, and is the same one when it is back, in another place too', async () => {
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

  it('and plugged in again at once works, without half of the old scan', async () => {
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

  it('within its first 250 ms is not ready later, but gone', async () => {
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

  it('while it is being opened does not stay in the way', async () => {
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

  it('between opening and its start is closed', async () => {
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

  it('may leave its path to another one', async () => {
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

  it('is forgotten when a person looks anew', async () => {
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

  it('beside another one is looked for three more times, then left to the news', async () => {
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

describe('a scanner that fails', () => {
  it('while it stays plugged in is opened again at once, after it has worked for a while', async () => {
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

  it('as soon as it is open is not opened in a ring', async () => {
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

  it('while it gets its start is opened again at the next poll', async () => {
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

  it('to open for want of rights says so, and works once they are given, without a word in between', async () => {
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

  it('to open beside one that works is tried three times, and again when something is plugged in', async () => {
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

  it('to open at first when it comes back, for its rights are set a little later, is tried again', async () => {
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

  it('to open in time does not keep the others waiting, and is closed when it opens after all', async () => {
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

  it('and goes without ever having worked is not shown any more', async () => {
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
