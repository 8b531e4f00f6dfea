import { type Page, test } from '@playwright/test'
import { z } from 'zod'
import { wireOf } from '../fakes/electron/chromium/page-wire'

const Asked = z.object({ id: z.number(), call: z.string() })
const Answer = z.looseObject({
  id: z.number(),
  answer: z.discriminatedUnion('ok', [
    z.looseObject({ ok: z.literal(true), value: z.unknown() }),
    z.looseObject({ ok: z.literal(false) }),
  ]),
})
const Event = z.looseObject({ event: z.string(), payload: z.unknown() })

/** What main says, keyed by the name of the call or event, and what the page receives instead. */
export type Doctor = (name: string, said: unknown) => unknown

/** The same without a WebSocket: in the built bundles, main's messages pass through this process. */
function doctorBundles(page: Page, doctor: Doctor): void {
  wireOf(page).hearing = {
    answer([call], said) {
      const answer = Answer.shape.answer.safeParse(said)
      if (!answer.success || !answer.data.ok) return said
      return { ok: true, value: doctor(String(call), answer.data.value) }
    },
    event: ([name, payload]) => [name, doctor(String(name), payload)],
  }
}

/**
 * Changes what the page receives from main, for states that otherwise take a broken disk or a thousand sales. Call it
 * before the page opens. The page parses the changed messages like any others.
 */
export async function doctorWire(page: Page, doctor: Doctor): Promise<void> {
  test.skip(process.env.COUNTERTAG_E2E_HOST === 'electron', 'in Electron there is no WebSocket to change it on')
  if (process.env.COUNTERTAG_E2E_HOST === 'bundles') {
    doctorBundles(page, doctor)
    return
  }
  await page.routeWebSocket(/\/ipc$/, (socket) => {
    const main = socket.connectToServer()
    const calls = new Map<number, string>()
    socket.onMessage((message) => {
      const { id, call } = Asked.parse(JSON.parse(String(message)))
      calls.set(id, call)
      main.send(message)
    })
    main.onMessage((message) => {
      const said: unknown = JSON.parse(String(message))
      const event = Event.safeParse(said)
      const answer = Answer.safeParse(said)
      if (event.success) {
        const { event: name, payload } = event.data
        socket.send(JSON.stringify({ event: name, payload: doctor(name, payload) }))
      } else if (answer.success && answer.data.answer.ok) {
        const { id, answer: given } = answer.data
        const value = doctor(calls.get(id) ?? '', given.value)
        socket.send(JSON.stringify({ id, answer: { ok: true, value } }))
      } else socket.send(message)
    })
  })
}
