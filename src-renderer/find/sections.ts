import type { Entity, EntityLink, EntityView, MissingPart } from '../../src-shared/ipc/contract/find'
import { t } from '../text/text.svelte'
import { type LinkRow, caseRow, coaRow, holderRow, productRow } from './entity-text'

type Part = MissingPart['part']

/** A part of what belongs to a thing: rows that lead to other things, or what the screen draws under its name. */
interface ShownSection {
  name: string
  title: string
  /** What it is made of: a part that could not be read is named here, and not at the top. */
  parts: readonly Part[]
  rows: readonly LinkRow[]
  /** Shown if it is empty. */
  none: string | null
}

const section = (name: string, title: string, parts: Part[], rows: LinkRow[] = [], none: string | null = null) =>
  ({ name, title, parts, rows, none }) satisfies ShownSection

/** What belongs to a thing, in order. */
export function sectionsOf(view: EntityView): ShownSection[] {
  switch (view.kind) {
    case 'tag':
      return ofTag(view)
    case 'collection':
      return ofCollection(view)
    case 'package': {
      const cases = view.cases.map((one) => caseRow(one, view.ref.id))
      return [section('cases', t('label.cases'), ['case', 'collections'], cases, t('find.cases.none'))]
    }
    case 'batch': {
      const lines = view.packagedProducts.map((line) => productRow(line, null))
      return [packaged(t('find.packaged.of-batch'), lines), coas(view)]
    }
    case 'coa':
      return [section('batch', t('label.batch'), ['batch'], linked(view.batch))]
    case 'product':
      return []
  }
}

/** What is there if a person wants it, beside what decides something: folded, with the number of its rows. */
const lesser = ['past-holders', 'cases', 'regulator-ids', 'coas']

/**
 * How many rows a folded section has; null for one that stands open: what an item or case is and whether it can be sold, a
 * fault of a certificate, what could not be read. What is empty takes one line already.
 */
export function foldedOf(view: EntityView, { name, parts, rows }: ShownSection): number | null {
  const isFaulty = rows.some(({ chips = [] }) => chips.some(({ tone }) => tone === 'bad'))
  const isLesser = lesser.includes(name) && view.kind !== 'package'
  return !isLesser || rows.length === 0 || isFaulty || missingIn(view, parts).length > 0 ? null : rows.length
}

export const missingIn = ({ missing }: EntityView, parts: readonly Part[]): MissingPart[] =>
  missing.filter(({ part }) => parts.includes(part))

/** The parts that could not be read and that no section of the thing names. */
export function missingAtTop(view: EntityView): MissingPart[] {
  const placed = new Set(sectionsOf(view).flatMap(({ parts }) => parts))
  return view.missing.filter(({ part }) => !placed.has(part))
}

function ofTag(view: Entity<'tag'>): ShownSection[] {
  const { product, batch, sale, holders, pastHolders } = view
  const past = section('past-holders', t('find.past-holders'), ['removed-collections'], pastHolders.map(holderRow))
  const noHolders = noneOf(view, 'collections', t('find.holders.none'))
  return [
    section('product', t('label.product'), ['product', 'batch'], linked(product, batch)),
    section('sale', t('operation.kind.complete'), ['sale'], [], sale ? null : noneOf(view, 'sale', noSale(view))),
    coas(view),
    section('holders', t('find.holders'), ['collections'], holders.map(holderRow), noHolders),
    ...(past.rows.length > 0 || missingIn(view, past.parts).length > 0 ? [past] : []),
  ]
}

function ofCollection(view: Entity<'collection'>): ShownSection[] {
  const { packagedProducts, itemCount, removedItems, removedItemCount, cases, regulatorIds } = view
  const removed = section('removed-items', t('find.removed-items', { count: removedItemCount }), [])
  const ofItems = [
    section('cases', t('find.cases.of-items'), [], cases.map(holderRow)),
    section('regulator-ids', t('find.regulator-ids'), [], regulatorIds.map(holderRow)),
  ]
  const lines = packagedProducts.map((line) => productRow(line, line.batch))
  return [
    packaged(t('find.packaged'), lines),
    section('items', t('find.items', { count: itemCount }), ['members']),
    ...(removedItems.length > 0 ? [removed] : []),
    coas(view),
    ...ofItems.filter(({ rows }) => rows.length > 0),
  ]
}

const coas = (view: Entity<'tag' | 'collection' | 'batch'>): ShownSection =>
  section('coas', t('find.coas'), ['coas'], view.coas.map(coaRow), noneOf(view, 'coas', t('find.coas.none')))

const packaged = (title: string, lines: LinkRow[]): ShownSection =>
  section('packaged', title, ['product'], lines, t('find.packaged.none'))

const linked = (...links: (EntityLink | null)[]): LinkRow[] => links.flatMap((link) => (link ? [{ link }] : []))

/** The text for an empty part; null if the part could not be read, because it may not be empty. */
const noneOf = (view: EntityView, part: Part, none: string) => (missingIn(view, [part]).length > 0 ? null : none)

/** An item that came back was sold here before: that no sale is known would not be true. */
const noSale = ({ standing }: Entity<'tag'>) =>
  standing?.past ? t(`find.sale.${standing.past}`, { orderId: standing.orderId ?? '' }) : t('find.sale.none')
