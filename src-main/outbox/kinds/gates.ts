import type { Gate } from '../../../src-shared/gates'
import type { OperationKind } from '../../../src-shared/ipc/contract/outbox'

/** The gates that reports of a kind always pass. An import passes one only against its certificate. */
export const gateOfKind: Partial<Record<OperationKind, Gate>> = {
  'import-removal': 'un-import',
  void: 'void',
  'remove-item': 'take-out',
  'restore-item': 'put-back',
  'remove-collection': 'remove-collection',
  'restore-collection': 'restore-collection',
  'add-items': 'add-items',
  'add-case': 'add-case',
}
