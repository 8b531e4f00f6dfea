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
  const numbers = () => recent.rows?.map(({ number }) => number)
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
    const loading = recent.load()
    await fake.next('scanner.recent').answer(page([9, 8], 8))
    await loading
    const appending = recent.more()
    const asked = fake.next('scanner.recent')
    expect(asked.input).toEqual({ before: 8 })
    // Two presses load the older scans once.
    void recent.more()
    await asked.answer(page([7, 6]))
    await appending
    expect(numbers()).toEqual([9, 8, 7, 6])
    expect(recent.isWhole).toBe(true)
    recent.scanned()
    await recent.more()
    expect(fake.asked).toEqual([])
  })

  it('show why they can’t be read, keep the loaded rows, and can be read again', async () => {
    const { fake, recent, numbers } = open()
    const loading = recent.load()
    await fake.next('scanner.recent').answer(page([9], 9))
    await loading
    const appending = recent.more()
    await fake.next('scanner.recent').disconnect()
    await appending
    expect(recent.error?.code).toBe('ipc/disconnected')
    expect(numbers()).toEqual([9])
    const again = recent.load()
    await fake.next('scanner.recent').answer(page([10, 9], 9))
    await again
    expect(recent.error).toBeNull()
    expect(numbers()).toEqual([10, 9])
    expect(recent.isWhole).toBe(false)
  })
})
