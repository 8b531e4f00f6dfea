import type { EventPayload } from '../../src-shared/ipc/contract'
import type { Client } from '../../src-shared/ipc/client'
import type { DeliveryCase } from '../../src-shared/ipc/delivery-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Batch } from './batch'
import type { CaseRow } from './case-row.svelte'
import type { Delivery } from './delivery.svelte'
import type { DeliverySteps } from './delivery-steps.svelte'
import type { ImportForms } from './import-forms'
import type { ImportMany } from './import-many.svelte'

export interface FollowingParts {
  client: Client
  delivery: Delivery
  forms: ImportForms
  many: ImportMany
  steps: DeliverySteps
  batch: Batch
  put: (cases: DeliveryCase[]) => void
  /** The rows have something new. */
  took: (rows: CaseRow[]) => void
  /** Shows what main keeps now. */
  reload: () => Promise<void>
}

/** Keeps the delivery on the screen true to what happens elsewhere. */
export type Following = ReturnType<typeof createFollowing>

export function createFollowing({ client, delivery, forms, many, steps, batch, put, took, reload }: FollowingParts) {
  async function read(row: CaseRow): Promise<void> {
    const reading = row.beginReading()
    const answer = await client.call('receiving.case', { identifier: row.caseId })
    if (answer.ok && row.endReading(reading, answer.value)) took([row])
  }

  /** One that is no longer blind is a case of the delivery now: main says which. */
  function blindChanged(operation: OperationView): void {
    if (!delivery.blindOf(operation.id)) return
    const isOver = operation.kind !== 'blind-import' || operation.state === 'accepted'
    if (isOver) void reload()
    else delivery.putBlind(operation)
  }

  function importChanged(row: CaseRow, operation: OperationView): void {
    const product = row.changed(operation)
    const reason = operation.state === 'rejected' ? operation.reason : null
    if (product && reason) forms.of(row, product).refuse(reason)
    // A removal that a person gave up says nothing of what the service holds.
    const isGivenUp = operation.kind === 'import-removal' && operation.state === 'cancelled'
    const isUnclear = !product && (row.view?.packagedProducts.length ?? 0) > 1
    if (isGivenUp || isUnclear) void read(row)
  }

  /** An operation got further, and is known to have. */
  function changed(operation: OperationView): void {
    many.note(operation)
    steps.note()
    if (operation.kind === 'blind-import' || delivery.blindOf(operation.id)) {
      blindChanged(operation)
      return
    }
    const row = operation.caseId && delivery.row(operation.caseId)
    if (!row) return
    if (operation.kind === 'import' || operation.kind === 'import-removal') importChanged(row, operation)
    else if (operation.state === 'accepted') void read(row)
  }

  return {
    changed,
    /** An operation got further, perhaps without anybody at this screen having done anything. */
    operationChanged(operation: OperationView): void {
      batch.later(() => changed(operation))
    },
    /** What main has read in the meantime. */
    casesRead({ deliveryId, cases, packages = [] }: EventPayload<'receiving.cases'>): void {
      batch.later(() => {
        if (deliveryId !== delivery.head?.id) return
        for (const found of packages) delivery.putPackage(found)
        put(cases)
      })
    },
  }
}
