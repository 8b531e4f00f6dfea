import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../../../src-main/core/clock'
import { openScanner } from '../../../../src-main/scanner/hid-scanner'
import { candidatesAmong } from '../../../../src-main/scanner/roster'
import { fakeScanners, gone } from '../../../fakes/hid-layer'
import { report } from '../../../fakes/hid-reports'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

it('a scanner that fails during its start is reported once, and never again', async () => {
  const fake = fakeScanners()
  const device = fake.plug()
  const start = device.holdStarting()
  const [candidate] = candidatesAmong(await fake.layer.hid.devices())
  if (!candidate) throw new Error('one scanner')
  const told: string[] = []
  const opening = openScanner({
    hid: fake.layer.hid,
    candidate,
    clock: systemClock,
    flush: 250,
    longestCall: 5_000,
    signal: new AbortController().signal,
    events: {
      onReady: () => told.push('ready'),
      onScan: () => told.push('scan'),
      onTrouble: () => told.push('trouble'),
      onLost: (problem) => told.push(problem),
    },
  })
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  device.fail(gone)
  device.fail(gone)
  start()
  const opened = await opening
  await vi.advanceTimersByTimeAsync(10_000)
  device.send(report('7'))
  expect(told).toEqual(['scanner/lost'])
  expect(vi.getTimerCount()).toBe(0)
  if (opened.ok) await opened.value.close()
  expect(fake.open()).toEqual([])
})
