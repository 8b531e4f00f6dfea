import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import process from 'node:process'
import { z } from 'zod'
import type { Events } from '../../src-main/ipc/handlers'
import { afterStep } from '../../src-shared/cart-step'
import { type CartMode, CartStep, CartView } from '../../src-shared/ipc/contract/checkout'
import type { Wire } from '../../src-shared/ipc/client'
import { openLines } from '../lines'

/**
 * The traffic between the station and the outside world, written at the moment it happens. The lines are writes in the
 * same trace as the disk writes, so the trace shows which came first.
 */

export const phases = [
  'migrating',
  'opening',
  'selling',
  'settling',
  'recovering',
  'backing up',
  'closing',
  'mending',
] as const
export const Phase = z.enum(phases)
export type Phase = z.infer<typeof Phase>

export const Line = z.discriminatedUnion('line', [
  /** Sets the phase and the data folder for the lines from here on. */
  z.object({ line: z.literal('scene'), phase: Phase, folder: z.string() }),
  z.object({ line: z.literal('asks'), call: z.string(), name: z.string(), input: z.unknown() }),
  z.object({ line: z.literal('answered'), call: z.string(), answer: z.unknown() }),
  /** An event from main to the screens. */
  z.object({ line: z.literal('pushed'), name: z.string(), value: z.unknown() }),
  /** A report is sent to the service. */
  z.object({ line: z.literal('sends'), kind: z.string(), orderId: z.string() }),
  z.object({ line: z.literal('backup begins') }),
  z.object({ line: z.literal('backup made'), name: z.string() }),
])
export type Line = z.infer<typeof Line>

export interface Notebook {
  write(line: Line): void
  /** The same for a synchronous step, whose result is the station's answer. */
  note<T>(name: string, step: () => T): T
  /** Forwards a call, and records the request and the answer. */
  tap(invoke: Wire['invoke']): Wire['invoke']
  /** Records announcements until the returned function is called. */
  listen(events: Events): () => void
}

export function openNotebook(file: string): Notebook {
  const handle = openLines(file)
  const write = (line: Line) => void writeSync(handle, `${JSON.stringify(line)}\n`)
  let calls = 0
  const ask = (name: string, input: unknown) => {
    const call = `${process.pid}/${++calls}`
    write({ line: 'asks', call, name, input })
    return call
  }
  return {
    write,
    note(name, step) {
      const call = ask(name, null)
      const value = step()
      write({ line: 'answered', call, answer: { ok: true, value } })
      return value
    },
    tap: (invoke) => async (name, input) => {
      const call = ask(name, input ?? null)
      const answer = await invoke(name, input)
      write({ line: 'answered', call, answer })
      return answer
    },
    listen(events) {
      const carts = new Map<CartMode, CartView>()
      return events.listen((name, value) => {
        write({ line: 'pushed', name, value: name === 'checkout.cartStep' ? cartAfter(value, carts) : value })
        if (name === 'checkout.cart') keepCart(CartView.parse(value), carts)
      })
    },
  }
}

/** The whole cart that a step led to: a line of the notebook is read on its own. */
function cartAfter(value: unknown, carts: Map<CartMode, CartView>): CartView {
  const step = CartStep.parse(value)
  const before = carts.get(step.mode)
  if (before?.revision !== step.since) throw new Error('a step of a cart without the cart before it')
  return keepCart(afterStep(before, step), carts)
}

function keepCart(cart: CartView, carts: Map<CartMode, CartView>): CartView {
  carts.set(cart.mode, cart)
  return cart
}

const Sending = z.object({ request: z.object({ method: z.string(), path: z.string(), body: z.unknown() }) })
const Body = z.object({ order_id: z.string() })

/** Records every sale, void and return when it is handed to the network. */
export function noteSending(notebook: Notebook): void {
  subscribe('undici:client:sendHeaders', (message) => {
    const { request } = Sending.parse(message)
    const [, kind] = /\/transactions\/(complete|void|return)\/$/.exec(request.path) ?? []
    if (kind === undefined) return
    const text = request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : String(request.body)
    notebook.write({ line: 'sends', kind, orderId: Body.parse(JSON.parse(text)).order_id })
  })
}

/** The complete lines of a notebook; `rest` is the beginning of an incomplete one. */
export function linesIn(text: string): { lines: Line[]; rest: string } {
  const parts = text.split('\n')
  const rest = parts.pop() ?? ''
  return { lines: parts.map((part) => Line.parse(JSON.parse(part))), rest }
}

/**
 * The first life is killed in the middle of its work, the second ends cleanly; the third finds its database damaged.
 */
export const lives = ['first', 'second', 'third'] as const
export type Life = (typeof lives)[number]

export const LifeOrder = z.object({
  life: z.enum(lives),
  dataDir: z.string(),
  resourcesDir: z.string(),
  notebookFile: z.string(),
  seed: z.number(),
  service: z.object({ baseUrl: z.string(), authUrl: z.string(), adminUrl: z.string() }),
})
export type LifeOrder = z.infer<typeof LifeOrder>
