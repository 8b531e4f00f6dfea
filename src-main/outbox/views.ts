import type { Database } from 'better-sqlite3'
import { localTime } from '../../src-shared/csv/local-time'
import type { Warning } from '../../src-shared/ipc/contract/app'
import {
  type OperationName,
  type OperationView,
  type OutboxExport,
  type ReportLine,
  UnsentLimits,
} from '../../src-shared/ipc/contract/outbox'
import { type Clock, iso } from '../core/clock'
import type { Settings } from '../database/settings'
import { nameOf } from './kinds/kinds'
import { type Operation, isForPerson, isTakenBack, operationOf } from './operation'
import type { Outbox } from './outbox'
import { tagsOf } from './payload'
import type { Rows } from './rows'

/** An operation as a screen shows it. */
export function viewOperation(operation: Operation, outbox: Outbox, clock: Clock): OperationView {
  const { payload, state } = operation
  const heldUpBy = operation.blockers > 0 ? outbox.read.heldUpBy(operation) : undefined
  const waitsForTime = (state === 'queued' || state === 'unknown') && operation.nextAttemptAt > clock.now()
  return {
    ...viewName(operation),
    seq: operation.seq,
    packagedProductId: payload && 'packagedProductId' in payload ? payload.packagedProductId : null,
    packageUid: payload && 'packageUid' in payload ? payload.packageUid : null,
    itemCount: payload === null ? 0 : 'itemCount' in payload ? payload.itemCount : tagsOf(payload).length,
    performedAt: operation.performedAt,
    attempts: operation.attempts,
    nextAttemptAt: waitsForTime ? iso(operation.nextAttemptAt) : null,
    waitsFor: operation.blockers,
    heldUpBy: heldUpBy ? viewName(heldUpBy) : null,
    reason: operation.reason,
    note: noteOf(operation),
    missing: outbox.missingOf(operation).map((tagId) => ({ tagId, productName: outbox.productOf(tagId) })),
    unsettled: isForPerson(operation) ? { shown: operation.shown } : null,
    undo: outbox.undoOf(operation),
    actions: outbox.actionsOf(operation),
    dismissedBecause: operation.dismissedBecause,
  }
}

/** The note as screens and files show it. */
export const noteOf = (operation: Operation): OperationView['note'] =>
  isTakenBack(operation) ? 'taken-back' : operation.note

/** What names an operation on a screen. */
export const viewName = ({ id, kind, state, payload }: Operation): OperationName => ({
  id,
  kind,
  state,
  orderId: payload && 'orderId' in payload ? payload.orderId : null,
  caseId: payload && 'caseId' in payload ? payload.caseId : null,
  collectionId: payload && 'collectionId' in payload ? payload.collectionId : null,
  productName: payload && nameOf(payload),
})

/** What a file says of any report. */
export const reportLine = (operation: Operation): ReportLine => {
  const { kind, state, performedAt, reason, dismissedBecause, payload } = operation
  return {
    ...{ kind, state, performedAt, reason, note: noteOf(operation), dismissedBecause },
    unsettled: isForPerson(operation) ? { shown: operation.shown } : null,
    caseId: payload && 'caseId' in payload ? payload.caseId : null,
    packageUid: payload && 'packageUid' in payload ? payload.packageUid : null,
  }
}

/** Every operation for a file, oldest first; never a customer, whose number only the service gets. */
export function exportOperations(db: Database, clock: Clock): OutboxExport {
  const lines: OutboxExport['lines'] = []
  for (const row of db.prepare('SELECT * FROM operation ORDER BY seq').iterate()) {
    const operation = operationOf(row)
    const { payload, seq, id, attempts } = operation
    lines.push({
      ...reportLine(operation),
      ...{ seq, id, attempts },
      orderId: payload && 'orderId' in payload ? payload.orderId : null,
      budtenderId: payload && 'budtenderId' in payload ? (payload.budtenderId ?? null) : null,
      tagIds: payload ? tagsOf(payload) : [],
      collection:
        payload && 'collectionId' in payload
          ? payload.collectionId
          : payload && 'regulatorIdentifier' in payload
            ? payload.regulatorIdentifier
            : null,
    })
  }
  return { fileName: `reports-${localTime(clock.now()).slice(0, 10)}.csv`, lines }
}

const setting = 'outbox.limits'
const usual: UnsentLimits = { count: 500, hours: 12 }
const hour = 3_600_000

export type Limits = ReturnType<typeof createLimits>

/** When unsent operations become a warning. It never stops a sale. */
export function createLimits({ settings, clock }: { settings: Settings; clock: Clock }) {
  const view = (): UnsentLimits => settings.read(setting, UnsentLimits) ?? usual
  return {
    view,
    /** Throws if the disk refuses. */
    set(limits: UnsentLimits): void {
      settings.write(setting, limits)
    },
    warnings({ unsent, oldestUnsentAt }: ReturnType<Rows['counts']>): Warning[] {
      const { count, hours } = view()
      const isOld = oldestUnsentAt !== null && clock.now() - oldestUnsentAt >= hours * hour
      return [...(unsent >= count ? ['unsent-many' as const] : []), ...(isOld ? ['unsent-old' as const] : [])]
    },
  }
}
