import type { Closing, ShelfCounted } from './talk'

/** The evening's comparison of the script, the stations' reports, and the service. Pure. */

export interface Taken {
  kind: string
  orderId: string
  items: readonly string[]
}

/** One station's evening. */
export interface StationDay {
  name: string
  /** The script's actions for the station. */
  done: readonly Taken[]
  /** The lines of its closing report's file, with their states. */
  filed: readonly (Taken & { state: string })[]
  report: Pick<Closing['report'], 'completed' | 'returned' | 'voided' | 'confirmed'> & {
    unsent: readonly unknown[]
    refused: readonly unknown[]
    held: readonly unknown[]
  }
}

export interface Complaint {
  kind: 'lost' | 'doubled' | 'strange' | 'report' | 'falsely missing' | 'falsely unexpected' | 'count'
  text: string
}

/** A station's count of the shelf, and what was on it: items that were scanned, that were gone, that should not be there. */
export interface CountDay {
  name: string
  seen: Omit<ShelfCounted, 'names' | 'missing' | 'unexpected'> & {
    missing: readonly string[]
    unexpected: readonly string[]
  }
  truth: { found: readonly string[]; missing: readonly string[]; unexpected: readonly string[] }
}

/** Item by item: a difference that is none, and one that the count doesn't show. */
export function compareCounts(counts: readonly CountDay[]): Complaint[] {
  const complaints: Complaint[] = []
  for (const { name, seen, truth } of counts) {
    const complain = (kind: Complaint['kind'], text: string) => complaints.push({ kind, text: `${name}: ${text}` })
    for (const result of ['missing', 'unexpected'] as const) {
      for (const item of seen[result]) if (!truth[result].includes(item)) complain(`falsely ${result}`, item)
      for (const item of truth[result])
        if (!seen[result].includes(item)) complain('count', `${item} is ${result}, and the count doesn't say so`)
    }
    if (seen.state !== 'signed') complain('count', `its count is ${seen.state}`)
    if (seen.results?.found !== truth.found.length)
      complain('count', `${seen.results?.found ?? 'none'} found; ${truth.found.length} were scanned`)
  }
  return complaints
}

const keyOf = ({ kind, orderId, items }: Taken) => `${kind} of order ${orderId}: ${[...items].sort().join(' ')}`

function counted(all: readonly Taken[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return counts
}

/**
 * Item by item: `held` is what the service took on that day, from all stations. `store`: the day of the whole store, if they
 * share a hub.
 */
export function compareDay(stations: readonly StationDay[], held: readonly Taken[], store?: StationDay): Complaint[] {
  const atService = counted(held)
  const done = counted(stations.flatMap((one) => one.done))
  const complaints: Complaint[] = []
  const complain = (kind: Complaint['kind'], text: string) => complaints.push({ kind, text })

  for (const [key, times] of done) {
    const has = atService.get(key) ?? 0
    if (has < times) complain('lost', key)
    if (has > times) complain('doubled', key)
  }
  for (const [key, times] of atService) {
    if (!done.has(key)) complain('strange', `unexplained: ${key}`)
    // An order is never sold twice with the same items, not even intentionally.
    else if (times > 1 && times === done.get(key)) complain('doubled', `done twice: ${key}`)
  }
  for (const station of store ? [...stations, store] : stations) {
    const orders = new Set(station.done.map(({ orderId }) => orderId))
    const own = held.filter(({ orderId }) => orders.has(orderId))
    for (const text of [...fileDiffers(station, own), ...reportDiffers(station, own)]) {
      complain('report', `${station.name}: ${text}`)
    }
  }
  return complaints
}

/** Compares the file with the service's list of this station's orders. */
function fileDiffers({ filed }: StationDay, own: readonly Taken[]): string[] {
  const inFile = counted(filed)
  const atService = counted(own)
  const keys = new Set([...inFile.keys(), ...atService.keys()])
  const differs = [...keys]
    .filter((key) => inFile.get(key) !== atService.get(key))
    .map((key) => `its file has ${inFile.get(key) ?? 0}, the service ${atService.get(key) ?? 0}: ${key}`)
  const open = filed
    .filter(({ state }) => state !== 'accepted')
    .map((one) => `its file says ${one.state}: ${keyOf(one)}`)
  return [...differs, ...open]
}

const columns = [
  ['completed', 'complete'],
  ['returned', 'return'],
  ['voided', 'void'],
] as const

/** Compares the totals on the screen with those of the service's list. */
function reportDiffers({ report }: StationDay, own: readonly Taken[]): string[] {
  const texts = columns.flatMap(([column, kind]) => {
    const sums = sumsOf(own, kind)
    const { orders, items } = report[column]
    if (orders === sums.orders && items === sums.items) return []
    return [`${column} ${orders} orders, ${items} items; the service has ${sums.orders} and ${sums.items}`]
  })
  if (report.confirmed !== own.length) texts.push(`${report.confirmed} confirmed; the service has ${own.length}`)
  for (const state of ['unsent', 'refused', 'held'] as const) {
    if (report[state].length > 0) texts.push(`${report[state].length} ${state} at the end of the day`)
  }
  return texts
}

/** Number of orders and items of a kind. */
export function sumsOf(all: readonly Taken[], kind: string): { orders: number; items: number } {
  const those = all.filter((one) => one.kind === kind)
  return {
    orders: new Set(those.map(({ orderId }) => orderId)).size,
    items: those.reduce((sum, { items }) => sum + items.length, 0),
  }
}
