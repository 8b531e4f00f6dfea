import { randomUUID } from 'node:crypto'
import { CountId } from '../../src-shared/ids'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import { caseOf, tag } from '../../test/fakes/ids'
import { joinHub } from '../../test/hub/station'

/** So many scans are told at a time. */
const atOnce = 500

/**
 * What each station does at each scan of a count, in ms: reading which counts are open, and the scan being told and read.
 * `items`: so many were scanned before.
 */
async function openCountOf(address: HubAddress, items: number) {
  const hub = await joinHub(address, 'Bench')
  const epochOf = async () => (await hub.epoch()) ?? 0
  const id = CountId.parse(randomUUID())
  const caseId = caseOf(1)
  const tagIds = Array.from({ length: items }, (_, n) => tag(n))
  const body = { caseId, startedAt: Date.now(), cases: [{ caseId, identifier: 'Bench', productName: null, tagIds }] }
  await hub.counts.put(await epochOf(), id, body, { isFinished: false, openCase: caseId })
  const tell = async (from: number, to: number) =>
    hub.counts.push(
      await epochOf(),
      id,
      Array.from({ length: to - from }, (_, n) => ({
        key: tag(from + n),
        value: null,
        at: n,
        isGone: false,
        isOthers: false,
      })),
    )
  for (let from = 0; from < items; from += atOnce) await tell(from, Math.min(items, from + atOnce))
  let [scanned, revision] = [items, (await hub.counts.status([id]))?.get(id)?.revision ?? 0]
  const [reading, telling]: [number[], number[]] = [[], []]
  return {
    reading,
    telling,
    async once() {
      const from = performance.now()
      await tell(scanned, ++scanned)
      revision = (await hub.counts.since(id, revision))?.revision ?? 0
      const told = performance.now()
      const [open] = (await hub.counts.open()) ?? []
      reading.push(performance.now() - told)
      telling.push(told - from)
      if (open?.scanned !== scanned) throw new Error(`the hub counts ${open?.scanned} scans of ${scanned}`)
    },
    close: () => hub.close(),
  }
}

/** A count with few items and one with many, by turns, each at a store of its own. */
export async function benchCounts(stores: [HubAddress, HubAddress], sizes: [number, number], count: number) {
  const [few, many] = [await openCountOf(stores[0], sizes[0]), await openCountOf(stores[1], sizes[1])]
  for (let n = 0; n < count; n++) {
    await few.once()
    await many.once()
  }
  await Promise.all([few.close(), many.close()])
  return { few, many }
}
