import type { KeyEvent } from '../../test/fakes/key-traces/keyboard'

/** A keyboard event, with all properties that the detectors read. */
export class PageKey extends Event {
  readonly code: string
  readonly key: string
  readonly keyCode: number
  readonly which: number
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey = false
  readonly isComposing = false
  readonly repeat: boolean
  readonly #modifiers: Record<string, boolean>
  readonly #at: number

  constructor(event: KeyEvent, at: number) {
    super(event.type, { cancelable: true })
    this.code = event.code
    this.key = event.key
    this.keyCode = event.keyCode
    this.which = event.keyCode
    this.shiftKey = event.shift
    this.ctrlKey = event.ctrl
    this.altKey = event.alt
    this.repeat = event.repeat
    this.#modifiers = { Shift: event.shift, CapsLock: event.capsLock, AltGraph: event.altGraph }
    this.#at = at
  }

  override get timeStamp() {
    return this.#at
  }
  getModifierState(name: string) {
    return this.#modifiers[name] ?? false
  }
}

/** A document without a focused element: the peers listen there, and see every key. */
export class Page extends EventTarget {
  readonly tagName = 'BODY'
}
