/**
 * One hour at a counter, written in advance: what happens to which items, and so what the service must hold afterwards.
 */
export type Step =
  | { do: 'sell' | 'sell through a restart'; orderId: string; items: string[] }
  | { do: 'hold'; orderId: string; items: string[] }
  /** Resumes a held order: with the items in it and some more. */
  | { do: 'resume'; orderId: string; held: string[]; items: string[] }
  /** One of the items is from a case that isn't imported: refused until the case is imported. */
  | { do: 'sell what is not imported'; orderId: string; items: string[] }
  | { do: 'return'; orderId: string; items: string[] }
  /** `items`: the items that the order still holds. */
  | { do: 'void'; orderId: string; items: string[] }
  | { do: 'network goes' | 'network comes back' | 'network comes back, then send now' }

/** The report that the service gets for an order. */
export interface Report {
  kind: 'complete' | 'return' | 'void'
  orderId: string
  items: string[]
}

type What = Step['do'] | 'return of a part' | 'void of the rest'

const sell = (times: number): What[] => Array.from({ length: times }, () => 'sell')

const hour: What[][] = [
  [...sell(8), 'hold', ...sell(3), 'return', ...sell(2), 'resume', 'void'],
  ['sell through a restart', ...sell(5), 'return of a part', 'hold'],
  ['network goes', ...sell(6), 'return', 'void', ...sell(2), 'network comes back'],
  [...sell(4), 'resume', 'return', 'void of the rest', 'return of a part', 'sell what is not imported'],
  [...sell(6), 'hold', 'return of a part', 'void', ...sell(3)],
  ['network goes', ...sell(4), 'resume', 'return', ...sell(3), 'network comes back, then send now'],
  [...sell(5), 'void of the rest', 'return', ...sell(4)],
]

/** Number of items in each next sale, repeated. */
const sizes = [1, 2, 1, 1, 3, 1, 1, 2, 1, 1]

interface Sold {
  orderId: string
  items: string[]
  isPart: boolean
  /** The service has the sale: an unsent sale would be withdrawn instead of voided. */
  isReported: boolean
}

/** The input of an hour's script. */
interface Shop {
  stock: string[]
  /** More items on the shelf; their case isn't imported yet. */
  uncased: string[]
  /** The number of the first order; later orders count up from it. */
  firstOrder?: number
}

/** The same seed gives the same hour. */
export function writeHour(seed: number, { stock, uncased, firstOrder = 20_001 }: Shop): Step[] {
  const random = fromSeed(seed)
  const shelf = shuffled(stock, random)
  const held: { orderId: string; items: string[] }[] = []
  let sold: Sold[] = []
  let orders = 0
  let sales = 0
  let isOffline = false

  const newOrder = () => String(firstOrder + orders++)
  const take = (count: number) => {
    const taken = shelf.splice(-count)
    if (taken.length < count) throw new Error('the shelf is empty: the hour needs more items')
    return taken
  }
  const takeSome = () => take(sizes[sales++ % sizes.length] ?? 1)
  const choose = (isFit: (order: Sold) => boolean) => {
    const fit = sold.filter((order) => order.items.length > 0 && isFit(order))
    const one = fit[Math.floor(random() * fit.length)]
    if (!one) throw new Error('the hour has no order for what is to be done')
    return one
  }
  const sale = <Kind extends Step['do']>(kind: Kind, orderId: string, items: string[]) => {
    sold.push({ orderId, items, isPart: false, isReported: !isOffline })
    return { do: kind, orderId, items }
  }
  /** Returned items are the first to be sold again. */
  const free = (items: string[]) => shelf.push(...items)

  const write = (what: What): Step => {
    switch (what) {
      case 'sell':
      case 'sell through a restart':
        return sale(what, newOrder(), what === 'sell' ? takeSome() : take(3))
      case 'sell what is not imported': {
        const [late = '', ...others] = uncased
        shelf.unshift(...others)
        return sale(what, newOrder(), [...take(1), late])
      }
      case 'hold': {
        const step = { do: what, orderId: newOrder(), items: takeSome() }
        held.push(step)
        return step
      }
      case 'resume': {
        const { orderId, items } = held.shift() ?? { orderId: '', items: [] }
        const more = take(1)
        sale('sell', orderId, [...items, ...more])
        return { do: what, orderId, held: items, items: more }
      }
      case 'return':
      case 'return of a part': {
        const isPart = what === 'return of a part'
        // During an outage, from an order just sold: the return has to wait for its sale.
        // The rest of a partly returned order stays in the list: it is voided later.
        const order = choose((one) => one.isReported !== isOffline && (isPart ? one.items.length > 1 : !one.isPart))
        const items = order.items.splice(0, isPart ? 1 : order.items.length)
        order.isPart = isPart
        free(items)
        return { do: 'return', orderId: order.orderId, items }
      }
      case 'void':
      case 'void of the rest': {
        const order = choose(({ isPart, isReported }) => isReported && isPart === (what === 'void of the rest'))
        sold = sold.filter((one) => one !== order)
        free(order.items)
        return { do: 'void', orderId: order.orderId, items: order.items }
      }
      case 'network goes':
        isOffline = true
        return { do: what }
      case 'network comes back':
      case 'network comes back, then send now':
        isOffline = false
        for (const order of sold) order.isReported = true
        return { do: what }
    }
  }
  // Copies, because the items of an order shrink during the hour.
  return hour.flat().map((what) => structuredClone(write(what)))
}

/** What the service has taken after the whole hour, in the hour's order. */
export function reportsOf(steps: Step[]): Report[] {
  return steps.flatMap((step): Report[] => {
    switch (step.do) {
      case 'sell':
      case 'sell through a restart':
      case 'sell what is not imported':
        return [{ kind: 'complete', orderId: step.orderId, items: step.items }]
      case 'resume':
        return [{ kind: 'complete', orderId: step.orderId, items: [...step.held, ...step.items] }]
      case 'return':
      case 'void':
        return [{ kind: step.do, orderId: step.orderId, items: step.items }]
      case 'hold':
      case 'network goes':
      case 'network comes back':
      case 'network comes back, then send now':
        return []
    }
  })
}

/** A linear congruential generator: the same sequence on every machine; better randomness isn't needed. */
function fromSeed(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function shuffled<One>(all: One[], random: () => number): One[] {
  return all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
