import { z } from 'zod'
import type { HubPolicy } from '../../src-shared/ipc/contract/hub'
import type { HubFacts, Report, StationFacts } from './facts'
import type { Entry } from './journal'

/**
 * The comparison of what the stations said, what they hold, what the hub holds and what the service took. Pure. Each item is
 * independent of the others: its history must be possible for one arbiter.
 */

export interface Complaint {
  what: string
  /** The item that it is about, to show its history. */
  tagId?: string
}

interface Taken {
  kind: string
  orderId: string
  tagIds: string[]
}

export interface Evidence {
  policy: HubPolicy
  entries: readonly Entry[]
  stations: readonly StationFacts[]
  hub: HubFacts
  /** What the service accepted. */
  taken: readonly Taken[]
}

/** Everything that the promises say, once the store is healed. */
export const judge = (evidence: Evidence): Complaint[] => [
  ...answers(evidence),
  ...doubleSales(evidence),
  ...reports(evidence),
  ...heldOrders(evidence),
  ...level(evidence),
]

const Mark = z.object({ kind: z.string() }).nullable()
const markIn = (entry: Entry) => Mark.safeParse(entry.answer).data?.kind ?? null
const Made = z.object({ id: z.string() })
const idIn = (entry: Entry) => Made.safeParse(entry.answer).data?.id
const About = z.object({
  mode: z.string().optional(),
  orderId: z.string().nullish(),
  operationId: z.string().optional(),
})
const aboutOf = (entry: Entry) => About.safeParse(entry.input).data ?? {}
const isTakeover = ({ call, input }: Entry) =>
  call === 'checkout.addItem' && z.object({ takeOver: z.object({}) }).safeParse(input).success
const CodeOf = z.object({ code: z.string() })
const codeOf = ({ answer }: Entry) => CodeOf.safeParse(answer).data?.code
/** A takeover without an answer may have reached the hub. */
const mayHaveTaken = (entry: Entry) => entry.outcome !== 'refused' || codeOf(entry) === 'checkout/not-claimed'

/** Quicker than a station is together again with a hub that it lost, in ms. */
const quick = 100
const isAnswered = ({ isOnline = false, at, endedAt }: Entry) =>
  isOnline && endedAt !== undefined && endedAt - at < quick

/** No answer contradicts the store's policy or the hub's, and none is a bug. */
function answers(evidence: Evidence): Complaint[] {
  const { policy, entries } = evidence
  return entries.flatMap((entry): Complaint[] => {
    const [tagId] = entry.tagIds
    const about = tagId === undefined ? {} : { tagId }
    const where = `${entry.station}, ${entry.call} at ${entry.at.toFixed(0)} ms`
    if (entry.outcome === 'open') return [{ what: `${where} was never answered`, ...about }]
    const code = codeOf(entry)
    if (code === 'app/unexpected') return [{ what: `${where}: ${JSON.stringify(entry.answer)}`, ...about }]
    if (policy === 'warn' && code === 'checkout/not-claimed' && !isTakeover(entry))
      return [{ what: `${where} was refused for lack of the hub, though the policy is to warn`, ...about }]
    if (entry.call !== 'checkout.addItem' || aboutOf(entry).mode !== 'sale') return []
    const mark = entry.outcome === 'ok' && !isLostMeanwhile(evidence, entry) ? markIn(entry) : null
    if (isAnswered(entry) && (mark === 'unchecked' || code === 'checkout/not-claimed'))
      return [{ what: `${where} counts as unchecked, though the hub answered`, ...about }]
    if (policy === 'refuse' && mark !== null)
      return [{ what: `${where} entered "${mark}", though the policy is to refuse`, ...about }]
    return []
  })
}

/** Whether a person took the item from this scan's station before the scan had ended: the claim that it had got is gone. */
const isLostMeanwhile = (evidence: Evidence, { station, at, endedAt = Number.POSITIVE_INFINITY, tagIds }: Entry) =>
  evidence.entries.some(
    (one) =>
      isTakeover(one) &&
      mayHaveTaken(one) &&
      loserIn(evidence, one) === station &&
      tagIds.some((tagId) => one.tagIds.includes(tagId)) &&
      one.at < endedAt &&
      at < (one.endedAt ?? Number.POSITIVE_INFINITY),
  )

/** A sale of an item at a station: from the moment it was told to the person, until a person began to undo it. */
interface Sale {
  station: string
  report: Report
  tagId: string
  from: number
  to: number
}

