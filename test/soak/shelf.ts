import type { Step } from '../e2e/hour-script'

/** What is on a station's shelf, item by item, as the judge knows it: whatever the station believes. Pure. */
export type Shelf = ReturnType<typeof createShelf>

interface Goods {
  productName: string
  items: readonly string[]
}

export function createShelf() {
  const products = new Map<string, string>()
  const here = new Set<string>()
  const sold = new Set<string>()
  /** Gone without a sale, for good: each count misses them. */
  const lost = new Set<string>()
  const isOf = (names: readonly string[]) => (item: string) => names.includes(products.get(item) ?? '')

  return {
    /** Goods are imported. */
    arrive({ productName, items }: Goods) {
      for (const item of items) {
        products.set(item, productName)
        here.add(item)
      }
    },
    /** A step at the counter is done. `uncased`: the goods that come in with the sale of one of them. What is on hold is still here. */
    take(step: Step, uncased: Goods) {
      if (step.do === 'sell what is not imported') this.arrive(uncased)
      for (const item of soldIn(step)) {
        here.delete(item)
        sold.add(item)
      }
      if (step.do === 'return' || step.do === 'void') {
        for (const item of step.items) {
          sold.delete(item)
          here.add(item)
        }
      }
    },
    /** Someone steals it. */
    lose(item: string) {
      here.delete(item)
      lost.add(item)
    },
    here: (names: readonly string[]) => [...here].filter(isOf(names)),
    sold: (names: readonly string[]) => [...sold].filter(isOf(names)),
    lost: (names: readonly string[]) => [...lost].filter(isOf(names)),
  }
}

function soldIn(step: Step): readonly string[] {
  switch (step.do) {
    case 'sell':
    case 'sell through a restart':
    case 'sell what is not imported':
      return step.items
    case 'resume':
      return [...step.held, ...step.items]
    case 'hold':
    case 'return':
    case 'void':
    case 'network goes':
    case 'network comes back':
    case 'network comes back, then send now':
      return []
  }
}

/** The items of a step. */
export const itemsOf = (step: Step): readonly string[] =>
  'held' in step ? [...step.held, ...step.items] : 'items' in step ? step.items : []
