import { SvelteMap } from 'svelte/reactivity'
import type { PackageUid } from '../../src-shared/ids'
import type { DeliveryCase, DeliveryHead, DeliveryPackage, DeliveryView } from '../../src-shared/ipc/delivery-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { CaseRow } from './case-row.svelte'
import { operationOf } from './import-state'
import type { RowId } from './selection.svelte'

/** The delivery under way, as this screen knows it: packages, cases, and imports of cases that nobody has seen yet. */
export class Delivery {
  head = $state.raw<DeliveryHead | null>(null)
  packages = $state.raw<DeliveryPackage[]>([])
  blind = $state.raw<OperationView[]>([])
  readonly #rows = new SvelteMap<RowId, CaseRow>()
  /** In the order of arrival. */
  rows = $derived([...this.#rows.values()])
  /** How many imports "undo all" takes back, as main counted them last. */
  undoable = $state(0)
  readonly #onOther: () => void

  /** `onOther`: the delivery that was shown is over. */
  constructor(onOther: () => void = () => undefined) {
    this.#onOther = onOther
  }

  /** Whether there may be something to take back: for whoever offers it. */
  get mayUndo(): boolean {
    return this.undoable > 0 || this.blind.some(canUndo) || this.rows.some(hasUndoable)
  }

  row(id: RowId): CaseRow | undefined {
    return this.#rows.get(id)
  }

  hasPackage(packageUid: string): boolean {
    return this.packages.some((one) => one.packageUid === packageUid)
  }

  /** Shows what main keeps; rows that stay keep their place on the screen. */
  show(view: DeliveryView | null): void {
    if (view?.id !== this.head?.id) {
      this.#rows.clear()
      if (this.head) this.#onOther()
    }
    this.head = view && { id: view.id, startedAt: view.startedAt }
    this.packages = view?.packages ?? []
    this.blind = view?.blind ?? []
    this.undoable = view?.undoable ?? 0
    for (const id of [...this.#rows.keys()]) {
      if (!view?.cases.some(({ caseId }) => caseId === id)) this.#rows.delete(id)
    }
    if (view) this.put(view.cases)
  }

  /** Something was added to a delivery: to this one, or to one that began with it. */
  begin(head: DeliveryHead): void {
    if (head.id !== this.head?.id) this.show({ ...head, packages: [], cases: [], blind: [], undoable: 0 })
  }

  putPackage(found: DeliveryPackage): void {
    const isNew = !this.hasPackage(found.packageUid)
    this.packages = isNew
      ? [...this.packages, found]
      : this.packages.map((one) => (one.packageUid === found.packageUid ? found : one))
  }

  put(cases: DeliveryCase[]): void {
    for (const found of cases) {
      const row = this.#rows.get(found.caseId)
      if (row) row.take(found)
      else this.#rows.set(found.caseId, new CaseRow(found))
    }
  }

  /** Takes an import of an unseen case over; one that is over or withdrawn is no row any more. */
  putBlind(operation: OperationView): void {
    const others = this.blind.filter(({ id }) => id !== operation.id)
    const isOver = operation.state === 'accepted' || operation.state === 'cancelled'
    this.blind = isOver ? others : [...others, operation].sort((one, other) => one.seq - other.seq)
  }

  blindOf(id: RowId): OperationView | undefined {
    return this.blind.find((one) => one.id === id)
  }

  /** The package that was scanned, where it is only one. */
  get onlyPackage(): PackageUid | null {
    const [only = null, ...others] = this.packages.map(({ packageUid }) => packageUid)
    return others.length === 0 ? only : null
  }
}

const canUndo = ({ undo }: OperationView) => undo !== null

const hasUndoable = ({ view }: CaseRow): boolean =>
  (view?.packagedProducts ?? []).some(({ importState }) => {
    const operation = operationOf(importState)
    return operation?.kind === 'import' && operation.undo !== null
  })