function salesIn({ entries, stations, taken }: Evidence): Sale[] {
  const undone = undoingOf(stations, taken)
  return stations.flatMap(({ name, reports: those }) =>
    those.flatMap((report) => {
      if (report.kind !== 'complete') return []
      const own = entries.filter((one) => one.station === name)
      const from = own.find((one) => idIn(one) === report.id && one.call === 'checkout.finish')?.endedAt
      // Saved, and the station killed before it said so.
      const unsaid = own.find(
        (one) =>
          one.call === 'checkout.finish' && one.outcome === 'unanswered' && aboutOf(one).orderId === report.orderId,
      )?.endedAt
      const start = from ?? unsaid
      if (start === undefined) return []
      return report.tagIds.map((tagId): Sale => {
        const ends = undone(report, tagId).map((by) => beganOf(entries, by))
        if (report.state === 'cancelled')
          ends.push(...own.filter((one) => cancels(one, report) && one.at >= start).map(({ at }) => at))
        const to = Math.min(Number.POSITIVE_INFINITY, ...ends.filter((at) => at >= start))
        return {
          station: name,
          report,
          tagId,
          from: start,
          to: report.state === 'cancelled' && ends.length === 0 ? start : to,
        }
      })
    }),
  )
}

/** Which reports, of any station, undo an item of a sale: those that the service took. */
const undoingOf = (stations: readonly StationFacts[], taken: readonly Taken[]) => {
  const all = stations.flatMap((one) => one.reports.map((report) => ({ ...report, station: one.name })))
  return (sale: Report, tagId: string) =>
    all.filter(
      (one) =>
        one.orderId === sale.orderId &&
        one.state === 'accepted' &&
        (one.kind === 'void' || (one.kind === 'return' && one.tagIds.includes(tagId))) &&
        taken.some(({ kind, orderId }) => kind === one.kind && orderId === one.orderId),
    )
}

/** When a person began to ask for a report. Before everything, if that isn't known. */
function beganOf(entries: readonly Entry[], { id, kind, orderId, station }: Report & { station: string }): number {
  const own = entries.filter((one) => one.station === station)
  const call = kind === 'void' ? 'checkout.void' : 'checkout.finish'
  const told = own.find((one) => one.call === call && idIn(one) === id)
  const maybe = own.find((one) => one.call === call && one.outcome === 'unanswered' && aboutOf(one).orderId === orderId)
  return (told ?? maybe)?.at ?? 0
}

const cancels = (entry: Entry, { id, orderId }: Report) => {
  const about = aboutOf(entry)
  if (entry.outcome === 'refused') return false
  if (['outbox.withdraw', 'outbox.dismiss', 'checkout.reopen'].includes(entry.call)) return about.operationId === id
  return entry.call === 'checkout.void' && about.orderId === orderId
}

/** The id of the station that an item was taken over from. */
const loserIdIn = ({ input }: Entry) =>
  z.object({ takeOver: z.object({ stationId: z.string() }) }).parse(input).takeOver.stationId
const loserIn = ({ stations }: Evidence, entry: Entry) =>
  stations.find((one) => one.stationId === loserIdIn(entry))?.name

/**
 * Whether a person took the item from one of two sales, which was still completed: its station had the item from before, and
 * didn't know yet.
 */
function wasTaken(evidence: Evidence, sales: [Sale, Sale]): boolean {
  const { entries } = evidence
  const [{ tagId }] = sales
  const latest = Math.max(...sales.map(({ from }) => from))
  return entries.some((takeover) => {
    if (!isTakeover(takeover) || !mayHaveTaken(takeover)) return false
    if (!takeover.tagIds.includes(tagId) || takeover.at >= latest) return false
    const loser = sales.find(({ station }) => station === loserIn(evidence, takeover))
    if (!loser) return false
    const scanned = entries.findLast(
      (one) =>
        one.station === loser.station &&
        one.at < loser.from &&
        one.outcome !== 'refused' &&
        one.tagIds.includes(tagId) &&
        (['checkout.resume', 'checkout.reopen'].includes(one.call) ||
          (one.call === 'checkout.addItem' && aboutOf(one).mode === 'sale')),
    )
    return scanned === undefined || scanned.at < (takeover.endedAt ?? Number.POSITIVE_INFINITY)
  })
}

const isAtOnce = (one: Sale, two: Sale) => one.from < two.to && two.from < one.to

/**
 * A sale, and the earlier ones of its station that collided with the other sale. One of them told both stations, and took the item
 * at the hub: what is sold anew after its void or return is granted, while the other station's sale waits for a person.
 */
const upTo = (sales: readonly Sale[], { station, tagId, from }: Sale, other: Sale) =>
  sales.filter((one) => one.station === station && one.tagId === tagId && one.from <= from && isAtOnce(one, other))

