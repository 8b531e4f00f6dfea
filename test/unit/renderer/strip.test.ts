import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { TagId } from '../../../src-shared/ids'
import type { Sound } from '../../../src-renderer/scan/sounds'
import { type ScanOutcome, ScanStrip, type StripAction } from '../../../src-renderer/scan/strip.svelte'
import { Hand, StripRoom } from '../../../src-renderer/scan/strip-room.svelte'
import { claimText } from '../../../src-renderer/store/claim-text'
import { loadTexts, write } from '../../../src-renderer/text/text.svelte'
import { at } from './examples'

const good = (name: string): ScanOutcome => ({ tone: 'good', what: { key: 'checkout.scan.added', values: { name } } })

function createStrip() {
  const sounds: Sound[] = []
  const strip = new ScanStrip((sound) => sounds.push(sound))
  const begin = (seq: number) => strip.begin({ seq, at }, { key: 'scan.read.tag' })
  return { strip, sounds, begin }
}

describe('the scan strip', () => {
  it('shows a scan at once, and its outcome in the same notice', () => {
    const { strip, sounds, begin } = createStrip()
    begin(1)
    expect(strip.current?.tone).toBe('working')
    strip.settle(1, good('A'))
    expect(strip.current).toMatchObject({ seq: 1, tone: 'good' })
    expect(strip.previous).toBeNull()
    expect(sounds).toEqual(['good'])
  })

  it('puts a slow answer in its own notice, never over a newer scan', () => {
    const { strip, begin } = createStrip()
    begin(1)
    begin(2)
    strip.settle(2, good('B'))
    strip.settle(1, good('A'))
    expect(strip.current?.what.values).toEqual({ name: 'B' })
    expect(strip.previous?.what.values).toEqual({ name: 'A' })
  })

  it('drops a good answer to a scan that is no longer shown, without a sound', () => {
    const { strip, sounds, begin } = createStrip()
    for (const seq of [1, 2, 3]) begin(seq)
    strip.settle(1, good('A'))
    expect([strip.current?.seq, strip.previous?.seq]).toEqual([3, 2])
    expect(sounds).toEqual([])
  })

  it('shows a refusal after two newer scans in place of the earlier scan, with its own time', () => {
    const { strip, sounds } = createStrip()
    for (const seq of [1, 2, 3]) strip.begin({ seq, at: `2026-11-12T14:02:1${seq}Z` }, { key: 'scan.read.tag' })
    strip.settle(1, { tone: 'bad', what: { key: 'error.checkout/duplicate.what' } })
    expect([strip.current?.seq, strip.previous?.seq]).toEqual([3, 1])
    expect(strip.previous).toMatchObject({ tone: 'bad', at: '2026-11-12T14:02:11Z' })
    strip.settle(2, good('B'))
    expect(sounds).toEqual(['bad'])
  })

  it('has said a refusal that was in front: only one that came late is still to be said', () => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, { tone: 'bad', what: { key: 'error.checkout/duplicate.what' } })
    begin(2)
    expect([strip.previous?.seq, strip.previous?.isLate]).toEqual([1, false])
    begin(3)
    strip.settle(2, { tone: 'bad', what: { key: 'error.checkout/duplicate.what' } })
    expect([strip.previous?.seq, strip.previous?.isLate]).toEqual([2, true])
    // It was announced beside the notice that goes now.
    const about = TagId.parse('fNumgzqqiApBuoTRFhfm7C')
    strip.settle(3, { ...good('C'), about })
    strip.itemsGone([about])
    expect([strip.current, strip.previous?.seq, strip.previous?.isLate]).toEqual([null, 2, false])
  })

  it('undoes once, however often undo is requested', async () => {
    const { strip, begin } = createStrip()
    let undone = 0
    begin(1)
    strip.settle(1, { ...good('A'), undo: () => Promise.resolve((undone++, good('undone'))) })
    await Promise.all([strip.undo(), strip.undo()])
    expect(undone).toBe(1)
    expect(strip.current?.undo).toBeNull()
  })

  it('counts the scans of this screen and order, and not texts that did not become scans', () => {
    const { strip, begin } = createStrip()
    for (const seq of [1, 2, 0]) begin(seq)
    expect(strip.count).toBe(2)
    strip.retire()
    expect(strip.count).toBe(0)
    begin(3)
    strip.recount()
    begin(4)
    expect(strip.count).toBe(1)
  })

  it('keeps the key problems and the device when the outcome is shown', () => {
    const { strip } = createStrip()
    const scan = { seq: 1, at, source: 'hid', device: 'Zebra DS2208', troubles: ['caps-lock'] } as const
    strip.begin({ ...scan, troubles: [...scan.troubles] }, { key: 'scan.read.tag' })
    strip.settle(1, good('A'))
    expect(strip.current).toMatchObject({ troubles: ['caps-lock'], by: { values: { device: 'Zebra DS2208' } } })
  })

  it('makes no sound if another part of the screen made it', () => {
    const { strip, sounds, begin } = createStrip()
    begin(1)
    strip.settle(1, { ...good('A'), isSilent: true })
    expect(sounds).toEqual([])
  })

  it('says nothing of a scan after its order is closed', () => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, { ...good('A'), undo: () => Promise.resolve(good('undone')) })
    strip.retire()
    expect([strip.current, strip.previous]).toEqual([null, null])
  })
})

