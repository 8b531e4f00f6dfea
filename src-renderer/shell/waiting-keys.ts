import { tick } from 'svelte'
import type { App } from '../app.svelte'
import type { LaterPart } from './later-part.svelte'
import type { ScreenName } from './screens'
import { keepsOrder, needsScreen, runShortcut } from './shortcuts'

/** More keys than a person presses ahead. */
const most = 20

/**
 * The keys that work on every screen. Pressed while their screen is still being loaded, they wait for it, and with them what is
 * pressed next. Esc gives them up; so does leaving the screen by another way.
 */
export class WaitingKeys {
  readonly #app: App
  readonly #later: LaterPart
  #waiting: KeyboardEvent[] = []
  /** The screen that the first of them is meant for. */
  #screen: ScreenName
  #isRunning = false

  constructor(app: App, later: LaterPart) {
    this.#app = app
    this.#later = later
    this.#screen = app.screen
  }

  press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return
    if (event.key === 'Escape' || this.#app.screen !== this.#screen) this.#waiting = []
    if (this.#waits(event)) this.#keep(event)
    else if (!runShortcut(this.#app, event)) return
    event.preventDefault()
  }

  #waits(event: KeyboardEvent): boolean {
    if (document.querySelector('dialog[open]')) return false
    if (this.#waiting.length > 0) return keepsOrder(this.#app, event)
    return this.#app.screen !== 'receiving' && !this.#later.parts && needsScreen(event)
  }

  #keep(event: KeyboardEvent): void {
    if (this.#waiting.length === 0) this.#screen = this.#app.screen
    // Held down, it is still one key.
    if (!event.repeat && this.#waiting.length < most) this.#waiting.push(event)
    if (!this.#isRunning) void this.#run()
  }

  /** Runs them once their screen is there. If it can't be loaded, nothing acts unseen. */
  async #run(): Promise<void> {
    this.#isRunning = true
    try {
      await this.#later.load()
      await tick()
      while (this.#later.parts && this.#app.screen === this.#screen) {
        const event = this.#waiting.shift()
        if (!event) break
        runShortcut(this.#app, event)
        this.#screen = this.#app.screen
        await tick()
      }
    } finally {
      this.#waiting = []
      this.#isRunning = false
    }
  }
}
