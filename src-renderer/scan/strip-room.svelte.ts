/** So long a hand must have been off the controls before one of them may move, in ms. */
const calm = 1_000
/** So long a mouse must not have moved on a control before it counts as left there, in ms. */
const resting = 5_000
/** How often it is looked whether the strip may change its height, in ms. */
const pause = 250

const controls = 'a, button, input, select, textarea, label, summary, [role=tab]'

/** Where the hand of the person is. A mouse on a control is a hand for a while; a finger that was lifted is none. */
export class Hand {
  #isDown = false
  #isOnControl = false
  #movedAt = -Infinity
  readonly #now: () => number

  /** `now`: monotonic clock, in ms. */
  constructor(now: () => number) {
    this.#now = now
  }

  readonly moved = ({
    buttons,
    pointerType,
    target,
  }: Pick<PointerEvent, 'buttons' | 'pointerType' | 'target'>): void => {
    this.#isDown = buttons !== 0
    this.#isOnControl = pointerType === 'mouse' && target instanceof Element && target.closest(controls) !== null
    this.#movedAt = this.#now()
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /** Nothing is pressed, or about to be. */
  get isAway(): boolean {
    return !this.#isDown && this.#now() - this.#movedAt >= (this.#isOnControl ? resting : calm)
  }
}

/** What the strip has to say: a scan, something that came by itself, or nothing. */
export type Wanted = 'scan' | 'news' | null

/**
 * The height of the strip: everything below moves with it. So it grows with a scan, when the hand is at the scanner, and
 * otherwise changes only while no hand is on a control; until then it says in one line what it has to say.
 */
export class StripRoom {
  isLarge = $state(false)
  readonly #hand: Pick<Hand, 'isDown' | 'isAway'>
  #wanted: Wanted = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(hand: Pick<Hand, 'isDown' | 'isAway'>) {
    this.#hand = hand
  }

  want(wanted: Wanted): void {
    this.#wanted = wanted
    this.#look()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #look(): void {
    this.stop()
    if (this.isLarge === (this.#wanted !== null)) return
    const { isDown, isAway } = this.#hand
    if (this.#wanted === 'scan' ? !isDown : isAway) this.isLarge = this.#wanted !== null
    else this.#timer = setTimeout(() => this.#look(), pause)
  }
}