/** Under `refuse`, no two stations have sold an item at the same time; under `warn`, only where one of them was marked. */
function doubleSales(evidence: Evidence): Complaint[] {
  const { policy } = evidence
  const sales = salesIn(evidence)
  const found: Complaint[] = []
  for (const [index, one] of sales.entries()) {
    const { unclaimed } = one.report
    if (policy === 'refuse' && unclaimed.includes(one.tagId))
      found.push({ what: `${one.station} sold it unchecked, though the policy is to refuse`, tagId: one.tagId })
    for (const two of sales.slice(index + 1)) {
      const isSame = one.tagId === two.tagId && one.station !== two.station
      if (!isSame || !isAtOnce(one, two)) continue
      const { tagId } = one
      const pairs = [
        ...upTo(sales, one, two).map((before): [Sale, Sale] => [before, two]),
        ...upTo(sales, two, one).map((before): [Sale, Sale] => [before, one]),
      ]
      const isMarked = pairs.some(([{ report }]) => report.unclaimed.includes(tagId))
      if ((policy === 'warn' && isMarked) || pairs.some((pair) => wasTaken(evidence, pair))) continue
      const orders = `${one.station} (${one.report.orderId}) and ${two.station} (${two.report.orderId})`
      found.push({ what: `sold by ${orders} at the same time, and neither was marked`, tagId })
    }
  }
  return found
}

const keyOf = ({ kind, orderId, tagIds }: Taken) =>
  `${kind} ${orderId}${kind === 'void' ? '' : ` ${[...tagIds].sort().join(' ')}`}`

/** What a station saved is reported exactly once, and nothing else. */
function reports({ entries, stations, taken }: Evidence): Complaint[] {
  const complaints: Complaint[] = []
  const all = stations.flatMap((one) => one.reports.map((report) => ({ ...report, station: one.name })))
  const known = new Set(all.map(({ id }) => id))
  for (const { station, call, tagIds, at, ...entry } of entries) {
    const id = idIn({ station, call, tagIds, at, ...entry })
    if (entry.outcome === 'ok' && id !== undefined && !known.has(id)) {
      const [tagId] = tagIds
      complaints.push({
        what: `${station} lost what ${call} saved at ${at.toFixed(0)} ms`,
        ...(tagId !== undefined && { tagId }),
      })
    }
  }
  const counts = new Map<string, number>()
  for (const one of taken) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  for (const one of all) {
    const [tagId] = one.tagIds
    const about = tagId === undefined ? {} : { tagId }
    if (one.state === 'accepted') {
      if (!counts.has(keyOf(one)))
        complaints.push({ what: `${one.station}: ${keyOf(one)} isn't at the service`, ...about })
    } else if (one.state !== 'cancelled' && one.state !== 'rejected')
      complaints.push({ what: `${one.station}: ${keyOf(one)} is still ${one.state}`, ...about })
  }
  for (const [key, count] of counts) {
    const made = all.filter((one) => keyOf(one) === key)
    if (count > 1 && made.length < count) complaints.push({ what: `the service took ${key} ${count} times` })
    if (made.length === 0) complaints.push({ what: `no station made ${key}, which the service took` })
  }
  return complaints
}

const Order = z.object({ orderId: z.string().nullable() })

/** An order on hold is resumed by one station, with every scan. Each is held under a number of its own. */
function heldOrders({ policy, entries }: Evidence): Complaint[] {
  const of = (call: string) =>
    entries.flatMap((entry) => {
      const orderId = Order.safeParse(entry.answer).data?.orderId
      return entry.call === call && entry.outcome === 'ok' && orderId != null ? [{ ...entry, orderId }] : []
    })
  const resumed = Map.groupBy(of('checkout.resume'), ({ orderId }) => orderId)
  return of('checkout.hold').flatMap((held): Complaint[] => {
    const those = resumed.get(held.orderId) ?? []
    const [tagId] = held.tagIds
    const about = tagId === undefined ? {} : { tagId }
    const names = those.map(({ station }) => station)
    // Apart, a station that warns goes on with its own order; its items are marked.
    const counted = policy === 'warn' ? names.filter((name) => name !== held.station) : names
    const twice =
      counted.length > 1 ? [{ what: `${held.orderId} was resumed by ${names.join(' and ')}`, ...about }] : []
    const short = those.flatMap((one): Complaint[] => {
      const missing = held.tagIds.filter(
        (each) =>
          !one.tagIds.includes(each) &&
          !moved(entries, held, one, each) &&
          !isKept(entries, held, one, each) &&
          !isTakenBefore(entries, one, each),
      )
      return missing.map((each) => ({ what: `${one.station} resumed ${held.orderId} without an item`, tagId: each }))
    })
    return [...twice, ...short]
  })
}

