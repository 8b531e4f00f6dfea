import type { DayReport } from '../../../src-shared/ipc/checkout-view'
import { t } from '../../messages/text.svelte'

/** A line of a table: who or what, and how many of each. */
export interface FigureRow {
  name: string
  brand?: string | null
  figures: number[]
}

export const sumRows = (report: DayReport): FigureRow[] =>
  (['completed', 'returned', 'voided'] as const).map((key) => ({
    name: t(`day.${key}`),
    figures: [report[key].orders, report[key].items],
  }))

export const budtenderRows = (rows: DayReport['byBudtender']): FigureRow[] =>
  rows.map(({ budtender, orders, sold, returned, voided }) => ({
    name: budtender?.name ?? t('day.no-budtender'),
    figures: [orders, sold, returned, voided],
  }))

export const productRows = (rows: DayReport['byProduct']): FigureRow[] =>
  rows.map(({ productName, brandName, sold, returned, voided }) => ({
    name: productName ?? t('checkout.line.unnamed'),
    brand: brandName,
    figures: [sold, returned, voided],
  }))
