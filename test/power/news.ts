import { z } from 'zod'
import { type CartMode, CartView, HeldOrder } from '../../src-shared/ipc/contract/checkout'
import { CallAnswer } from '../../src-shared/ipc/client'
import { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Line } from './notebook'

/** What a person learns about an operation. */
const OperationNews = OperationView.pick({
  id: true,
  kind: true,
  state: true,
  orderId: true,
  caseId: true,
  itemCount: true,
})
export type OperationNews = z.infer<typeof OperationNews>
export type Cart = { orderId: string | null; tagIds: string[] }
const Held = HeldOrder.pick({ id: true, orderId: true, itemCount: true })
export type Held = z.infer<typeof Held>

/** What a person learns from one answer or announcement. */
export interface News {
  operations: OperationNews[]
  cart: { mode: CartMode; cart: Cart } | undefined
  held: Held[] | undefined
}

const Operations = z.union([
  z.array(OperationNews),
  z.object({ operations: z.array(OperationNews) }).transform((value) => value.operations),
  OperationNews.transform((one) => [one]),
])

/** Accepts every form in which the station says it. */
export function newsIn(name: string, value: unknown): News {
  const cart = CartView.safeParse(value)
  const operations = Operations.safeParse(value)
  return {
    operations: operations.success ? operations.data : [],
    cart: cart.success ? { mode: cart.data.mode, cart: itemsOf(cart.data) } : undefined,
    held: name === 'checkout.held' ? z.array(Held).parse(value) : undefined,
  }
}
const itemsOf = ({ orderId, lines }: CartView): Cart => ({
  orderId,
  tagIds: lines.flatMap((line) => line.items.map((item) => item.tagId)).sort(),
})

/** Settings that the script changes, by call. */
export const settingOf = (name: string, input: unknown): [string, unknown] | undefined => {
  if (name === 'app.setLocale') return ['locale', z.object({ locale: z.string() }).parse(input).locale]
  if (name === 'outbox.setLimits') return ['outbox.limits', input]
  return undefined
}

/** A call, and what became known while it was in progress. */
interface Call {
  name: string
  input: unknown
  operations: Map<string, OperationNews>
  carts: { mode: CartMode; cart: Cart }[]
  held: Held[][]
}

/**
 * By call, what became known from its start to its answer; a call without an answer lasts until the next life has read
 * everything.
 */
export function callsIn(lines: readonly Line[]): Map<string, Call> {
  const calls = new Map<string, Call>()
  const underWay = new Map<string, Call>()
  const learn = ({ operations, cart, held }: News) => {
    for (const call of underWay.values()) {
      for (const one of operations) call.operations.set(one.id, one)
      if (cart) call.carts.push(cart)
      if (held) call.held.push(held)
    }
  }
  for (const line of lines) {
    if (line.line === 'asks') {
      const call: Call = { name: line.name, input: line.input, operations: new Map(), carts: [], held: [] }
      calls.set(line.call, call)
      underWay.set(line.call, call)
    }
    if (line.line === 'pushed') learn(newsIn(line.name, line.value))
    if (line.line === 'answered') {
      const answer = CallAnswer.parse(line.answer)
      const name = calls.get(line.call)?.name ?? ''
      if (answer.ok) learn(newsIn(name, answer.value))
      underWay.delete(line.call)
      if (name === 'app.status') underWay.clear()
    }
  }
  return calls
}
