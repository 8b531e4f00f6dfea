import type { FaultsInput } from '../../src-practice/admin'

/**
 * There is one service, and each station's script has outages at the same steps. The station that reaches an outage
 * first waits for the other stations there, so an outage is shared and never interrupts a station in the middle of a
 * step.
 */
export interface Outages {
  setFaults(faults: FaultsInput): Promise<void>
  /** Number of outages so far. */
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
