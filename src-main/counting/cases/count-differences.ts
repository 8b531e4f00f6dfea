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
import type { TagFacts } from '../../../src-shared/service/facts'
import { fileNamePart } from '../../../src-shared/text'
import { iso } from '../../core/clock'
import type { Memory } from '../../memory/store'
import type { Operation } from '../../outbox/operation'
import type { Outbox } from '../../outbox/outbox'
import { tagKey } from '../../outbox/payload'
import { type Grouped, type Ungrouped, grouped } from './count-groups'
import type { CountRow, CountRows, Resolution } from './count-rows'
import type { Ownership } from './ownership'

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

export type CountReports = ReturnType<typeof createCountReports>

/**
 * What became of the reports by which a person resolved differences. Read from the operations every time, so that there is
 * no second record to disagree with.
 */
export function createCountReports(outbox: Outbox) {
  const isInForce = (operation: Operation, tagId: TagId): boolean =>
    operation.state !== 'cancelled' &&
    operation.state !== 'rejected' &&
    // It is undone once the service accepted its inverse, unless the inverse was undone in turn.
    !outbox.read
      .byKey(tagKey(tagId))
      .some((one) => one.undoes === operation.id && one.state === 'accepted' && isInForce(one, tagId))

  const reportOf = (tagId: TagId, resolution: Resolution | undefined) => {
    const operation = resolution?.operationId ? outbox.read.byId(resolution.operationId) : undefined
    const change = operation && changeOf(operation, tagId)
    return change && { operation, ...change }
  }

  return {
    /** Null if there is none, or it was taken back, given up or refused. */
    inForce(tagId: TagId, resolution: Resolution | undefined): ItemFacts['report'] {
      const report = reportOf(tagId, resolution)
      if (!report || !isInForce(report.operation, tagId)) return null
      const { does, caseId, operation } = report
      return { does, caseId, operationId: operation.id }
    },
    /** The report that the service refused and no person has settled. */
    refused(tagId: TagId, resolution: Resolution | undefined): Operation | undefined {
      const operation = reportOf(tagId, resolution)?.operation
      return operation?.state === 'rejected' ? operation : undefined
    },
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

export type CountDetails = ReturnType<typeof createCountDetails>

interface DetailParts {
  rows: CountRows
  reports: CountReports
  whereabouts: { cached: (tagId: TagId) => TagFacts | undefined }
  seen: Pick<Memory, 'case' | 'tag'>
  canChangeCases: () => boolean
  objectionTo: Ownership['objection']
}

/** What a count found, item by item. */
export function createCountDetails({ rows, reports, whereabouts, seen, canChangeCases, objectionTo }: DetailParts) {
  const found = (tagId: TagId, expectedIn: CaseId | null, isScanned: boolean, resolution: Resolution | undefined) => {
    // While its refused report is in the Outbox, the difference stays open.
    const isIgnored = resolution?.how === 'ignored' && !reports.refused(tagId, resolution)
    return differenceOf({ expectedIn, isScanned, isIgnored, report: reports.inForce(tagId, resolution) })
  }

  /** Looks up what an item is called, by the case that holds it. Reads each case once. */
  const names = () => {
    const cases = new Map<CaseId, Map<TagId, string | null>>()
    return (tagId: TagId, caseId: CaseId | null): string | null => {
      if (caseId === null) return seen.tag(tagId)?.value.productName ?? null
      let names = cases.get(caseId)
      if (!names) {
        names = new Map(seen.case(caseId)?.value.tags.map((tag) => [tag.tagId, tag.productName]))
        cases.set(caseId, names)
      }
      return names.get(tagId) ?? seen.tag(tagId)?.value.productName ?? null
    }
  }

  /**
   * Every item that differs, with the case it belongs to: a stranger may belong to one that is not counted. Expected ones
   * first, strangers in no order.
   */
  const differingOf = async (seq: number) => {
    const [expected, scanned, resolutions] = [rows.expected(seq), rows.scanned(seq), rows.resolutions(seq)]
    const all: (Differing & { tagId: TagId; resolved: Resolution | undefined; scannedAt: number })[] = []
    let looked = 0
    for (const tagId of new Set([...expected.keys(), ...scanned.keys()])) {
      if (++looked % atOnce === 0) await setImmediate()
      const resolved = resolutions.get(tagId)
      const differing = found(tagId, expected.get(tagId) ?? null, scanned.has(tagId), resolved)
      if (!differing) continue
      const caseId = differing.caseId ?? whereabouts.cached(tagId)?.caseId ?? null
      all.push({ ...differing, caseId, tagId, resolved, scannedAt: scanned.get(tagId) ?? 0 })
    }
    return all
  }

  return {
    /** The case of each difference that is not settled; null for a stranger that belongs to none. */
    async open({ seq }: CountRow): Promise<(CaseId | null)[]> {
      const all = await differingOf(seq)
      return all.flatMap(({ resolution, caseId }) => (resolution === 'open' ? [caseId] : []))
    },
    /** One item, by what is on the disk; null if it does not differ. */
    difference: (seq: number, tagId: TagId): Differing | null =>
      found(tagId, rows.caseOf(seq, tagId) ?? null, rows.scan(seq, tagId) !== undefined, rows.resolution(seq, tagId)),
    /**
     * All that differ, group by group: what was refused, missing items case by case, strangers by where they belong, then
     * what is settled. Within a group: the cases in their order, strangers in the order of their scans.
     */
    async differences({ seq }: CountRow, cases: CountedCase[]): Promise<Grouped> {
      const identifiers = new Map<CaseId, string | null>(cases.map((one) => [one.caseId, one.identifier]))
      const identifierOf = (caseId: CaseId) => {
        const known = identifiers.get(caseId) ?? seen.case(caseId)?.value.identifier ?? null
        identifiers.set(caseId, known)
        return known
      }
      const places = new Map(cases.map((one, place) => [one.caseId, place]))
      const nameOf = names()
      const missing: Ungrouped[] = []
      const unexpectedItems: Ungrouped[] = []
      const objections = new Map<CaseId | null, CannotTakeOut | null>()
      const objectionIn = (kind: Difference['kind'], caseId: CaseId | null) => {
        if (kind === 'stranger' || caseId === null)
          return canChangeCases() ? null : ({ why: 'no-account', company: null } as const)
        const known = objections.get(caseId)
        const objection = known === undefined ? objectionTo(caseId) : known
        objections.set(caseId, objection)
        return objection
      }
      const differing = await differingOf(seq)
      const inScanOrder = differing.toSorted((one, other) => one.scannedAt - other.scannedAt)
      let looked = 0
      for (const { resolved, scannedAt: _, ...one } of inScanOrder) {
        if (++looked % atOnce === 0) await setImmediate()
        const { tagId, caseId, kind } = one
        const isUnexpected = kind === 'stranger'
        const refused = reports.refused(tagId, resolved)
        ;(isUnexpected ? unexpectedItems : missing).push({
          ...one,
          identifier: caseId === null ? null : identifierOf(caseId),
          productName: nameOf(tagId, isUnexpected ? null : caseId),
          operationId: one.operationId ?? refused?.id ?? null,
          because: one.resolution === 'ignored' ? (resolved?.because ?? null) : null,
          objection: objectionIn(kind, caseId),
          reason: refused?.reason ?? null,
          isRefused: refused !== undefined,
        })
      }
      const placeOf = ({ caseId }: Ungrouped) => (caseId === null ? -1 : (places.get(caseId) ?? cases.length))
      missing.sort((a, b) => placeOf(a) - placeOf(b))
      return grouped([...missing, ...unexpectedItems])
    },
    /** Strangers about which nothing is known. */
    unknown(seq: number): TagId[] {
      const expected = rows.expected(seq)
      return [...rows.scanned(seq).keys()].filter((tagId) => !expected.has(tagId) && !whereabouts.cached(tagId))
    },
    names,
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
