import { SvelteMap } from 'svelte/reactivity'
import { countCases } from '../../src-shared/case-state'
import type { AppError } from '../../src-shared/errors'
import type { CaseId, OperationId, PackageUid } from '../../src-shared/ids'
import type {
  DeliveryCase,
  DeliveryChange,
  DeliveryHead,
  DeliveryPackage,
  DeliveryView,
} from '../../src-shared/ipc/contract/delivery'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { CaseState, CaseView, PackagedProductView } from '../../src-shared/ipc/contract/receiving'

/** What can be selected: a case, or the import of a case that was never read. */
export type RowId = CaseId | OperationId

/** A case of the delivery. Each field changes on its own, so that one changed case of 500 redraws one row. */
export class CaseRow {
  readonly caseId: CaseId
  packageUid = $state<PackageUid | null>(null)
  importState = $state.raw<CaseState>({ kind: 'unknown' })
  view = $state.raw<CaseView | null>(null)
  error = $state.raw<AppError | null>(null)
  isReading = $state(false)
  /** The other station of the store that listed it. */
  station = $state<string | null>(null)

  constructor(found: DeliveryCase) {
    this.caseId = found.caseId
    this.take(found)
  }

  /** Shows what main knows now. Returns the products that the service refused since. */
  take(found: DeliveryCase): PackagedProductView[] {
    const before = (this.view?.packagedProducts ?? []).map(refusalOf)
    this.packageUid = found.packageUid
    this.importState = found.importState
    this.view = found.case
    this.error = found.error
    this.isReading = found.isReading
    this.station = found.station
    return (found.case?.packagedProducts ?? []).filter(
      (one) => refusalOf(one) !== null && !before.includes(refusalOf(one)),
    )
  }
}

/** Names one refusal of an import: the same operation may be corrected and refused again. */
const refusalOf = ({ importState }: PackagedProductView): string | null =>
  importState.kind === 'refused' ? `${importState.operation.id} ${importState.operation.attempts}` : null

/** A row that is new or was told again, with the products whose import was refused since. */
export interface RowChange {
  row: CaseRow
  refused: PackagedProductView[]
}

