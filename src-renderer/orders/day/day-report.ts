import type { AppStatus } from '../../../src-shared/ipc/contract/app'
import type { DayReport, DayVerification, StationOfDay } from '../../../src-shared/ipc/contract/checkout'
import { causeTexts } from '../../outbox/outages/outage-text'
import type { PosDifference, PosPage } from '../../../src-shared/ipc/contract/pos-day'
import { ends, moment, shortSpan } from '../../text/moments'
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
    held: report.held.length,
    isStoreOpen: report.store?.isComplete === false,
  }
}

export const isAllThere = (open: OpenWork | null): boolean =>
  open?.unsent === 0 && open.refused === 0 && !open.isStoreOpen

/** The store or station whose reports these are. */
export const scopeText = ({ station, store }: DayReport): string =>
  store ? t('day.store', { count: store.stations.length }) : t('day.station', { station })

/** How a station stands in the day of the store, in words. */
export function statusOfStation(station: StationOfDay): string[] {
  const { status, seenAt, unsent, attention, untold, inCart, verified } = station
  const at = seenAt === null ? '' : moment(seenAt)
  const words: string[] = []
  if (status !== 'answered') words.push(t(`day.status.${status}`, { at }))
  if (unsent > 0) words.push(t('day.status.unsent', { count: unsent }))
  if (attention > 0) words.push(t('day.status.attention', { count: attention }))
  if (untold > 0) words.push(t('day.status.untold', { count: untold }))
  if (station.isDone && status !== 'off') words.push(t('day.status.done'))
  if (inCart > 0) words.push(t('day.status.in-cart', { count: inCart }))
  if (verified?.state === 'finished' && !verified.isOutOfDate) {
    const { asReported, total, differenceCount } = verified
    words.push(t('day.status.verified', { asReported, total }))
    if (differenceCount > 0) words.push(t('day.status.differs', { count: differenceCount }))
  }
  return words
}

