import { describe, expect, it } from 'vitest'
import { type Key, type WedgeAnswer, characterOf, createWedge } from '../../../src-shared/scan/wedge'

/** The keys that a US keyboard presses for a text. */
function keysFor(text: string, msPerKey: number, startAt = 1_000): Key[] {
  const symbols: Record<string, [string, boolean]> = {
    ':': ['Semicolon', true],
    '/': ['Slash', false],
    '.': ['Period', false],
    '-': ['Minus', false],
    '%': ['Digit5', true],
    '?': ['Slash', true],
    ' ': ['Space', false],
    '\n': ['Enter', false],
    '\t': ['Tab', false],
  }
  return Array.from(text, (character, index) => {
    const [code, shift] =
      symbols[character] ??
      (/\d/.test(character)
        ? ([`Digit${character}`, false] as const)
        : ([`Key${character.toUpperCase()}`, character !== character.toLowerCase()] as const))
    return {
      code,
      key: character,
      shift,
      capsLock: false,
      command: false,
      repeat: false,
      at: startAt + index * msPerKey,
    }
  })
}

const type = (keys: Key[]) => {
  const wedge = createWedge()
  return { answers: keys.map((key) => wedge.press(key)), wedge }
}
const scansIn = (answers: WedgeAnswer[]) => answers.flatMap((answer) => (answer.kind === 'scan' ? [answer.text] : []))

describe('wedge', () => {
  const url = 'https://tag.example/VaVSFGDiox2pHf8GmQmTfG'

  it.each([1, 6, 10, 19, 45, 80, 110])('reads a scanner that needs %i ms a key', (ms) => {
    expect(scansIn(type(keysFor(`${url}\n`, ms)).answers)).toEqual([url])
    expect(scansIn(type(keysFor(`${url}\t`, ms)).answers)).toEqual([url])
  })

  it('reads a scanner that ends without Enter once nothing follows', () => {
    const { answers, wedge } = type(keysFor(url, 5))
    expect(scansIn(answers)).toEqual([])
    const lastAt = 1_000 + (url.length - 1) * 5
    expect(wedge.settle(lastAt + 20)).toBeUndefined()
    expect(wedge.settle(lastAt + 130)).toBe(url)
    expect(wedge.settle(lastAt + 300)).toBeUndefined()
  })

  it('reads the place of the keys, not the layout: a German keyboard types the same code', () => {
    const german = keysFor('https://tag.example/2zy\n', 5).map((key) => ({ ...key, key: '?' }))
    expect(scansIn(type(german).answers)).toEqual(['https://tag.example/2zy'])
  })

  it('reads two scans that follow each other at once', () => {
    expect(scansIn(type(keysFor(`${url}\n1A4060300020081000006609\n`, 4)).answers)).toEqual([
      url,
      '1A4060300020081000006609',
    ])
  })

  it.each([60, 90, 150, 300])('leaves a person who types a key every %i ms alone', (ms) => {
    const { answers } = type(keysFor('order 10482 for the blue bag\n', ms))
    expect(answers.every((answer) => answer.kind === 'pass')).toBe(true)
  })

  it('leaves a fast burst alone that is too short for a code, Enter included', () => {
    expect(type(keysFor('ab12\n', 10)).answers.every((answer) => answer.kind === 'pass')).toBe(true)
  })

  it('says of an Enter right behind a short burst that it must not press a button, and of a calm one that it may', () => {
    expect(type(keysFor('12345\n', 10)).answers.at(-1)).toEqual({ kind: 'pass', burstStart: false, endsTyping: true })
    expect(type(keysFor('12345\n', 300)).answers.at(-1)).toEqual({ kind: 'pass', burstStart: false, endsTyping: false })
  })

  it('leaves a slow burst to the field until it proves to be a code', () => {
    const { answers } = type(keysFor(`${url}\n`, 80))
    expect(answers.slice(0, -1).every((answer) => answer.kind === 'pass')).toBe(true)
    expect(scansIn(answers)).toEqual([url])
  })

  it('does not lose what it took when a burst falters', () => {
    const fast = keysFor('1234567', 5)
    const slow = keysFor('89\n', 80, 1_110)
    expect(scansIn(type([...fast, ...slow]).answers)).toEqual(['123456789'])
  })

  it('takes no key of which it is not sure that it becomes a scan', () => {
    const { answers, wedge } = type(keysFor('12345', 10))
    expect(answers.every((answer) => answer.kind === 'pass')).toBe(true)
    expect(wedge.settle(5_000)).toBeUndefined()
  })

  it('does not lose a scan that ends with a line feed (Ctrl+J), and keeps a separator (Ctrl+]) inside it', () => {
    const command = (code: string, at: number): Key => ({
      code,
      key: 'x',
      shift: false,
      capsLock: false,
      command: true,
      repeat: false,
      at,
    })
    const text = keysFor('0112345', 5)
    const more = keysFor('21ab', 5, 1_040)
    expect(scansIn(type([...text, command('BracketRight', 1_035), ...more, command('KeyJ', 1_060)]).answers)).toEqual([
      '0112345\u001d21ab',
    ])
  })

  it('marks the first key of a burst, so that what leaked can be taken back', () => {
    const { answers } = type(keysFor(`${url}\n`, 5))
    expect(answers[0]).toEqual({ kind: 'pass', burstStart: true })
    expect(answers[1]).toEqual({ kind: 'pass', burstStart: false })
    expect(answers[10]).toEqual({ kind: 'take' })
  })

  it('does not take a held key or a command for a scan', () => {
    const held = keysFor('aaaaaaaaaaaa\n', 30).map((key, index) => ({ ...key, repeat: index > 0 }))
    expect(scansIn(type(held).answers)).toEqual([])
    const commands = keysFor('zzzzzzzz\n', 10).map((key) => ({ ...key, command: key.code !== 'Enter' }))
    expect(scansIn(type(commands).answers)).toEqual([])
  })

  it('knows what CapsLock does to letters', () => {
    expect(characterOf({ code: 'KeyA', key: 'A', shift: false, capsLock: true })).toBe('A')
    expect(characterOf({ code: 'KeyA', key: 'a', shift: true, capsLock: true })).toBe('a')
    expect(characterOf({ code: 'KeyQ', key: 'a', shift: true, capsLock: true })).toBe('q')
    expect(characterOf({ code: 'Digit5', key: '5', shift: true, capsLock: true })).toBe('%')
    expect(characterOf({ code: 'F5', key: 'F5', shift: false, capsLock: false })).toBeUndefined()
  })
})
