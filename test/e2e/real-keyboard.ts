import type { CDPSession, Page } from '@playwright/test'
import { z } from 'zod'
import { wireOf } from '../fakes/electron/chromium/page-wire'
import type { KeyEvent } from '../fakes/key-traces/keyboard'

const Sent = z.object({ call: z.literal('scanner.submit'), input: z.object({ text: z.string() }) })

/** Collects the texts that the page submits as scans, read from its connection. Call it before the page opens. */
export function listenForScans(page: Page): string[] {
  const scans: string[] = []
  // The built bundles have no WebSocket: their calls pass through this process.
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

/** A keyboard that sends trusted key events, each with the timestamp from the trace. */
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
   * Types a trace, after a pause. The timestamps lie in the future, so a busy machine can't split a trace, and no timer
   * of the page ends a scan early: a scan without a suffix ends with the next key.
   */
  async type(events: KeyEvent[]): Promise<void> {
    const first = events[0]?.at ?? 0
    const sent = events.map((event) => this.#send(event, this.#now + event.at - first))
    this.#now += (events.at(-1)?.at ?? 0) - first + 3_000
    await Promise.all(sent)
  }

  /** Types a trace, starting now, into a page that doesn't respond. Here, too, a busy machine can't split it. */
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
