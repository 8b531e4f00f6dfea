import { beforeEach, describe, expect, it } from 'vitest'
import { type KnownPrefixes, nothingKnown } from '../../../../src-shared/scan/known'
import type { Scan, ScanSource } from '../../../../src-shared/scan/meaning'
import { lineOf } from '../../../../src-main/scanner/scan-line'
import { type Reads, type ScanHub, createScanHub, noteRead, repeatWindow } from '../../../../src-main/scanner/scanners'
import { type HandClock, handClock } from '../../../fakes/clock'

const id = 'a6YvvLF5tXSydNkLnHDXG5'
const left = { symbology: ']Q1', device: { id: 'hid-1', name: 'Voyager' } }
const right = { symbology: null, device: { id: 'hid-2', name: 'Voyager' } }

describe('the scan hub', () => {
  let clock: HandClock
  let hub: ScanHub
  let scans: Scan[]
  let known: KnownPrefixes
  const texts = () => scans.map(({ raw }) => raw)

  beforeEach(() => {
    clock = handClock()
    scans = []
    known = nothingKnown
    hub = createScanHub({ clock, known: () => known, onScan: (scan) => scans.push(scan) })
  })

  it('numbers scans, with the scanner and the symbology of each', () => {
    hub.setPlace('receiving')
    hub.submit(id, 'hid', { readBy: left })
    hub.submit('nonsense', 'wedge')
    expect(scans).toMatchObject([
      { seq: 1, source: 'hid', device: 'Voyager', symbology: ']Q1', raw: id, meaning: { kind: 'case', caseId: id } },
      { seq: 2, source: 'wedge', device: null, symbology: null, raw: 'nonsense', meaning: { kind: 'unknown' } },
    ])
  })

  it('keeps the text of a join code out of its scan, and hands it over without what the scanner adds', () => {
    const codes: string[] = []
    hub = createScanHub({
      clock,
      known: () => known,
      onScan: (scan) => scans.push(scan),
      onJoinCode: (text) => codes.push(text),
    })
    const text = `CTJOIN1${'MZXW6YTBOI'.repeat(200)}`
    hub.submit(`]Q1${text}\r`, 'wedge')
    hub.submit(text, 'hid', { readBy: left })
    // The end of a code that a scanner sent in two parts.
    hub.submit(text.slice(900), 'hid', { readBy: right })
    expect(codes).toEqual([text, text, text.slice(900)])
    expect(scans).toMatchObject([1, 2, 3].map((seq) => ({ seq, raw: '', meaning: { kind: 'join' } })))
    expect(JSON.stringify(scans)).not.toContain('MZXW')
  })

  it('gives a proof for the badge of a person, before any other meaning but actions, and keeps no text of it', () => {
    const proof = '00000000-0000-4000-8000-000000000001'
    const asked: string[] = []
    const printed = 'CTB:ABCDEFGHIJKLMNOP'
    hub = createScanHub({
      clock,
      known: () => known,
      onScan: (scan) => scans.push(scan),
      badgeOf(text) {
        asked.push(text)
        return text === id || text === 'CARD-7' ? { kind: 'badge', badge: 'AN', proof } : undefined
      },
    })
    hub.submit(`]Q1${id}`, 'hid', { readBy: left })
    hub.submit('CARD-7\r', 'wedge')
    hub.submit('CT:UNDO', 'wedge')
    // A code that a person types proves nothing.
    hub.submit('CARD-7', 'typed')
    hub.submit(printed.toLowerCase(), 'wedge')
    expect(scans).toMatchObject([
      { raw: '', meaning: { kind: 'badge', badge: 'AN', proof } },
      { raw: '', meaning: { kind: 'badge', badge: 'AN', proof } },
      { raw: 'CT:UNDO', meaning: { kind: 'action' } },
      { raw: 'CARD-7', meaning: { kind: 'unknown' } },
      { raw: '', meaning: { kind: 'badge', badge: '', proof: null } },
    ])
    expect(asked).toEqual([id, 'CARD-7', printed.toLowerCase()])
    expect(scans.map((scan) => lineOf(scan)).filter(({ kind }) => kind === 'badge')).toMatchObject(
      [1, 2, 3].map(() => ({ meaning: null, raw: null })),
    )
  })

  it('classifies by what the station knows at that moment, and passes on keyboard troubles', () => {
    hub.submit('O-17', 'wedge')
    known = { ...nothingKnown, scanPrefixes: { order: 'O-', badge: '' } }
    hub.submit('O-18', 'wedge', { troubles: ['caps-lock'] })
    expect(scans).toMatchObject([{ meaning: { kind: 'unknown' } }, { meaning: { kind: 'order', orderId: '18' } }])
    expect([scans[0]?.troubles, scans[1]?.troubles]).toEqual([undefined, ['caps-lock']])
  })

  it.each<ScanSource>(['hid', 'wedge', 'practice'])(
    'counts the same code twice within 1.2 s as one scan: %s',
    (source) => {
      const submit = () => hub.submit(id, source, source === 'hid' ? { readBy: left } : undefined)
      submit()
      clock.advance(repeatWindow - 1)
      submit()
      expect(scans.map(({ seq }) => seq)).toEqual([1])
      clock.advance(repeatWindow)
      submit()
      expect(scans.map(({ seq }) => seq)).toEqual([1, 2])
    },
  )

  it('counts typed codes every time', () => {
    hub.submit(id, 'typed')
    hub.submit(id, 'typed')
    expect(scans).toHaveLength(2)
  })

  it('counts the same code from two scanners as two scans, even if their names are equal', () => {
    hub.submit(id, 'hid', { readBy: left })
    hub.submit(id, 'hid', { readBy: right })
    hub.submit(id, 'wedge')
    expect(scans).toHaveLength(3)
  })

  it('counts a code that stays in view once, until another code is read', () => {
    for (let count = 0; count < 20; count++) {
      hub.submit('7', 'hid', { readBy: left })
      clock.advance(500)
    }
    expect(texts()).toEqual(['7'])
    hub.submit('8', 'hid', { readBy: left })
    hub.submit('7', 'hid', { readBy: left })
    expect(texts()).toEqual(['7', '8', '7'])
  })

  it('counts the same code again in another place, or when the effect of a scan has changed', () => {
    hub.submit(id, 'wedge')
    hub.setPlace('checkout')
    hub.submit(id, 'wedge')
    hub.submit(id, 'wedge')
    // From selling to returning.
    hub.setPlace('checkout')
    hub.submit(id, 'wedge')
    hub.submit(id, 'wedge')
    expect(scans).toHaveLength(3)
  })

  it.each(['CT:REMOVE', ']Q1ct:remove\r'])('counts %s once although it changed the effect of scans', (action) => {
    hub.setPlace('checkout')
    hub.submit(id, 'hid', { readBy: right })
    for (let count = 0; count < 5; count++) {
      hub.submit(action, 'hid', { readBy: left })
      hub.setPlace('checkout')
      clock.advance(500)
    }
    hub.submit(id, 'hid', { readBy: right })
    expect(texts()).toEqual([id, action, id])
  })

  it.each([
    [1_200, 4, 4],
    [1_000, 4, 2],
    [850, 4, 2],
    // At these intervals, the scanner sees the code as still in view.
    [750, 20, 1],
    [600, 20, 1],
    [300, 40, 1],
    [50, 200, 1],
  ])('a confirmed action can be answered: scanned every %i ms, %i times, it counts %i times', (gap, times, counted) => {
    for (let count = 0; count < times; count++) {
      hub.submit('CT:CANCEL', 'hid', { readBy: left })
      clock.advance(gap)
    }
    expect(scans).toHaveLength(counted)
  })

  it('an action that stayed in view can be scanned again 1.2 s after it left', () => {
    for (let count = 0; count < 20; count++) {
      hub.submit('CT:CANCEL', 'wedge')
      clock.advance(count < 19 ? 100 : repeatWindow)
    }
    hub.submit('CT:CANCEL', 'wedge')
    expect(texts()).toEqual(['CT:CANCEL', 'CT:CANCEL'])
  })
})

describe('repeats', () => {
  it('remember one scan per scanner, and forget it when the clock is set back', () => {
    let reads: Reads = new Map()
    for (let count = 0; count < 100; count++) ({ reads } = noteRead(reads, 'a', `${count}`, count))
    expect([...reads]).toEqual([['a', { text: '99', scannedAt: 99, readAt: 99 }]])
    expect(noteRead(reads, 'a', '99', 98).isRepeat).toBe(false)
    expect(noteRead(reads, 'a', '99', 99).isRepeat).toBe(true)
  })
})
