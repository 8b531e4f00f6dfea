import { createKeyboard, plain } from './keyboard'
import { type LayoutName, type Press, pressFor } from './layouts'
import { payload } from './payloads'
import type { Random } from './random'

export const typingNames = [
  'prose',
  'fast words',
  'order number',
  'number pad',
  'code by hand',
  'with corrections',
  'held key',
  'held key over a remote desktop',
  'paste',
  'hand on the keys',
] as const
export type TypingName = (typeof typingNames)[number]

interface Typist {
  /** Typical ms from key to key, and how long a key is held. */
  gap: number
  held: number
  /** How often two keys overlap: the next goes down 30 to 60 ms later. */
  rolls: number
}

/**
 * 40 to 120 words a minute. People hold a key about 100 ms whatever their speed, with a light touch 50, and on a
 * keyboard with hardly any travel 30 to 40; fast typists overlap a third of the keys or more.
 */
function createTypist(random: Random): Typist {
  const wordsPerMinute = random.between(40, 120)
  const touch = random.next()
  return {
    gap: 60_000 / (wordsPerMinute * 5),
    held: touch < 0.15 ? random.between(30, 40) : touch < 0.3 ? random.between(42, 60) : random.between(70, 120),
    rolls: wordsPerMinute > 60 ? random.between(0.2, 0.6) : 0.05,
  }
}

const words =
  'the order for that customer is in blue bag please check before closing and then return it to shelf three with their items because nation station action'.split(
    ' ',
  )
const sentence = (random: Random, count: number) =>
  Array.from({ length: count }, () => words[random.whole(0, words.length - 1)] ?? '').join(' ')

type Hands = ReturnType<typeof createHands>

/**
 * Types with ten fingers: a key may go down before the previous one is up, but no key is pressed again while it is
 * down.
 */
function createHands(layout: LayoutName, capsLock: boolean, random: Random) {
  const keyboard = createKeyboard(layout, capsLock)
  const typist = createTypist(random)
  const upAt = new Map<string, number>()
  let at = 0

  const touch = (press: Press, gap: number, held: number) => {
    at = Math.max(at + gap, (upAt.get(press.code) ?? 0) + 15)
    upAt.set(press.code, at + held)
    keyboard.press(press, at, held)
  }
  const hold = () => random.around(typist.held, typist.held / 6, 18)
  return {
    keyboard,
    get now() {
      return at
    },
    rest: (ms: number) => void (at += ms),
    press: (press: Press, gap = random.around(typist.gap, typist.gap / 4, 60), held = hold()) =>
      touch(press, gap, held),
    type(text: string, pace: (usual: number) => number = (usual) => usual) {
      for (const character of text) {
        const press = pressFor(character, layout)
        const isRolled = random.chance(typist.rolls)
        const usual = isRolled ? random.between(30, 60) : random.around(typist.gap, typist.gap / 4, 55)
        const gap = random.chance(0.03) ? random.between(300, 900) : pace(usual)
        if (press.shift) keyboard.press({ ...plain('ShiftLeft'), shift: true }, at + gap - 40, hold() + 60)
        touch(press, gap, hold())
      }
    },
    finish: () => keyboard.finish(),
  }
}

/** One way in which people use a keyboard at a counter. */
export function typing(name: TypingName, layout: LayoutName, capsLock: boolean, random: Random) {
  const hands = createHands(layout, capsLock, random)
  act(name, hands, random)
  if (name !== 'paste' && random.chance(0.6)) hands.press(plain('Enter'))
  return hands.finish()
}

function act(name: TypingName, hands: Hands, random: Random): void {
  switch (name) {
    case 'prose': {
      hands.type(sentence(random, random.whole(2, 8)))
      return
    }
    case 'fast words': {
      // A practiced word is one movement: all its keys overlap.
      hands.type(sentence(random, random.whole(1, 3)), () => random.between(30, 60))
      return
    }
    case 'order number': {
      hands.type(random.chance(0.5) ? random.digits(8) : `ORD-${random.digits(6)}`, () => random.around(95, 20, 60))
      return
    }
    case 'number pad':
      // 300 digits a minute, and some people twice as fast.
      for (const digit of random.digits(random.whole(6, 16))) {
        hands.press(plain(`Numpad${digit}`), random.around(random.chance(0.3) ? 100 : 200, 25, 60))
      }
      return
    case 'code by hand': {
      hands.type(payload(random.pick(['Metrc tag', 'short id', 'long id', 'BioTrack number']), random), () =>
        random.around(random.pick([120, 180, 240]), 30, 70),
      )
      return
    }
    case 'with corrections':
      hands.type(sentence(random, 2))
      for (let count = random.whole(2, 6); count > 0; count--)
        hands.press(plain('Backspace'), random.around(130, 20, 80))
      hands.press(plain('ArrowLeft'))
      {
        hands.type(sentence(random, 1))
        return
      }
    case 'held key':
      hands.type(random.digits(3))
      hands.keyboard.hold(pressFor(random.pick(['0', 'x', ' ']), 'us'), hands.now + 150, random.between(600, 1_500))
      {
        hands.rest(2_000)
        return
      }
    case 'held key over a remote desktop':
      // Pairs of down and up, none of them marked as a repeat.
      for (let count = random.whole(8, 30); count > 0; count--)
        hands.press(pressFor('0', 'us'), 33, random.between(2, 15))
      return
    case 'paste':
      hands.keyboard.press(plain('ControlLeft'), 10, 150, { ctrl: true })
      hands.keyboard.press(plain('KeyV'), 80, 60, { ctrl: true })
      {
        hands.rest(300)
        return
      }
    case 'hand on the keys':
      // A sleeve, a cat, a cloth: many keys at almost the same moment, all down for a while.
      for (const key of random.text('asdfghjkl', random.whole(8, 14))) {
        hands.press(pressFor(key, 'us'), random.between(4, 20), random.between(60, 160))
      }
  }
}
