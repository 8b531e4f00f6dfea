import { setImmediate } from 'node:timers/promises'
import { localTime } from '../../../src-shared/csv/local-time'
import type { CaseId, OperationId, TagId } from '../../../src-shared/ids'
import type {
  CannotTakeOut,
  CountExport,
  CountLine,
  CountView,
  CountedCase,
  Difference,
} from '../../../src-shared/ipc/contract/count'
import { fileNamePart } from '../../../src-shared/text'
import { iso } from '../../core/clock'
import type { Operation } from '../../outbox/operation'
import type { Outbox } from '../../outbox/outbox'
import { tagKey } from '../../outbox/payload'
import { type Grouped, type Ungrouped, grouped } from './count-groups'
import type { CaseCountBook } from './count-book'
import type { CaseCountContext } from './count-context'
import type { CaseCountRow } from './count-rows'
import type { Ownership } from './ownership'
import type { Resolution } from './resolution-rows'
import type { Whereabouts } from './whereabouts'

/** What is known of one item of a count. */
export interface ItemFacts {
  /** The case that held it when the count started. */
  expectedIn: CaseId | null
  isScanned: boolean
  isIgnored: boolean
  /** The last report that removes it from a case or adds it to one, unless that was taken back or refused. */
  report: { does: 'remove' | 'add'; caseId: CaseId; operationId: OperationId } | null
}

export type Differing = Pick<Difference, 'kind' | 'resolution' | 'caseId' | 'operationId'>

/**
 * Whether an item differs, and how; null if it does not. An item should be in a case if it was scanned, and in none
 * otherwise; what was reported counts as done. Pure.
 */
export function differenceOf({ expectedIn, isScanned, isIgnored, report }: ItemFacts): Differing | null {
  const isIn = report ? report.does === 'add' : expectedIn !== null
  const kind = isScanned ? 'stranger' : 'missing'
  const caseId = report?.caseId ?? expectedIn
  if (isScanned !== isIn) {
    return { kind, caseId: isScanned ? null : caseId, resolution: isIgnored ? 'ignored' : 'open', operationId: null }
  }
  if (!report) return null
  const { operationId } = report
  return { kind, caseId, resolution: report.does === 'add' ? 'added' : 'removed', operationId }
}

/**
 * What became of the reports by which a person resolved differences. Read from the operations every time, so that there is
 * no second record to disagree with.
 */
export class CountReports {
  readonly #outbox: Pick<Outbox, 'read'>

  constructor(outbox: Pick<Outbox, 'read'>) {
    this.#outbox = outbox
  }

  /** Null if there is none, or it was taken back, given up or refused. */
  inForce(tagId: TagId, resolution: Resolution | undefined): ItemFacts['report'] {
    const report = this.#reportOf(tagId, resolution)
    if (!report || !this.#isInForce(report.operation, tagId)) return null
    const { does, caseId, operation } = report
    return { does, caseId, operationId: operation.id }
  }

  /** The report that the service refused and no person has settled. */
  refused(tagId: TagId, resolution: Resolution | undefined): Operation | undefined {
    const operation = this.#reportOf(tagId, resolution)?.operation
    return operation?.state === 'rejected' ? operation : undefined
  }

  #reportOf(tagId: TagId, resolution: Resolution | undefined) {
    const operation = resolution?.operationId ? this.#outbox.read.byId(resolution.operationId) : undefined
    const change = operation && changeOf(operation, tagId)
    return change && { operation, ...change }
  }

  #isInForce(operation: Operation, tagId: TagId): boolean {
    if (operation.state === 'cancelled' || operation.state === 'rejected') return false
    // It is undone once the service accepted its inverse, unless the inverse was undone in turn.
    const isUndoneBy = (one: Operation) =>
      one.undoes === operation.id && one.state === 'accepted' && this.#isInForce(one, tagId)
    return !this.#outbox.read.byKey(tagKey(tagId)).some(isUndoneBy)
  }
}

/** What an operation does to an item; undefined if it does nothing to it, or no longer does. */
function changeOf({ payload }: Operation, tagId: TagId): { does: 'remove' | 'add'; caseId: CaseId } | undefined {
  if (payload?.kind === 'remove-item' && 'caseId' in payload && payload.tagId === tagId)
    return { does: 'remove', caseId: payload.caseId }
  if (payload?.kind === 'add-items' && payload.tagIds.includes(tagId)) return { does: 'add', caseId: payload.caseId }
  return undefined
}

