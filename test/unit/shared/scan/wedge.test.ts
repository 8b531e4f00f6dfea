import { describe, expect, it } from 'vitest'
import { KnownPrefixes } from '../../../../src-shared/scan/known'
import { WedgeSettings, defaultSettings } from '../../../../src-shared/scan/timing'
import { Wedge, type WedgeAnswer } from '../../../../src-shared/scan/wedge'
import { type KeyEvent, createKeyboard, plain } from '../../../fakes/key-traces/keyboard'
import { pressFor } from '../../../fakes/key-traces/layouts'
import { play, steadily } from '../../../fakes/key-traces/play'

const url = 'https://tag.example/VaVSFGDiox2pHf8GmQmTfG'
const metrc = '1A4060300020081000006609'

const scansIn = (events: KeyEvent[]) => play(new Wedge(), events).scans.map(({ text }) => text)
const isPassed = (answer: WedgeAnswer) => answer.kind === 'pass'
/** Keys as a person types them, with varying gaps. */
const unevenly = (events: KeyEvent[]) =>
  events.map((event, index) => ({ ...event, at: event.at + ((index * 37) % 40) }))
/** Even keys, but each released without regard to the next one, up to 10 ms later. */
const releasedByHand = (events: KeyEvent[]) =>
  events.map((event) => (event.type === 'keyup' ? { ...event, at: event.at + ((event.at * 7) % 11) } : event))
const withoutReleases = (events: KeyEvent[]) => events.filter(({ type }) => type === 'keydown')

