import type { CDPSession, Page } from '@playwright/test'
import { z } from 'zod'
import { wireOf } from '../fakes/electron/chromium/page-wire'
import type { KeyEvent } from '../fakes/key-traces/keyboard'

const Sent = z.object({ call: z.literal('scanner.submit'), input: z.object({ text: z.string() }) })

/** The texts that the page hands in as scans, read off its wire. To be called before the page is opened. */
export function listenForScans(page: Page): string[] {
  const scans: string[] = []
  // The built bundles have no WebSocket: there calls pass through this process.
  wireOf(page).calls.push(([call, input]) => {
    const sent = Sent.safeParse({ call, input })
    if (sent.success) scans.push(sent.data.input.text)
  })
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const sent = Sent.safeParse(JSON.parse(payload.toString()))
      if (sent.success) scans.push(sent.data.input.text)
    })
  })
  return scans
}

/** A keyboard whose keys the browser takes for real ones, each with the moment that the trace gives it. */
export class RealKeyboard {
  #now = Date.now() + 1_000
  readonly #cdp: CDPSession

  constructor(cdp: CDPSession) {
    this.#cdp = cdp
  }

  static async plugIn(page: Page): Promise<RealKeyboard> {
    return new RealKeyboard(await page.context().newCDPSession(page))
  }

  /**
   * Types a trace, after a rest. The moments lie ahead, so a busy machine can't tear a trace apart, and no timer of the
   * page ends a scan early: one without a suffix ends with the next key.
   */
  async type(events: KeyEvent[]): Promise<void> {
    const first = events[0]?.at ?? 0
    const sent = events.map((event) => this.#send(event, this.#now + event.at - first))
    this.#now += (events.at(-1)?.at ?? 0) - first + 3_000
    await Promise.all(sent)
  }

  /** Types a trace from now on, into a page that does not answer. Here, too, no busy machine can tear it apart. */
  async typeNow(events: KeyEvent[]): Promise<void> {
    const start = Date.now() - (events[0]?.at ?? 0)
    await Promise.all(events.map((event) => this.#send(event, start + event.at)))
  }

  #send(event: KeyEvent, at?: number): Promise<unknown> {
    const types = event.type === 'keydown' && event.key.length === 1 && !event.ctrl && !event.alt
    const text = event.key === 'Enter' ? '\r' : types ? event.key : undefined
    return this.#cdp.send('Input.dispatchKeyEvent', {
      type: event.type === 'keyup' ? 'keyUp' : text === undefined ? 'rawKeyDown' : 'keyDown',
      key: event.key,
      code: event.code,
      windowsVirtualKeyCode: event.keyCode,
      modifiers: (event.alt ? 1 : 0) + (event.ctrl ? 2 : 0) + (event.shift ? 8 : 0),
      autoRepeat: event.repeat,
      ...(text !== undefined && event.type === 'keydown' && { text }),
      ...(at !== undefined && { timestamp: at / 1_000 }),
    })
  }
}
