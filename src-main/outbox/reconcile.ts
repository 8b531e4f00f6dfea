import { assertNever } from '../../src-shared/result'
import type { ServiceClient } from '../service-client/client'
import type { Operation } from './operation'
import type { Outcome } from './outcome'

/**
 * Finds out by reading what became of an attempt whose answer was lost. Gives an outcome when the reading decides it,
 * `resend` when the report must be sent (again).
 *
 * Imports and removals are read by the package look-up. Sales, voids and returns are sent again: the service answers
 * "already processed" to the second one, and outcome.ts takes that for the yes it is. Spec: Package UID lookup entry.
 */
export async function reconcile(operation: Operation, client: ServiceClient): Promise<Outcome | 'resend'> {
  const { payload } = operation
  if (payload === null) return 'resend'
  switch (payload.kind) {
    case 'complete':
    case 'void':
    case 'return':
      return 'resend'
    case 'import':
    case 'import-removal': {
      const found = await client.casesOfPackage(payload.packageUid)
      // Not knowing is no reason to send: the same question will be asked again.
      if (!found.ok) return { kind: 'unknown', reason: found.error, afterMs: null }
      const entry = found.value.case_ids[payload.caseId]
      // The package UID is filled only for dispensaries of our own company.
      const isThere = entry?.is_imported === true && entry.package_uid === payload.packageUid
      const isDone = payload.kind === 'import' ? isThere : !isThere
      return isDone ? { kind: 'accepted', note: 'found-by-reading' } : 'resend'
    }
    default:
      return assertNever(payload)
  }
}
