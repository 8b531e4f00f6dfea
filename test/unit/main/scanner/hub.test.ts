import { beforeEach, describe, expect, it } from 'vitest'
import { type Known, nothingKnown } from '../../../../src-shared/scan/known'
import type { Scan, ScanSource } from '../../../../src-shared/scan/meaning'
import { type ScanHub, createScanHub } from '../../../../src-main/scanner/hub'
import { type Reads, noteRead, repeatWindow } from '../../../../src-main/scanner/repeats'
import { type HandClock, handClock } from '../../../fakes/clock'

const id = 'a6YvvLF5tXSydNkLnHDXG5'
const left = { symbology: ']Q1', device: { id: 'hid-1', name: 'Voyager' } }
const right = { symbology: null, device: { id: 'hid-2', name: 'Voyager' } }

describe('the scan hub', () => {
  let clock: HandClock
  let hub: ScanHub
  let scans: Scan[]
  let known: Known
  const texts = () => scans.map(({ raw }) => raw)

  beforeEach(() => {
    clock = handClock()
    scans = []
    known = nothingKnown
    hub = createScanHub({ clock, known: () => known, onScan: (scan) => scans.push(scan) })
  })

  it('numbers scans, and says who read them and what kind of barcode it was', () => {
    hub.setPlace('receiving')
    hub.submit(id, 'hid', { readBy: left })
    hub.submit('nonsense', 'wedge')
    expect(scans).toMatchObject([
      { seq: 1, source: 'hid', device: 'Voyager', symbology: ']Q1', raw: id, meaning: { kind: 'case', caseId: id } },
      { seq: 2, source: 'wedge', device: null, symbology: null, raw: 'nonsense', meaning: { kind: 'unknown' } },
    ])
  })

  it('reads by what the station knows at that moment, and hands on what was amiss with the keys', () => {
    hub.submit('O-17', 'wedge')
    known = { ...nothingKnown, scanPrefixes: { order: 'O-', badge: '' } }
    hub.submit('O-18', 'wedge', { troubles: ['caps-lock'] })
    expect(scans).toMatchObject([{ meaning: { kind: 'unknown' } }, { meaning: { kind: 'order', orderId: '18' } }])
    expect([scans[0]?.troubles, scans[1]?.troubles]).toEqual([undefined, ['caps-lock']])
  })

  it.each<ScanSource>(['hid', 'wedge', 'practice'])('takes the same code twice within 1.2 s for one: %s', (source) => {
    const submit = () => hub.submit(id, source, source === 'hid' ? { readBy: left } : undefined)
    submit()
    clock.advance(repeatWindow - 1)
    submit()
    expect(scans.map(({ seq }) => seq)).toEqual([1])
    clock.advance(repeatWindow)
    submit()
    expect(scans.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('takes what a person types as often as it is typed', () => {
    hub.submit(id, 'typed')
    hub.submit(id, 'typed')
    expect(scans).toHaveLength(2)
  })

  it('takes the same code from two scanners as two, of the same name too', () => {
    hub.submit(id, 'hid', { readBy: left })
    hub.submit(id, 'hid', { readBy: right })
    hub.submit(id, 'wedge')
    expect(scans).toHaveLength(3)
  })

  it('takes a code that stays in view for one, however long, and another one in between for an end of that', () => {
    for (let count = 0; count < 20; count++) {
      hub.submit('7', 'hid', { readBy: left })
      clock.advance(500)
    }
    expect(texts()).toEqual(['7'])
    hub.submit('8', 'hid', { readBy: left })
    hub.submit('7', 'hid', { readBy: left })
    expect(texts()).toEqual(['7', '8', '7'])
  })

  it('takes the same code in another place for a new scan', () => {
    hub.submit(id, 'wedge')
    hub.setPlace('checkout')
    hub.submit(id, 'wedge')
    hub.setPlace('checkout')
    hub.submit(id, 'wedge')
    expect(scans).toHaveLength(2)
  })
})

describe('repeats', () => {
  it('remember one scan a reader, and nothing across a clock that was set back', () => {
    let reads: Reads = new Map()
    for (let count = 0; count < 100; count++) ({ reads } = noteRead(reads, 'a', `${count}`, count))
    expect([...reads]).toEqual([['a', { text: '99', at: 99 }]])
    expect(noteRead(reads, 'a', '99', 98).isRepeat).toBe(false)
    expect(noteRead(reads, 'a', '99', 99).isRepeat).toBe(true)
  })
})