/** Items looked at without a break; other work runs between two such pieces. */
const atOnce = 2_000

type DifferingItem = Differing & { tagId: TagId; resolved: Resolution | undefined; scannedAt: number }

/** A function of a case that is called once for each; its answer may be null. */
function once<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { value: Value }>()
  return (key) => {
    const found = known.get(key) ?? { value: read(key) }
    known.set(key, found)
    return found.value
  }
}

/** What settling differences works with. */
export interface DifferencesContext extends CaseCountContext {
  book: CaseCountBook
  reports: CountReports
  whereabouts: Whereabouts
  ownership: Ownership
}

/** What differs in a count, item by item. */
export class CaseDifferences {
  readonly #context: DifferencesContext

  constructor(context: DifferencesContext) {
    this.#context = context
  }

  /** The case of each difference that is not settled; null for a stranger that belongs to none. */
  async open({ seq }: CaseCountRow): Promise<(CaseId | null)[]> {
    const all = await this.#differing(seq)
    return all.flatMap(({ resolution, caseId }) => (resolution === 'open' ? [caseId] : []))
  }

  /** One item, by what is on the disk; null if it does not differ. */
  one(seq: number, tagId: TagId): Differing | null {
    const { rows, scans, resolutions } = this.#context.book
    const isScanned = scans.one(seq, tagId) !== undefined
    return this.#found(tagId, rows.caseOf(seq, tagId) ?? null, isScanned, resolutions.one(seq, tagId))
  }

  /**
   * All that differ, group by group: what was refused, missing items case by case, strangers by where they belong, then
   * what is settled. Within a group: the cases in their order, strangers in the order of their scans.
   */
  async all({ seq }: CaseCountRow, cases: CountedCase[]): Promise<Grouped> {
    const describe = this.#describing(cases)
    const differing = await this.#differing(seq)
    const inScanOrder = differing.toSorted((one, other) => one.scannedAt - other.scannedAt)
    const missing: Ungrouped[] = []
    const unexpectedItems: Ungrouped[] = []
    let looked = 0
    for (const one of inScanOrder) {
      if (++looked % atOnce === 0) await setImmediate()
      ;(one.kind === 'stranger' ? unexpectedItems : missing).push(describe(one))
    }
    const places = new Map(cases.map((one, place) => [one.caseId, place]))
    const placeOf = ({ caseId }: Ungrouped) => (caseId === null ? -1 : (places.get(caseId) ?? cases.length))
    missing.sort((a, b) => placeOf(a) - placeOf(b))
    return grouped([...missing, ...unexpectedItems])
  }

  /** Strangers about which nothing is known. */
  unknown(seq: number): TagId[] {
    const { book, whereabouts } = this.#context
    const expected = book.rows.expected(seq)
    return [...book.scans.scanned(seq).keys()].filter((tagId) => !expected.has(tagId) && !whereabouts.cached(tagId))
  }

  /** Looks up what an item is called, by the case that holds it. Reads each case once. */
  names(): (tagId: TagId, caseId: CaseId | null) => string | null {
    const { seen } = this.#context
    const namesIn = once(
      (caseId: CaseId) => new Map(seen.case(caseId)?.value.tags.map((tag) => [tag.tagId, tag.productName])),
    )
    return (tagId, caseId) =>
      (caseId === null ? undefined : namesIn(caseId).get(tagId)) ?? seen.tag(tagId)?.value.productName ?? null
  }

