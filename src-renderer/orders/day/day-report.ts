import type { AppStatus } from '../../../src-shared/ipc/contract/app'
import type { DayReport, StationOfDay } from '../../../src-shared/ipc/contract/checkout'
import { causeTexts } from '../../outbox/outages/outage-text'
import { dateOf, ends, moment, shortSpan } from '../../text/moments'
import { listed, t } from '../../text/text.svelte'

/** What is still open before the service has everything. */
export interface OpenWork {
  unsent: number
  refused: number
  held: number
  /** True if another station of the store is not done. */
  isStoreOpen: boolean
}

/**
 * Nothing is open only if both the report and the status say so, which arrive separately: "all confirmed" at closing
 * time must never be a guess. Null while unknown.
 */
export function openOf(report: DayReport | null, status: AppStatus | null, isCurrent: boolean): OpenWork | null {
  if (!report || !status || !isCurrent) return null
  return {
    unsent: Math.max(report.unsent.length, status.unsent),
    refused: Math.max(report.refused.length, status.attention),
    held: heldOf(report).length,
    isStoreOpen: report.store?.isComplete === false,
  }
}

/** Orders that were on hold by the end of the day, and still are. */
export const heldOf = ({ day, held }: DayReport): DayReport['held'] => {
  const next = dateOf(day)
  next?.setDate(next.getDate() + 1)
  return held.filter(({ heldAt }) => !next || Date.parse(heldAt) < next.getTime())
}

export const isAllThere = (open: OpenWork | null): boolean =>
  open?.unsent === 0 && open.refused === 0 && !open.isStoreOpen

/** The store or station whose reports these are. */
export const scopeText = ({ station, store }: DayReport): string =>
  store ? t('day.store', { count: store.stations.length }) : t('day.station', { station })

/** The screen names so many reports of a kind: more would bury the rest; the Outbox shows them all. */
export const named = 5

/** What these did since isn't known: the person is asked before the day is closed. */
export const offStationsOf = ({ store }: DayReport): StationOfDay[] =>
  store?.stations.filter(({ status }) => status === 'off') ?? []

export const hasReports = ({ orders, returned, voided }: StationOfDay): boolean => orders + returned + voided > 0

/** It has read back all its reports of the day. */
export const isVerified = ({ verified }: StationOfDay): boolean =>
  verified?.state === 'finished' && !verified.isOutOfDate

/** How a station stands in the day of the store, in words. */
export function statusOfStation(station: StationOfDay): string[] {
  const { status, seenAt, unsent, attention, untold, inCart, verified } = station
  const at = seenAt === null ? '' : moment(seenAt)
  const words: string[] = []
  if (status !== 'answered') words.push(t(`day.status.${status}`, { at }))
  if (unsent > 0) words.push(t('store.state.unsent', { count: unsent }))
  if (attention > 0) words.push(t('store.state.attention', { count: attention }))
  if (untold > 0) words.push(t('day.status.untold', { count: untold }))
  if (station.isDone && status !== 'off') words.push(t('day.status.done'))
  if (inCart > 0) words.push(t('day.status.in-cart', { count: inCart }))
  if (verified && isVerified(station)) {
    const { asReported, total, differenceCount } = verified
    words.push(t('day.status.verified', { asReported, total }))
    if (differenceCount > 0) words.push(t('day.status.differs', { count: differenceCount }))
  } else if (hasReports(station)) words.push(t('day.status.not-verified'))
  return words
}

export const stationTable = (stations: StationOfDay[]): FigureTable => ({
  caption: t('day.stations'),
  name: t('label.station'),
  heads: [t('nav.orders'), t('day.sold'), t('day.returned'), t('day.voided')],
  rows: stations.map((station) => ({
    name: station.name,
    note: statusOfStation(station).join(' · '),
    figures: [station.orders, station.sold, station.returned, station.voided],
  })),
})

/** A table of figures: names, and counts for each name. */
export interface FigureTable {
  caption: string
  /** Heading of the names; none without it. */
  name?: string
  /** Headings of the figures. */
  heads: string[]
  /** The first figure is also drawn, as a bar. */
  isDrawn?: boolean
  /** `isKnown`: false for a row that is not one of a kind, and is not drawn. */
  rows: { name: string; note?: string | null; figures: number[]; isKnown?: boolean }[]
}

export const sumTable = (report: DayReport): FigureTable => ({
  caption: t('day.sums'),
  heads: [t('nav.orders'), t('label.items')],
  rows: (['completed', 'returned', 'voided', 'net'] as const).map((key) => ({
    name: t(`day.${key}`),
    figures: [report[key].orders, report[key].items],
  })),
})

/** The beginning of an hour, as the clock on the wall has it. */
export const hourText = (hour: number): string => t('time.short', { at: new Date(2026, 0, 1, hour) })

/** A time without the service, and why. */
export function outageText(outage: DayReport['outages'][number]): string {
  const { from, to, lengthMs, counts } = outage
  const why = listed(causeTexts(outage))
  const values = { why, length: shortSpan(lengthMs), late: counts.reported }
  return to === null
    ? t('day.outage.lasts', { ...values, from: moment(from) })
    : t('day.outage', { ...values, ...ends(from, to) })
}

export const budtenderTable = (rows: DayReport['byBudtender']): FigureTable => ({
  caption: t('day.by-budtender'),
  name: t('label.budtender'),
  heads: [t('nav.orders'), t('day.sold'), t('day.returned'), t('day.voided')],
  rows: rows.map(({ budtender, orders, sold, returned, voided }) => ({
    name: budtender?.name ?? t('label.not-set'),
    figures: [orders, sold, returned, voided],
  })),
})

/** Each product once, the most sold first, drawn as bars. Items that aren't known yet are of several products: last, and not drawn. */
export const productTable = (products: DayReport['byProduct']): FigureTable => ({
  caption: t('label.by-product'),
  name: t('label.product'),
  heads: [t('day.sold'), t('day.returned'), t('day.voided')],
  isDrawn: true,
  rows: [
    ...products.filter(({ productName }) => productName !== null),
    ...products.filter(({ productName }) => productName === null),
  ].map(({ productName, brandName, sold, returned, voided }) => ({
    name: productName ?? t('checkout.line.unnamed'),
    note: brandName,
    figures: [sold, returned, voided],
    isKnown: productName !== null,
  })),
})
