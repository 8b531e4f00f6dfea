import type { DayReport } from '../../../src-shared/ipc/checkout-view'
import type { DayVerification } from '../../../src-shared/ipc/verification-view'

interface Figures {
  sold: number
  returned: number
  voided: number
}

/** What comes on the one page, and in sums what has no room there. */
export interface PaperPlan {
  differences: DayVerification['differences']
  moreDifferences: number
  undone: DayReport['unsent']
  moreUndone: number
  byBudtender: DayReport['byBudtender']
  moreBudtenders: (Figures & { count: number }) | null
  /** In two columns, read down the first. */
  byProduct: [DayReport['byProduct'], DayReport['byProduct']]
  moreProducts: (Figures & { count: number }) | null
}

/** Lines that Letter, the lower of the two papers, has between the heading and the signatures, beside titles. */
const lines = 33
/** Of what is not done so many are named, and so many budtenders: products need room as well. */
const mostUndone = 8
const mostBudtenders = 16
/** Items that differ at the service; the screen names them all. */
const mostDifferences = 6
/** Verdict and notes of the verification, at their longest. */
const verificationLines = 3
/** The sums stand beside the budtenders. */
const sums = 3

/** Shares one page among what is to be told. Products that sold most come first, and are the last to lack room. */
export function planPaper(report: DayReport, verification: DayVerification | null): PaperPlan {
  const differences = verification?.differences.slice(0, mostDifferences) ?? []
  const moreDifferences = (verification?.differenceCount ?? 0) - differences.length
  const ofVerification = verification ? verificationLines + differences.length + (moreDifferences > 0 ? 1 : 0) : 0
  const undone = [...report.refused, ...report.unsent]
  const named = undone.slice(0, mostUndone)
  const budtenders = report.byBudtender.slice(0, mostBudtenders)
  const taken = named.length + (named.length > 0 ? 3 : 0) + Math.max(budtenders.length, sums) + ofVerification
  const rows = Math.max(lines - taken, 4)
  const products = report.byProduct.slice(0, 2 * rows)
  const half = Math.ceil(products.length / 2)
  return {
    differences,
    moreDifferences,
    undone: named,
    moreUndone: undone.length - named.length,
    byBudtender: budtenders,
    moreBudtenders: rest(report.byBudtender.slice(budtenders.length)),
    byProduct: [products.slice(0, half), products.slice(half)],
    moreProducts: rest(report.byProduct.slice(products.length)),
  }
}

function rest(rows: Figures[]): PaperPlan['moreProducts'] {
  if (rows.length === 0) return null
  const sum = (what: keyof Figures) => rows.reduce((all, row) => all + row[what], 0)
  return { count: rows.length, sold: sum('sold'), returned: sum('returned'), voided: sum('voided') }
}