describe('the wedge', () => {
  it.each([1, 6, 10, 19, 45, 80, 110, 190])('reads a scanner with %i ms per key', (ms) => {
    expect(scansIn(steadily(`${url}\n`, { gap: ms }))).toEqual([url])
    expect(scansIn(steadily(`${url}\t`, { gap: ms }))).toEqual([url])
    expect(scansIn(withoutReleases(steadily(`${url}\n`, { gap: ms })))).toEqual([url])
  })

  it('reads a scanner without Enter once no more keys follow', () => {
    const wedge = new Wedge()
    expect(play(wedge, steadily(url, { gap: 5 })).scans).toEqual([])
    const lastAt = 1_000 + (url.length - 1) * 5
    expect(wedge.settle(lastAt + 20)).toBeUndefined()
    expect(wedge.settle(lastAt + 210)).toMatchObject({ text: url, troubles: [] })
    expect(wedge.settle(lastAt + 500)).toBeUndefined()
  })

  const joinCode = `CTJOIN1${'MZXW6YTBOI2ABC7DQ'.repeat(160)}`
  it.each([1, 6, 19])('reads a whole join code, which is longer than any other code, with %i ms per key', (ms) => {
    const { scans, answers } = play(new Wedge(), steadily(`${joinCode}\n`, { gap: ms }))
    expect(scans.map(({ text }) => text)).toEqual([joinCode])
    expect(answers.slice(20).some(isPassed)).toBe(false)
  })

  it('reads two scans in immediate succession', () => {
    expect(scansIn(steadily(`${url}\n${metrc}\n`, { gap: 4 }))).toEqual([url, metrc])
  })

  it.each(['\n', '\t', '\n\n'])('takes the whole suffix %j, including a line feed after a return', (suffix) => {
    const { answers } = play(new Wedge(), steadily(url + suffix))
    expect(answers.slice(-suffix.length).some(isPassed)).toBe(false)
  })

  it('takes Ctrl+J as a line feed, alone or after a return', () => {
    const lineFeed = (from: number) => {
      const keyboard = createKeyboard('us', false)
      keyboard.press(plain('KeyJ'), from, 2, { ctrl: true })
      return keyboard.finish()
    }
    const both = play(new Wedge(), [...steadily(`${metrc}\n`), ...lineFeed(1_130)])
    expect(both.scans.map(({ text }) => text)).toEqual([metrc])
    expect(both.answers.at(-1)).toEqual({ kind: 'take' })
    expect(scansIn([...steadily(metrc), ...lineFeed(1_125)])).toEqual([metrc])
    expect(play(new Wedge(), lineFeed(5_000)).answers.every(isPassed)).toBe(true)
  })

  it.each([60, 90, 150, 300])('ignores a person who types a key every %i ms', (gap) => {
    const { answers } = play(new Wedge(), steadily('order 10482 for the blue bag\n', { gap, held: 85 }))
    expect(answers.every(isPassed)).toBe(true)
  })

  it('ignores overlapping keys, however fast they come', () => {
    const events = steadily('abcdefghij\n', { gap: 12, held: 70 })
    expect(play(new Wedge(), events).answers.every(isPassed)).toBe(true)
  })

  it('ignores a person who types a whole code without a pause', () => {
    const events = unevenly(steadily(`${metrc}\n`, { gap: 150, held: 90 }))
    expect(play(new Wedge(), events).answers.every(isPassed)).toBe(true)
  })

  it('ignores a held key, even if its repeats are not marked', () => {
    const keyboard = createKeyboard('us', false)
    keyboard.hold(pressFor('a', 'us'), 1_000, 1_200)
    keyboard.press(plain('Enter'), 2_230, 80)
    expect(play(new Wedge(), keyboard.finish()).answers.every(isPassed)).toBe(true)
    expect(play(new Wedge(), steadily(`${'0'.repeat(16)}\n`, { gap: 33 })).answers.every(isPassed)).toBe(true)
  })

  it('ignores keyboard commands', () => {
    const keyboard = createKeyboard('us', false)
    for (let count = 0; count < 10; count++) keyboard.press(plain('KeyZ'), 1_000 + count * 10, 4, { ctrl: true })
    expect(play(new Wedge(), keyboard.finish()).answers.every(isPassed)).toBe(true)
  })

  it('ignores a fast burst that is too short for a code, but marks its Enter so that it presses no button', () => {
    const { answers } = play(new Wedge(), steadily('ab12\n', { gap: 10 }))
    expect(answers.every(isPassed)).toBe(true)
    const last = { kind: 'pass', mark: null, isFirst: false, isRapid: true }
    expect(answers.at(-1)).toMatchObject({ ...last, short: { text: 'ab12' } })
    expect(play(new Wedge(), steadily('ab\n', { gap: 10 })).answers.at(-1)).toEqual(last)
    expect(play(new Wedge(), steadily('ab12\n', { gap: 60 })).answers.at(-1)).toEqual(last)
    const calm = play(new Wedge(), steadily('ab12\n', { gap: 300, held: 90 })).answers
    expect(calm.at(-1)).toEqual({ kind: 'pass', mark: null, isFirst: false, isRapid: false })
  })

  it('recognizes a short code from a slow scanner by its short key presses', () => {
    expect(scansIn(steadily('10482-7\n', { gap: 90, held: 20 }))).toEqual(['10482-7'])
    expect(scansIn(releasedByHand(steadily('10482-7\n', { gap: 90, held: 45 })))).toEqual([])
  })

  it('recognizes a short code whose keys are released half-way to the next, as one clock does it', () => {
    const halfWay = (gaps: number[]) => {
      const keyboard = createKeyboard('us', false)
      let at = 1_000
      for (const [index, gap] of gaps.entries()) {
        keyboard.press(pressFor(String(index), 'us'), at, gap / 2)
        at += gap
      }
      keyboard.press(plain('Enter'), at, 40)
      return keyboard.finish()
    }
    expect(scansIn(halfWay([80, 84, 77, 96, 80, 82]))).toEqual(['012345'])
    expect(scansIn(releasedByHand(steadily('012345\n', { gap: 80, held: 40 })))).toEqual([])
    expect(scansIn(halfWay([160, 164, 157, 176, 160, 162]))).toEqual([])
  })

  it('reads an action from a slow scanner, since people do not type actions', () => {
    expect(scansIn(steadily('CT:UNDO\n', { gap: 80, held: 40 }))).toEqual(['CT:UNDO'])
  })

  it('takes keys only once it is sure, and from then on all of them', () => {
    const { answers } = play(new Wedge(), steadily(`${url}\n`))
    expect(answers[0]).toEqual({ kind: 'pass', mark: 0, isFirst: true, isRapid: false })
    expect(answers.slice(1, 5).every(isPassed)).toBe(true)
    expect(answers.slice(5, -1).every(({ kind }) => kind === 'take')).toBe(true)
    expect(answers.at(-1)).toMatchObject({ kind: 'scan', scan: { text: url, mark: 0 } })
  })

  it('takes no key while it sees no key releases, but still finds the scan', () => {
    const { answers, scans } = play(new Wedge(), withoutReleases(steadily(`${url}\n`)))
    expect(answers.slice(0, -1).every(isPassed)).toBe(true)
    expect(scans).toMatchObject([{ text: url }])
  })

  it('does not lose taken keys if a scan falters', () => {
    expect(scansIn([...steadily('1234567'), ...steadily('89\n', { gap: 80, from: 1_110 })])).toEqual(['123456789'])
  })

  it('separates a scan from what a person typed just before, and says where it began', () => {
    const typed = steadily('10 4', { gap: 95, held: 90 })
    const fast = play(new Wedge(), [...typed, ...steadily(`${metrc}\n`, { from: 1_400 })])
    expect(fast.scans).toMatchObject([{ text: metrc, mark: 4 }])
    const slow = play(new Wedge(), [...typed, ...steadily(`${url}\n`, { from: 1_440, gap: 80, held: 10 })])
    expect(slow.scans).toMatchObject([{ text: url, mark: 4 }])
    const marks = fast.answers.flatMap((answer) => (answer.kind === 'pass' ? [answer.mark] : []))
    expect(marks.slice(0, 5)).toEqual([0, 1, 2, 3, 4])
  })

  it.each([
    'https://q.example/?t=2LmP9kdRstUvWxYzabcdef',
    'https://q.example/coa?b=1A4060300020081000006609',
    'https://q.example/01/0950600013435?x=8832345600001234',
  ])('never reads the end of %s as the whole code, however slowly it comes', (text) => {
    for (const gap of [45, 90, 150, 190]) {
      for (const held of [4, 20, 38, 44]) {
        for (const events of [
          steadily(`${text}\n`, { gap, held }),
          withoutReleases(steadily(`${text}\n`, { gap, held })),
        ])
          expect([[], [text]]).toContainEqual(scansIn(events))
      }
    }
    const taught = KnownPrefixes.parse({ tagPrefixes: ['https://q.example/?t='] })
    const slow = releasedByHand(steadily(`${text}\n`, { gap: 90, held: 38 }))
    const { scans } = play(new Wedge(defaultSettings, taught), slow)
    expect(scans.map((scan) => scan.text)).toEqual(text.includes('?t=') ? [text] : [])
  })

  it('does not read the last packet of a Bluetooth scanner as the whole code if one of its keys hangs', () => {
    const events = steadily(`${url}\n`, { gap: 2, held: 1 }).map((event, index) =>
      index < 2 * url.length - 16 ? event : { ...event, at: event.at + 150 },
    )
    const held = events.map((event) =>
      event.type === 'keyup' && event.code === 'KeyH' ? { ...event, at: event.at + 39 } : event,
    )
    for (const one of [held, withoutReleases(held)]) expect([[], [url]]).toContainEqual(scansIn(one))
  })

  it('returns a scan with the next key if only that key shows its end', () => {
    const events = [...steadily(url), ...steadily('x', { from: 2_000 })]
    expect(scansIn(events)).toEqual([url])
  })

  it("removes the scanner's prefix, and uses it to recognize short and slow codes", () => {
    const settings = WedgeSettings.parse({ prefix: '~~' })
    const read = (events: KeyEvent[]) => play(new Wedge(settings), events).scans.map(({ text }) => text)
    expect(read(steadily(`~~${metrc}\n`))).toEqual([metrc])
    expect(read(steadily('~~107\n', { gap: 90, held: 38 }))).toEqual(['107'])
    expect(read(unevenly(steadily('~~107\n', { gap: 150, held: 80 })))).toEqual([])
  })

  it('uses what the station knows', () => {
    const known = KnownPrefixes.parse({ scanPrefixes: { order: 'ORDER-' } })
    const events = withoutReleases(steadily('ORDER-1234567890\n', { gap: 90 }))
    expect(play(new Wedge(defaultSettings, known), events).scans).toMatchObject([{ text: 'ORDER-1234567890' }])
    expect(scansIn(events)).toEqual([])
  })

  it('counts any continuous typing in a trial, so that an unknown scanner can be measured', () => {
    const trial = new Wedge(WedgeSettings.parse({ timing: { longestGap: 500 } }), undefined, { isTrial: true })
    const { scans } = play(trial, steadily('10482\n', { gap: 300, held: 60 }))
    expect(scans).toMatchObject([{ text: '10482', timing: { characters: 5, medianGap: 300, slowestTouch: 60 } }])
  })

  it('limits its memory', () => {
    const { answers, scans } = play(new Wedge(), steadily('ab'.repeat(600), { gap: 1 }))
    expect(answers).toHaveLength(1_200)
    expect(scans.length).toBeGreaterThan(0)
    expect(scans.every(({ text }) => text.length < 600)).toBe(true)
  })

  it('says how the scan was typed', () => {
    const [scan] = play(new Wedge(), steadily('10482-77\n', { gap: 12, held: 4 })).scans
    expect(scan?.timing).toEqual({ characters: 8, medianGap: 12, slowestGap: 12, medianTouch: 4, slowestTouch: 4 })
  })

  it('ignores the release of a key that was not pressed', () => {
    const wedge = new Wedge()
    wedge.release({ code: 'KeyA', at: 5 })
    expect(play(wedge, steadily(`${url}\n`)).scans).toMatchObject([{ text: url }])
  })
})