const refused: ScanOutcome = { tone: 'bad', what: { key: 'error.checkout/duplicate.what' } }

describe('an earlier refusal', () => {
  it('stays until it was read, and takes nothing of a later scan with it', async () => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, refused)
    begin(2)
    strip.settle(2, { ...good('B'), undo: () => Promise.resolve(good('undone')) })
    expect(strip.isToRead).toBe(true)
    strip.rest()
    expect([strip.current?.seq, strip.previous?.seq]).toEqual([2, 1])
    strip.seen()
    expect([strip.current?.seq, strip.previous, strip.isToRead]).toEqual([2, null, false])
    await strip.undo()
    expect(strip.current?.what.values).toEqual({ name: 'undone' })
  })

  const offered: StripAction = { label: { key: 'action.undo' }, run: () => undefined, isOffered: () => true }

  it.each<[string, ScanOutcome]>([
    ['a step it offers', { ...good('A'), actions: [offered] }],
    ['a refusal', refused],
  ])('can be put away as read if it waits for the person: %s', (_, waits) => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, waits)
    begin(2)
    strip.settle(2, good('B'))
    expect(strip.isToRead).toBe(true)
    strip.seen()
    strip.rest()
    expect([strip.current, strip.previous]).toEqual([null, null])
  })

  it('is read together with one in front of it', () => {
    const { strip, begin } = createStrip()
    for (const seq of [1, 2]) {
      begin(seq)
      strip.settle(seq, refused)
    }
    strip.seen()
    expect([strip.current, strip.previous, strip.isToRead]).toEqual([null, null, false])
  })
})

describe('a notice that is old', () => {
  it('is taken away, and its scan can still be undone', async () => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, { ...good('A'), undo: () => Promise.resolve(good('undone')) })
    strip.rest()
    expect([strip.current, strip.previous]).toEqual([null, null])
    await strip.undo()
    expect(strip.current).toMatchObject({ seq: 1, what: { values: { name: 'undone' } }, undo: null })
  })

  it('is not undone after its order was closed, nor after its item left the order', () => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, { ...good('A'), undo: () => Promise.resolve(good('undone')) })
    strip.rest()
    strip.retire()
    expect(strip.undoLast).toBeNull()
  })

  it.each([
    ['a refusal', refused],
    [
      'a next step',
      { ...good('A'), actions: [{ label: good('B').what, run: vi.fn(), isOffered: (): boolean => true }] },
    ],
  ])('stays if it is %s, until the next scan or until the person has read it', (_, outcome) => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.settle(1, outcome)
    strip.rest()
    expect(strip.current?.seq).toBe(1)
    strip.clear()
    expect(strip.current).toBeNull()
  })

  it('stays while a late refusal of the scan before it was not read', () => {
    const { strip, begin } = createStrip()
    for (const seq of [1, 2]) begin(seq)
    strip.settle(2, good('B'))
    strip.settle(1, refused)
    strip.rest()
    expect([strip.current?.seq, strip.previous?.seq]).toEqual([2, 1])
  })

  it('stays while its answer is awaited', () => {
    const { strip, begin } = createStrip()
    begin(1)
    strip.rest()
    expect(strip.current?.seq).toBe(1)
  })

  it('is in front again with the outcome of its next step on another screen', async () => {
    const { strip, begin } = createStrip()
    let screen = 'checkout'
    const actions = [{ label: good('B').what, run: vi.fn(), isOffered: () => screen === 'checkout' }]
    begin(1)
    strip.settle(1, { tone: 'attention', what: good('A').what, actions })
    screen = 'receiving'
    strip.leave()
    expect(strip.current).toBeNull()
    await strip.act(() => Promise.resolve(good('added there')))
    expect(strip.current).toMatchObject({ seq: 1, tone: 'good', what: { values: { name: 'added there' } } })
  })

  it('puts a refusal that came by itself in front, and a confirmation beside', () => {
    const { strip } = createStrip()
    strip.tell(good('A'))
    expect([strip.current, strip.previous?.tone]).toEqual([null, 'good'])
    strip.tell(refused)
    expect(strip.current?.tone).toBe('bad')
  })
})