/** The delivery under way, as main tells it: packages, cases, and imports of cases that were never read. */
export class Delivery {
  head = $state.raw<DeliveryHead | null>(null)
  packages = $state.raw<DeliveryPackage[]>([])
  blind = $state.raw<OperationView[]>([])
  readonly #rows = new SvelteMap<RowId, CaseRow>()
  /** In the order of arrival. */
  rows = $derived([...this.#rows.values()])
  /** How many imports "undo all" takes back. */
  undoable = $state(0)
  readonly #onOther: () => void

  /** `onOther`: the delivery that was shown is over. */
  constructor(onOther: () => void = () => undefined) {
    this.#onOther = onOther
  }

  row(id: RowId): CaseRow | undefined {
    return this.#rows.get(id)
  }

  /** The other station that listed a case, unless it listed its package too; null for this one. */
  stationBeside({ station, packageUid }: CaseRow): string | null {
    if (station === null) return null
    return this.packages.some((one) => one.packageUid === packageUid && one.station === station) ? null : station
  }

  hasPackage(packageUid: string): boolean {
    return this.packages.some((one) => one.packageUid === packageUid)
  }

  /** Shows a whole delivery; rows that stay keep their place on the screen. Returns what `change` returns. */
  show(view: DeliveryView | null): RowChange[] {
    this.#begin(view)
    this.packages = view?.packages ?? []
    this.blind = view?.blind ?? []
    this.undoable = view?.undoable ?? 0
    const listed: RowId[] = view?.cases.map(({ caseId }) => caseId) ?? []
    for (const id of [...this.#rows.keys()]) if (!listed.includes(id)) this.#rows.delete(id)
    return (view?.cases ?? []).map((found) => this.#put(found))
  }

  /** Shows what changed. Returns the changed rows, each with the products that the service refused since. */
  change({ delivery, packages, cases, dropped, blind, undoable }: DeliveryChange): RowChange[] {
    const isOther = delivery?.id !== this.head?.id
    this.#begin(delivery)
    if (isOther) {
      this.packages = []
      this.blind = []
      this.undoable = 0
    }
    if (packages.length + dropped.packageUids.length > 0) {
      const listed = this.packages.filter(({ packageUid }) => !dropped.packageUids.includes(packageUid))
      const added = packages.filter(({ packageUid }) => !this.hasPackage(packageUid))
      this.packages = [
        ...listed.map((one) => packages.find(({ packageUid }) => packageUid === one.packageUid) ?? one),
        ...added,
      ]
    }
    for (const caseId of dropped.caseIds) this.#rows.delete(caseId)
    if (blind) this.blind = blind
    this.undoable = undoable ?? this.undoable
    return cases.map((found) => this.#put(found))
  }

  #begin(head: DeliveryHead | null): void {
    if (head?.id !== this.head?.id) {
      this.#rows.clear()
      if (this.head) this.#onOther()
    }
    const isSame = head?.id === this.head?.id && head?.stations.join() === this.head?.stations.join()
    if (!isSame) this.head = head && { id: head.id, startedAt: head.startedAt, stations: head.stations }
  }

  #put(found: DeliveryCase): RowChange {
    const known = this.#rows.get(found.caseId)
    if (known) return { row: known, refused: known.take(found) }
    const row = new CaseRow(found)
    this.#rows.set(found.caseId, row)
    return { row, refused: [] }
  }

  blindOf(id: RowId): OperationView | undefined {
    return this.blind.find((one) => one.id === id)
  }

  /** The scanned package if there is only one. */
  get onlyPackage(): PackageUid | null {
    const [only = null, ...others] = this.packages.map(({ packageUid }) => packageUid)
    return others.length === 0 ? only : null
  }
}

/** One line of the list: the head of a group, a case, or the import of a case that was never read. */
export type ListItem =
  | { kind: 'package'; key: string; package: DeliveryPackage; rows: CaseRow[] }
  | { kind: 'singles'; key: string; count: number }
  | { kind: 'unseen'; key: string; count: number }
  | { kind: 'case'; key: string; row: CaseRow }
  | { kind: 'blind'; key: string; operation: OperationView }

/** The delivery from top to bottom: packages in the order of their scans, then what came by itself. */
export function listOf({ packages, rows, blind }: Pick<Delivery, 'packages' | 'rows' | 'blind'>): ListItem[] {
  const listedIn = ({ packageUid }: CaseRow) =>
    packages.some((one) => one.packageUid === packageUid) ? packageUid : null
  const groups = Map.groupBy(rows, listedIn)
  const singles = groups.get(null) ?? []
  const items: ListItem[] = packages.flatMap((one) => {
    const listed = groups.get(one.packageUid) ?? []
    return [{ kind: 'package', key: `package ${one.packageUid}`, package: one, rows: listed }, ...listed.map(caseItem)]
  })
  if (singles.length > 0)
    items.push({ kind: 'singles', key: 'singles', count: singles.length }, ...singles.map(caseItem))
  if (blind.length > 0) items.push({ kind: 'unseen', key: 'unseen', count: blind.length })
  return [...items, ...blind.map((operation): ListItem => ({ kind: 'blind', key: operation.id, operation }))]
}

const caseItem = (row: CaseRow): ListItem => ({ kind: 'case', key: row.caseId, row })

/** The id of a line that can be selected; null for others. */
export function rowIdOf(item: ListItem | undefined): RowId | null {
  if (item?.kind === 'case') return item.row.caseId
  return item?.kind === 'blind' ? item.operation.id : null
}

/** Packages of which the service has said that it knows no cases. */
export const packagesWithoutCases = (items: readonly ListItem[]): PackageUid[] =>
  items.flatMap((item) =>
    item.kind === 'package' && item.rows.length === 0 && item.package.knowledge !== null ? item.package.packageUid : [],
  )

/** How many of some cases are still to be imported, whole or in part. */
export const toImport = (rows: CaseRow[]): number =>
  rows.filter(({ view }) => view?.packagedProducts.some(({ canImport }) => canImport)).length

/** How many of some cases are imported here, judging by the states that main tells. The papers count the same. */
export const importedHere = (rows: CaseRow[]): number =>
  countCases(rows.map(({ importState }) => importState.kind)).imported
