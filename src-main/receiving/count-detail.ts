import { setImmediate } from 'node:timers/promises'
import type { TagId, CaseId } from '../../src-shared/ids'
import type { CountedCase, Difference } from '../../src-shared/ipc/count-view'
import type { Memory } from '../memory/store'
import type { CountReports } from './count-reports'
import type { CountRow, CountRows, Resolution } from './count-rows'
import type { Whereabouts } from './count-whereabouts'
import { type Differing, differenceOf } from './differences'

/** What a count found, item by item. */
export interface CountDetails {
  /** One item, by what is on the disk; null when it is as it should be. */
  difference(seq: number, tagId: TagId): Differing | null
  /** All that differ: the missing ones case by case, then the strangers in the order of their scans. */
  differences(row: CountRow, cases: CountedCase[]): Promise<Difference[]>
  /** Strangers of which nothing is known. */
  unknown(seq: number): TagId[]
  /** What an item is called, by the case that holds it. Reads each case once. */
  names(): (tagId: TagId, caseId: CaseId | null) => string | null
}

/** Items looked at before somebody else has a turn. */
const atOnce = 2_000

export function createCountDetails(
  rows: CountRows,
  reports: CountReports,
  whereabouts: Pick<Whereabouts, 'remembered'>,
  seen: Pick<Memory, 'case' | 'tag'>,
): CountDetails {
  const found = (tagId: TagId, expectedIn: CaseId | null, isScanned: boolean, resolution: Resolution | undefined) => {
    const isIgnored = resolution?.how === 'ignored'
    return differenceOf({ expectedIn, isScanned, isIgnored, report: reports.inForce(tagId, resolution) })
  }

  const names: CountDetails['names'] = () => {
    const cases = new Map<CaseId, Map<TagId, string | null>>()
    return (tagId, caseId) => {
      if (caseId === null) return seen.tag(tagId)?.value.productName ?? null
      let names = cases.get(caseId)
      if (!names) {
        names = new Map(seen.case(caseId)?.value.tags.map((tag) => [tag.tagId, tag.productName]))
        cases.set(caseId, names)
      }
      return names.get(tagId) ?? seen.tag(tagId)?.value.productName ?? null
    }
  }

  return {
    difference: (seq, tagId) =>
      found(
        tagId,
        rows.caseOf(seq, tagId) ?? null,
        rows.scannedAt(seq, tagId) !== undefined,
        rows.resolution(seq, tagId),
      ),
    async differences({ seq }, cases) {
      const [expected, scanned, resolutions] = [rows.expected(seq), rows.scanned(seq), rows.resolutions(seq)]
      const identifiers = new Map<CaseId, string | null>(cases.map((one) => [one.caseId, one.identifier]))
      const identifierOf = (caseId: CaseId) => {
        const known = identifiers.get(caseId) ?? seen.case(caseId)?.value.identifier ?? null
        identifiers.set(caseId, known)
        return known
      }
      const places = new Map(cases.map((one, place) => [one.caseId, place]))
      const nameOf = names()
      const missing: Difference[] = []
      const strangers: Difference[] = []
      let looked = 0
      for (const tagId of new Set([...expected.keys(), ...scanned.keys()])) {
        if (++looked % atOnce === 0) await setImmediate()
        const expectedIn = expected.get(tagId) ?? null
        const differing = found(tagId, expectedIn, scanned.has(tagId), resolutions.get(tagId))
        if (!differing) continue
        const isStranger = differing.kind === 'stranger'
        // A stranger may well belong to a case, just to none of these.
        const caseId = differing.caseId ?? whereabouts.remembered(tagId)?.caseId ?? null
        const refused = reports.refused(tagId, resolutions.get(tagId))
        const productName = nameOf(tagId, isStranger ? null : caseId)
        ;(isStranger ? strangers : missing).push({
          ...differing,
          tagId,
          caseId,
          identifier: caseId === null ? null : identifierOf(caseId),
          productName,
          operationId: differing.operationId ?? refused?.id ?? null,
        })
      }
      const placeOf = ({ caseId }: Difference) => (caseId === null ? -1 : (places.get(caseId) ?? cases.length))
      missing.sort((a, b) => placeOf(a) - placeOf(b))
      strangers.sort((a, b) => (scanned.get(a.tagId) ?? 0) - (scanned.get(b.tagId) ?? 0))
      return [...missing, ...strangers]
    },
    unknown(seq) {
      const expected = rows.expected(seq)
      return [...rows.scanned(seq).keys()].filter((tagId) => !expected.has(tagId) && !whereabouts.remembered(tagId))
    },
    names,
  }
}