it('says a claim in the language in force, also of a station that was removed', async () => {
  await loadTexts('es')
  const text = claimText({
    kind: 'held',
    isRefused: true,
    by: { station: '', stationId: 'x', orderId: '7', since: at, isSold: true, revision: 1 },
  })
  expect(write('en', text.key, text.values)).toContain('a removed station')
  expect(write('es', text.key, text.values)).not.toContain('removed')
})

describe('the height of the strip', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  function createRoom() {
    vi.useFakeTimers()
    const hand = { isDown: false, isAway: true }
    return { hand, room: new StripRoom(hand) }
  }

  it('grows with a scan, and shrinks when nothing is left to say', () => {
    const { room } = createRoom()
    room.want('scan')
    expect(room.isLarge).toBe(true)
    room.want(null)
    expect(room.isLarge).toBe(false)
  })

  it('does not shrink while a hand is on a control', () => {
    const { hand, room } = createRoom()
    room.want('scan')
    hand.isAway = false
    room.want(null)
    vi.advanceTimersByTime(60_000)
    expect(room.isLarge).toBe(true)
    hand.isAway = true
    vi.advanceTimersByTime(1_000)
    expect(room.isLarge).toBe(false)
  })

  it('grows with a scan also while the mouse rests on a control, but not under a press', () => {
    const { hand, room } = createRoom()
    hand.isAway = false
    hand.isDown = true
    room.want('scan')
    expect(room.isLarge).toBe(false)
    hand.isDown = false
    vi.advanceTimersByTime(1_000)
    expect(room.isLarge).toBe(true)
  })

  it('does not grow by itself while a hand is on a control', () => {
    const { hand, room } = createRoom()
    hand.isAway = false
    room.want('news')
    expect(room.isLarge).toBe(false)
    hand.isAway = true
    vi.advanceTimersByTime(1_000)
    expect(room.isLarge).toBe(true)
  })

  it('knows a press, and a finger that was lifted a moment ago', () => {
    let time = 0
    const hand = new Hand(() => time)
    expect(hand.isAway).toBe(true)
    hand.moved({ buttons: 1, pointerType: 'touch', target: null })
    expect([hand.isDown, hand.isAway]).toEqual([true, false])
    hand.moved({ buttons: 0, pointerType: 'touch', target: null })
    expect([hand.isDown, hand.isAway]).toEqual([false, false])
    time = 1_000
    expect(hand.isAway).toBe(true)
  })

  it('takes a mouse that was left on a control for no hand, after a while', () => {
    class Control {
      closest() {
        return this
      }
    }
    vi.stubGlobal('Element', Control)
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    let time = 0
    const hand = new Hand(() => time)
    const target = Object.assign(new EventTarget(), new Control())
    Object.setPrototypeOf(target, Control.prototype)
    hand.moved({ buttons: 0, pointerType: 'mouse', target })
    time = 4_999
    expect(hand.isAway).toBe(false)
    time = 5_000
    expect(hand.isAway).toBe(true)
  })
})