  #found(tagId: TagId, expectedIn: CaseId | null, isScanned: boolean, resolution: Resolution | undefined) {
    const { reports } = this.#context
    // While its refused report is in the Outbox, the difference stays open.
    const isIgnored = resolution?.how === 'ignored' && !reports.refused(tagId, resolution)
    return differenceOf({ expectedIn, isScanned, isIgnored, report: reports.inForce(tagId, resolution) })
  }

  /**
   * Every item that differs, with the case it belongs to: a stranger may belong to one that is not counted. Expected ones
   * first, strangers in no order.
   */
  async #differing(seq: number): Promise<DifferingItem[]> {
    const { book, whereabouts } = this.#context
    const [expected, scanned] = [book.rows.expected(seq), book.scans.scanned(seq)]
    const resolutions = book.resolutions.all(seq)
    const all: DifferingItem[] = []
    let looked = 0
    for (const tagId of new Set([...expected.keys(), ...scanned.keys()])) {
      if (++looked % atOnce === 0) await setImmediate()
      const resolved = resolutions.get(tagId)
      const differing = this.#found(tagId, expected.get(tagId) ?? null, scanned.has(tagId), resolved)
      if (!differing) continue
      const caseId = differing.caseId ?? whereabouts.cached(tagId)?.caseId ?? null
      all.push({ ...differing, caseId, tagId, resolved, scannedAt: scanned.get(tagId) ?? 0 })
    }
    return all
  }

  /** Says what an item that differs is called, where it belongs, and what became of its report. Looks at each case once. */
  #describing(cases: readonly CountedCase[]): (one: DifferingItem) => Ungrouped {
    const { reports, seen, ownership, canChangeCases } = this.#context
    const counted = new Map(cases.map((one) => [one.caseId, one.identifier]))
    const identifierOf = once((id: CaseId) => counted.get(id) ?? seen.case(id)?.value.identifier ?? null)
    const objectionOf = once((id: CaseId) => ownership.objection(id))
    const objectionIn = (kind: Difference['kind'], caseId: CaseId | null): CannotTakeOut | null => {
      if (kind !== 'stranger' && caseId !== null) return objectionOf(caseId)
      return canChangeCases() ? null : { why: 'no-account', company: null }
    }
    const nameOf = this.names()
    return ({ resolved, scannedAt: _, ...one }) => {
      const { tagId, caseId, kind } = one
      const refused = reports.refused(tagId, resolved)
      return {
        ...one,
        identifier: caseId === null ? null : identifierOf(caseId),
        productName: nameOf(tagId, kind === 'stranger' ? null : caseId),
        operationId: one.operationId ?? refused?.id ?? null,
        because: one.resolution === 'ignored' ? (resolved?.because ?? null) : null,
        objection: objectionIn(kind, caseId),
        reason: refused?.reason ?? null,
        isRefused: refused !== undefined,
      }
    }
  }
}

interface CountContents {
  count: CountView
  expected: ReadonlyMap<TagId, CaseId>
  /** When, in ms since 1970. */
  scanned: ReadonlyMap<TagId, number>
  differences: Difference[]
  productOf: (tagId: TagId) => string | null
}

/** A line for each item that was expected or scanned: case by case, then items that belong to none of the cases. */
export function countExport({ count, expected, scanned, differences, productOf }: CountContents): CountExport {
  const differing = new Map(differences.map((one) => [one.tagId, one]))
  const cases = new Map(count.cases.map((one) => [one.caseId, one.identifier]))
  const places = new Map(count.cases.map((one, place) => [one.caseId, place]))
  const line = (tagId: TagId, caseId: CaseId | null): CountLine => {
    const difference = differing.get(tagId)
    const at = scanned.get(tagId)
    const identifier = difference?.identifier ?? (caseId === null ? null : (cases.get(caseId) ?? null))
    return {
      identifier,
      caseId: difference?.caseId ?? caseId,
      productName: productOf(tagId),
      tagId,
      result: difference?.kind ?? 'counted',
      scannedAt: at === undefined ? null : iso(at),
      resolution: difference?.resolution ?? null,
      because: difference?.because ?? null,
    }
  }
  const known = [...expected].toSorted(([, a], [, b]) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
  const unexpectedItems = [...scanned.keys()].filter((tagId) => !expected.has(tagId))
  const lines = [
    ...known.map(([tagId, caseId]) => line(tagId, caseId)),
    ...unexpectedItems.map((tagId) => line(tagId, null)),
  ]
  const only = count.caseId === null ? undefined : count.cases[0]?.identifier
  const startedAt = localTime(count.startedAt).slice(0, 16)
  const name = ['count', only, startedAt].filter((part) => part !== undefined).join('-')
  return { fileName: `${fileNamePart(name)}.csv`, lines }
}
