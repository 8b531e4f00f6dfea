import { z } from 'zod'
import { type CartMode, CartView } from '../../src-shared/ipc/contract/checkout'
import { CallAnswer } from '../../src-shared/ipc/client'
import type { OperationState } from '../../src-shared/ipc/contract/outbox'
import { type Cart, type Held, type News, type OperationNews, callsIn, newsIn, settingOf } from './news'
import type { Line } from './notebook'

/** The station's promises up to a moment, by data folder. */
export interface Promises {
  operations: ReadonlyMap<string, Promised>
  /** The possible contents of each cart: the last known one, and the results of the calls in progress. */
  carts: Record<CartMode, readonly Cart[]>
  held: readonly Held[][]
  settings: ReadonlyMap<string, readonly unknown[]>
  /** Operations not shown yet that a call in progress may have saved. */
  mayAppear: ReadonlySet<string>
  /** Carts being reported: each is emptied in the commit that saves one of these operations. */
  finishing: readonly { mode: CartMode; operations: readonly string[] }[]
  /** How often a report of an order, by kind, was handed to the network. */
  sent: ReadonlyMap<string, number>
  /** Backups reported as made, and the promises at the start of each. */
  backups: readonly { name: string; operations: readonly string[] }[]
  count: number
}

/** An operation as shown; `states`, every state in which it was shown. */
export interface Promised extends OperationNews {
  states: readonly OperationState[]
}
/** The knowledge about one data folder. */
interface Known {
  operations: Map<string, Promised>
  carts: Partial<Record<CartMode, Cart>>
  held: Held[] | undefined
  settings: Map<string, unknown>
  underWay: Set<string>
  sent: Map<string, number>
  atBackup: string[]
  backups: { name: string; operations: string[] }[]
  count: number
}

const Finish = z.object({ mode: CartView.shape.mode, orderId: z.string() })

/**
 * Follows the notebook line by line. The whole notebook is known from the start, so the results of a call in progress
 * are known as well: a cut may come before or after the call's commit.
 */
export function followPromises(lines: readonly Line[]) {
  const calls = callsIn(lines)
  const folders = new Map<string, Known>()
  const names = new Map<string, string>()
  let folder = ''
  const here = () => {
    const known = folders.get(folder) ?? emptyFolder()
    folders.set(folder, known)
    return known
  }

  const learn = ({ operations, cart, held }: News) => {
    const known = here()
    for (const one of operations) {
      const before = known.operations.get(one.id)
      if (before?.states.at(-1) !== one.state) known.count++
      known.operations.set(one.id, { ...one, states: [...(before?.states ?? []), one.state] })
    }
    if (cart && JSON.stringify(known.carts[cart.mode]) !== JSON.stringify(cart.cart)) {
      known.carts[cart.mode] = cart.cart
      known.count++
    }
    if (held && JSON.stringify(known.held) !== JSON.stringify(held)) {
      known.held = held
      known.count++
    }
  }

  return {
    take(line: Line): void {
      const known = here()
      switch (line.line) {
        case 'scene':
          folder = line.folder
          return
        case 'asks':
          names.set(line.call, line.name)
          known.underWay.add(line.call)
          return
        case 'answered': {
          known.underWay.delete(line.call)
          const answer = CallAnswer.parse(line.answer)
          const name = names.get(line.call) ?? ''
          if (!answer.ok) return
          const setting = settingOf(name, calls.get(line.call)?.input)
          if (setting) {
            known.settings.set(...setting)
            known.count++
          }
          learn(newsIn(name, answer.value))
          // The life that started the call has ended, and the next one has read what it left.
          if (name === 'app.status') known.underWay.clear()
          return
        }
        case 'pushed':
          learn(newsIn(line.name, line.value))
          return
        case 'sends': {
          const report = `${line.kind} ${line.orderId}`
          known.sent.set(report, (known.sent.get(report) ?? 0) + 1)
          return
        }
        case 'backup begins':
          known.atBackup = [...known.operations.keys()]
          return
        case 'backup made':
          known.backups.push({ name: line.name, operations: known.atBackup })
          known.count++
      }
    },
    /** The promises so far about the current data folder. */
    now(): Promises {
      const known = here()
      const open = [...known.underWay].flatMap((call) => calls.get(call) ?? [])
      const carts = (mode: CartMode) => [
        ...(known.carts[mode] ? [known.carts[mode]] : []),
        ...open.flatMap((call) => call.carts.flatMap((one) => (one.mode === mode ? [one.cart] : []))),
      ]
      const settings = new Map([...known.settings].map(([name, value]) => [name, [value]]))
      for (const { name, input } of open) {
        const setting = settingOf(name, input)
        if (setting && settings.has(setting[0])) settings.get(setting[0])?.push(setting[1])
      }
      return {
        operations: new Map(known.operations),
        // Nothing is known about it yet, so it may still hold its earlier content.
        carts: {
          sale: known.carts.sale ? carts('sale') : [],
          return: known.carts.return ? carts('return') : [],
        },
        held: known.held ? [known.held, ...open.flatMap((call) => call.held)] : [],
        settings,
        mayAppear: new Set(open.flatMap((call) => [...call.operations.keys()])),
        finishing: open.flatMap((call) => {
          const finish = Finish.safeParse(call.name === 'checkout.finish' ? call.input : undefined)
          if (!finish.success) return []
          const { mode, orderId } = finish.data
          const kind = mode === 'sale' ? 'complete' : 'return'
          const saved = [...call.operations.values()].filter((one) => one.kind === kind && one.orderId === orderId)
          return [{ mode, operations: saved.map((one) => one.id) }]
        }),
        sent: new Map(known.sent),
        backups: [...known.backups],
        count: known.count,
      }
    },
    folder: () => folder,
    /** In all data folders together. */
    count: () => [...folders.values()].reduce((sum, known) => sum + known.count, 0),
  }
}

/** Total number of promises. */
export function promisesMade(lines: readonly Line[]): number {
  const follow = followPromises(lines)
  for (const line of lines) follow.take(line)
  return follow.count()
}

const emptyFolder = (): Known => ({
  operations: new Map(),
  carts: {},
  held: undefined,
  settings: new Map(),
  underWay: new Set(),
  sent: new Map(),
  atBackup: [],
  backups: [],
  count: 0,
})