export const stationTable = (stations: StationOfDay[]): FigureTable => ({
  caption: t('day.stations'),
  name: t('day.file.column.station'),
  heads: [t('nav.orders'), t('day.sold'), t('day.returned.items'), t('day.voided.items')],
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
  rows: { name: string; note?: string | null; figures: number[] }[]
}

export const sumTable = (report: DayReport): FigureTable => ({
  caption: t('day.sums'),
  heads: [t('nav.orders'), t('day.items')],
  rows: (['completed', 'returned', 'voided', 'net'] as const).map((key) => ({
    name: t(`day.${key}`),
    figures: [report[key].orders, report[key].items],
  })),
})

/** The beginning of an hour, as the clock on the wall has it. */
export const hourText = (hour: number): string => t('day.hour.at', { at: new Date(2026, 0, 1, hour) })

/** A time without the service, and why. */
export function outageText(outage: DayReport['outages'][number]): string {
  const { from, to, lengthMs, counts } = outage
  const why = listed(causeTexts(outage))
  const values = { why, length: shortSpan(lengthMs), late: counts.reported }
  return to === null
    ? t('day.outage.lasts', { ...values, from: moment(from) })
    : t('day.outage', { ...values, ...ends(from, to) })
}

/** Products that are drawn; the table has all. */
const mostDrawn = 8

/** The products sold most. */
export const bestSellers = ({ byProduct }: DayReport) =>
  byProduct
    // Items that aren't known yet are of several products.
    .filter(({ sold, productName }) => sold > 0 && productName !== null)
    .slice(0, mostDrawn)
    .map(({ productName, brandName, sold }) => ({
      name: productName ?? t('checkout.line.unnamed'),
      note: brandName,
      text: t('day.figure', { count: sold }),
      value: sold,
    }))

export const budtenderTable = (rows: DayReport['byBudtender']): FigureTable => ({
  caption: t('day.by-budtender'),
  name: t('day.budtender'),
  heads: [t('nav.orders'), t('day.sold'), t('day.returned.items'), t('day.voided.items')],
  rows: rows.map(({ budtender, orders, sold, returned, voided }) => ({
    name: budtender?.name ?? t('day.no-budtender'),
    figures: [orders, sold, returned, voided],
  })),
})

export const productTable = (rows: DayReport['byProduct'], isContinued = false): FigureTable => ({
  caption: t(isContinued ? 'day.by-product.more' : 'day.by-product'),
  name: t('day.product'),
  heads: [t('day.sold'), t('day.returned.items'), t('day.voided.items')],
  rows: rows.map(({ productName, brandName, sold, returned, voided }) => ({
    name: productName ?? t('checkout.line.unnamed'),
    note: brandName,
    figures: [sold, returned, voided],
  })),
})

interface Figures {
  sold: number
  returned: number
  voided: number
}

/** The rows that are printed, and the sums of those that don't fit. */
interface PaperPlan {
  differences: DayVerification['differences']
  moreDifferences: number
  posDifferences: PosDifference[]
  morePosDifferences: number
  outages: DayReport['outages']
  moreOutages: number
  undone: DayReport['unsent']
  moreUndone: number
  permitted: DayReport['permitted']
  morePermitted: number
  byBudtender: DayReport['byBudtender']
  moreBudtenders: (Figures & { count: number }) | null
  /** In two columns, read down the first. */
  byProduct: [DayReport['byProduct'], DayReport['byProduct']]
  moreProducts: (Figures & { count: number }) | null
}

/** Lines between heading and signatures, without titles, on Letter (the shorter of the two papers). */
const lines = 33
/** At most so many open reports and budtenders are named: products need space, too. */
const mostUndone = 8
const mostBudtenders = 16
/** At most so many differing items are named; the screen names all. */
const mostDifferences = 6
/** At most so many orders that differ from the POS are named; the CSV file names all. */
const mostPosDifferences = 6
/** Verdict and notes of the verification, at their longest. */
const verificationLines = 3
/** The sums stand beside the budtenders. */
const sums = 4
/** The plot of the hours, in lines. */
const hourLines = 8
const mostOutages = 3
/** At most so many changes with a reason are named. */
const mostPermitted = 6

/** Divides one page among its parts. `posLines`: what is said of other stations in the comparison with the POS. Best-selling products come first and are the last to be left out. */
export function planPaper(
  report: DayReport,
  verification: DayVerification | null,
  pos: Pick<PosPage, 'differences' | 'total'> | null = null,
  posLines = 0,
): PaperPlan {
  const differences = verification?.differences.slice(0, mostDifferences) ?? []
  const moreDifferences = (verification?.differenceCount ?? 0) - differences.length
  const ofVerification = verification ? verificationLines + differences.length + (moreDifferences > 0 ? 1 : 0) : 0
  const posDifferences = pos?.differences.slice(0, mostPosDifferences) ?? []
  const morePosDifferences = (pos?.total ?? 0) - posDifferences.length
  const ofPos = pos ? 2 + posLines + posDifferences.length + (morePosDifferences > 0 ? 1 : 0) : 0
  const undone = [...report.refused, ...report.unsent]
  const named = undone.slice(0, mostUndone)
  const budtenders = report.byBudtender.slice(0, mostBudtenders)
  const permitted = report.permitted.slice(0, mostPermitted)
  const ofPermitted = permitted.length === 0 ? 0 : permitted.length + 3
  const outages = report.outages.slice(0, mostOutages)
  const ofOutages = outages.length === 0 ? 0 : outages.length + 2
  const ofHours = report.byHour.length === 0 ? 0 : hourLines
  const ofStations = report.store ? report.store.stations.length + 4 : 0
  const taken =
    ofStations +
    ofOutages +
    ofPermitted +
    ofHours +
    named.length +
    (named.length > 0 ? 3 : 0) +
    Math.max(budtenders.length, sums) +
    ofVerification +
    ofPos
  const rows = Math.max(lines - taken, 4)
  // What isn't known is one row of several products: printed last, and never counted among "# other products".
  const known = report.byProduct.filter(({ productName }) => productName !== null)
  const unknown = report.byProduct.filter(({ productName }) => productName === null)
  const room = Math.max(2 * rows - unknown.length, 0)
  const products = [...known.slice(0, room), ...unknown]
  const half = Math.ceil(products.length / 2)
  return {
    differences,
    moreDifferences,
    posDifferences,
    morePosDifferences,
    outages,
    moreOutages: report.outages.length - outages.length,
    undone: named,
    moreUndone: undone.length - named.length,
    permitted,
    morePermitted: report.permitted.length - permitted.length,
    byBudtender: budtenders,
    moreBudtenders: rest(report.byBudtender.slice(budtenders.length)),
    byProduct: [products.slice(0, half), products.slice(half)],
    moreProducts: rest(known.slice(room)),
  }
}

function rest(rows: Figures[]): PaperPlan['moreProducts'] {
  if (rows.length === 0) return null
  const sum = (what: keyof Figures) => rows.reduce((all, row) => all + row[what], 0)
  return { count: rows.length, sold: sum('sold'), returned: sum('returned'), voided: sum('voided') }
}