/** Whether the item was taken into another sale of the resuming station before: it stays there. */
const isKept = (entries: readonly Entry[], held: Entry, resumed: Entry, tagId: string) => {
  const isBefore = (one: Entry) => one.station === resumed.station && one.at < resumed.at && one.outcome !== 'refused'
  const last = entries.findLast((one) => isBefore(one) && one.tagIds.includes(tagId))
  if (!last || held.station === resumed.station || aboutOf(last).mode === 'return') return false
  return ['checkout.addItem', 'checkout.hold', 'checkout.resume', 'checkout.reopen'].includes(last.call)
}

/** Whether a person took the item over from the order, at the latest while it was being resumed: it leaves then. */
const isTakenBefore = (entries: readonly Entry[], resumed: Entry, tagId: string) => {
  const next = entries.find((one) => one.station === resumed.station && one.at > resumed.at)?.at
  return entries.some(
    (one) =>
      isTakeover(one) && mayHaveTaken(one) && one.tagIds.includes(tagId) && one.at < (next ?? Number.POSITIVE_INFINITY),
  )
}

/** Whether the item left the order meanwhile, for another one with it that was resumed: it is in one order only. */
const moved = (entries: readonly Entry[], held: Entry, resumed: Entry, tagId: string) =>
  entries.some(
    (one) =>
      one.call === 'checkout.resume' &&
      one.at > held.at &&
      one.at < resumed.at &&
      (one.outcome === 'unanswered' || (one.outcome === 'ok' && one.tagIds.includes(tagId))),
  )

