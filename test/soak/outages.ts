import type { FaultsInput } from '../../src-practice/admin'

/**
 * There is one service, and each station's script has outages at the same places: whoever comes to one first waits for
 * the others there. So an outage is one for all, and nobody is surprised by it in the middle of something.
 */
export interface Outages {
  setFaults(faults: FaultsInput): Promise<void>
  /** How often the service went. */
  count(): number
}

export function createOutages(stations: number, setFaults: (faults: FaultsInput) => Promise<unknown>): Outages {
  let waiting: (() => void)[] = []
  let count = 0
  return {
    async setFaults(faults) {
      if (waiting.length + 1 < stations) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
        return
      }
      const others = waiting
      waiting = []
      await setFaults(faults)
      if (faults.offline) count++
      for (const goOn of others) goOn()
    },
    count: () => count,
  }
}
