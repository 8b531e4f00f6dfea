import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { RecordedScan } from '../../../src-shared/ipc/contract/scanner'
import { RecentScans } from '../../../src-renderer/settings/recent-scans.svelte'
import { createFakeWire } from './fake-wire'

const recorded = (number: number) =>
  RecordedScan.parse({
    number,
    at: '2026-11-12T14:32:11.000Z',
    source: 'wedge',
    device: null,
    symbology: null,
    kind: 'unknown',
    meaning: null,
    raw: null,
  })
const page = (numbers: number[], older: number | null = null) => ({ scans: numbers.map(recorded), older })

function open() {
  const fake = createFakeWire()
  const recent = new RecentScans(createClient(fake.wire))
  const numbers = () => recent.scans?.map(({ number }) => number)
  return { fake, recent, numbers }
}

describe('recent scans', () => {
  it('are the newest scans, read again after each scan, whichever answer comes last', async () => {
    const { fake, recent, numbers } = open()
    expect(numbers()).toBeUndefined()
    void recent.load()
    const slow = fake.next('scanner.recent')
    expect(slow.input).toEqual({})
    void recent.load()
    await fake.next('scanner.recent').answer(page([2, 1]))
    await slow.answer(page([1]))
    expect(numbers()).toEqual([2, 1])
  })

  it('continue with older ones, and then stay as they are while scans come in', async () => {
    const { fake, recent, numbers } = open()
    void recent.load()
    await fake.next('scanner.recent').answer(page([9, 8], 8))
    void recent.loadOlder()
    expect(fake.next('scanner.recent').input).toEqual({ before: 8 })
    // Two presses load the older scans once.
    void recent.loadOlder()
    await fake.next('scanner.recent').answer(page([7, 6]))
    expect(numbers()).toEqual([9, 8, 7, 6])
    expect(recent.older).toBeNull()
    await recent.load()
    await recent.loadOlder()
    expect(fake.asked).toEqual([])
  })

  it('show why they can’t be read, keep the loaded rows, and can be read again', async () => {
    const { fake, recent, numbers } = open()
    void recent.load()
    await fake.next('scanner.recent').answer(page([9], 9))
    void recent.loadOlder()
    await fake.next('scanner.recent').disconnect()
    expect(recent.error?.code).toBe('ipc/disconnected')
    expect(numbers()).toEqual([9])
    void recent.load()
    await fake.next('scanner.recent').answer(page([10, 9], 9))
    expect(recent.error).toBeNull()
    expect(numbers()).toEqual([10, 9])
    expect(recent.older).toBe(9)
  })
})