/** After healing the hub holds what the stations have, and all that were in a collision know of it. */
export function level({ entries, stations, hub, taken }: Evidence): Complaint[] {
  const complaints: Complaint[] = []
  const complain = (what: string, tagId?: string) => complaints.push({ what, ...(tagId !== undefined && { tagId }) })
  const undone = undoingOf(stations, taken)
  const rows = new Map(hub.claims.map((row) => [row.tag, row]))
  const nameOf = (id: string) => stations.find((one) => one.stationId === id)?.name ?? id

  for (const { name, stationId, due, shared, unshared, taken: unsaid } of stations) {
    if (unshared > 0) complain(`${name} has an order on hold that no other station can resume`)
    for (const { id, isOver } of shared) {
      const isOffered = hub.held.some((one) => one.id === id && one.station === stationId && one.taken_by === null)
      if (isOver === 0 && !isOffered) complain(`${name} has an order on hold that the hub doesn't offer`)
    }
    for (const key of due)
      complain(`${name} has ${key} still to tell`, key.startsWith('tag:') ? key.slice(4) : undefined)
    for (const one of shared) if (one.isDue === 1) complain(`${name} has an order on hold still to tell`)
    if (unsaid.length > 0) complain(`${name} has a resumed order still to confirm`)
  }
  if (hub.notices > 0) complain(`${hub.notices} notices were not fetched`)
  for (const { id, station, taken_by: taker } of hub.held) {
    if (taker !== null) complain(`an order of ${nameOf(station)} on hold is between stations`)
    const own = stations.find((one) => one.stationId === station)?.shared ?? []
    if (taker === null && !own.some((one) => one.id === id && one.isOver === 0))
      complain(`the hub offers an order that ${nameOf(station)} doesn't have on hold`)
  }

  const tagIds = new Set([
    ...rows.keys(),
    ...stations.flatMap((one) => one.lines.map((line) => line.tagId)),
    ...stations.flatMap((one) => one.reports.flatMap((report) => report.tagIds)),
  ])
  for (const tagId of tagIds) {
    const holders = stations.flatMap((station) => {
      const line = station.lines.find((one) => one.tagId === tagId)
      const sale = station.reports.findLast(
        (one) =>
          one.kind === 'complete' &&
          one.state !== 'cancelled' &&
          one.tagIds.includes(tagId) &&
          undone(one, tagId).length === 0,
      )
      const kind = line ? (line.heldAt === null ? 'cart' : 'held') : 'sale'
      const orderId = line ? line.orderId : (sale?.orderId ?? null)
      return line || sale ? [{ station, line, sale, kind, orderId }] : []
    })
    const row = rows.get(tagId)
    const holder = row && row.kind !== 'returned' ? row : undefined
    if (holders.length === 0) {
      if (holder)
        complain(`leaked: ${nameOf(holder.station)} has a ${holder.kind} at the hub, and no order with it`, tagId)
      continue
    }
    if (!holder) {
      // Two stations had sold it, by a mark or a takeover, and it came back from one of these sales: it is one item.
      const wasTaken = entries.some((one) => isTakeover(one) && one.tagIds.includes(tagId))
      const wasMarked = stations.some((one) => one.reports.some(({ unclaimed }) => unclaimed.includes(tagId)))
      const isOver = holders.every(({ sale, line }) => !line && sale && row && row.back_at >= sale.at)
      if (!isOver || !(wasTaken || wasMarked))
        complain(`the hub doesn't know that ${holders.map(({ station }) => station.name).join(', ')} has it`, tagId)
      continue
    }
    const own = holders.find(({ station }) => station.stationId === holder.station)
    if (!own)
      complain(
        `leaked: the hub says ${nameOf(holder.station)}, but it is at ${holders.map(({ station }) => station.name).join(', ')}`,
        tagId,
      )
    else if (own.kind !== holder.kind || own.orderId !== holder.order_id)
      complain(
        `${own.station.name} has it as ${own.kind} in ${own.orderId}, the hub as ${holder.kind} in ${holder.order_id}`,
        tagId,
      )
    const sold = holders.find(({ kind }) => kind === 'sale')
    // It came back by another sale of it, after this one: it is one item.
    const isOver = sold?.sale && row && row.back_at >= sold.sale.at
    if (sold && holder.kind !== 'sale' && !isOver)
      complain(
        `${sold.station.name} has sold it, and at the hub it is in an open order of ${nameOf(holder.station)}`,
        tagId,
      )
    for (const { station, line } of holders) {
      if (!line) continue
      const known = station.claims.find((one) => one.tagId === tagId)
      const isOwn = station.stationId === holder.station
      if (isOwn && known?.revision !== holder.revision)
        complain(`${station.name} has revision ${known?.revision}, the hub ${holder.revision}`, tagId)
      if (!isOwn && known?.heldBy !== holder.station)
        complain(`${station.name} doesn't know that ${nameOf(holder.station)} has it`, tagId)
    }
    // Nor does a sale collide that was over when it was told.
    const standing = holders.filter((one) => one.line || !one.sale || holder.back_at < one.sale.at)
    if (standing.length < 2) continue
    for (const { station } of standing) {
      const isTaker = entries.some(
        (one) => isTakeover(one) && mayHaveTaken(one) && one.station === station.name && one.tagIds.includes(tagId),
      )
      const isTold = station.notices.some((one) => one.tagId === tagId)
      if (!isTold && !isTaker) complain(`${station.name} has no notice of the collision`, tagId)
    }
  }

  for (const entry of entries) {
    if (!isTakeover(entry) || entry.outcome !== 'ok') continue
    const from = loserIdIn(entry)
    const taker = stations.find(({ name }) => name === entry.station)?.stationId
    const loser = stations.find(({ stationId }) => stationId === from)
    const [tagId] = entry.tagIds
    // What was free by then, or its own again, was taken from no other station.
    const isTold = loser?.notices.some((one) => one.tagId === tagId && one.stationId === taker)
    const wasFree = loser === undefined || from === taker || gaveUp(entries, loser.name, entry)
    if (!isTold && !wasFree) complain(`${loser.name} has no notice that ${entry.station} took it over`, tagId)
  }
  return complaints
}

/** Whether the station may have let the item go before it was taken over, or lost it to a third one before. */
function gaveUp(entries: readonly Entry[], station: string, takeover: Entry): boolean {
  const { endedAt = 0 } = takeover
  const [tagId] = takeover.tagIds
  if (tagId === undefined) return false
  const isEarlier = (one: Entry) =>
    isTakeover(one) &&
    mayHaveTaken(one) &&
    one.station !== takeover.station &&
    loserIdIn(one) === loserIdIn(takeover) &&
    (one.outcome !== 'ok' || (one.endedAt ?? 0) < endedAt)
  // The scan was refused because no answer came. If the hub granted the claim, the station gives it back once it hears of it.
  const isUnanswered = (one: Entry) =>
    one.station === station &&
    one.call === 'checkout.addItem' &&
    one.tagIds.includes(tagId) &&
    codeOf(one) === 'checkout/not-claimed'
  const isLetGo = (one: Entry) =>
    one.outcome !== 'refused' &&
    ((one.station === station && one.tagIds.includes(tagId) && !one.call.includes('addItem')) ||
      ['checkout.dropHeld', 'checkout.resume', 'killed'].includes(one.call))
  return entries.some(
    (one) => one.at < endedAt && (isLetGo(one) || isUnanswered(one) || (one.tagIds.includes(tagId) && isEarlier(one))),
  )
}
