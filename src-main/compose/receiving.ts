import type { OperationId } from '../../src-shared/ids'
import { canChangeCases } from '../profile'
import { createCaseViews } from '../receiving/case-views'
import { createCounts } from '../receiving/counts'
import { createDeliveries } from '../receiving/deliveries'
import { createDeliveryRows } from '../receiving/delivery-rows'
import { createReceivingHistory } from '../receiving/history'
import { createHistoryRows } from '../receiving/history-rows'
import { createImporting } from '../receiving/importing'
import { createPos } from '../receiving/pos'
import { createReceiving } from '../receiving/receiving'
import { createDeliveryReport } from '../receiving/report'
import { createSeenSince } from '../receiving/seen-since'
import { createUndo } from '../receiving/undo'
import { createUndoDelivery } from '../receiving/undo-delivery'
import { createTurns } from '../turns'
import type { Ground } from './ground'
import type { LookingUp } from './lookup'
import type { Sending } from './outbox'

/** Packages and cases, from the scan to the report of a delivery. */
export function joinReceiving(
  { db, settings, events, profile, clock, log }: Ground,
  { seen, lookup }: LookingUp,
  { outbox, sender, reporting }: Sending,
) {
  const { view } = reporting
  // Of many cases some at a time: what the counter asks has its turn between them.
  const turns = createTurns(8)
  const seenSince = createSeenSince(outbox)
  const views = createCaseViews({ seen, outbox, view, seenSince, clock, ownDispensaryId: profile.dispensaryId })
  const rows = createDeliveryRows(db)
  const pos = createPos({ db, seen, settings, clock })
  const importing = createImporting({ seen, outbox, reporting, sender, rows, pos, seenSince, clock, log })
  const deliveries = createDeliveries({
    db,
    rows,
    lookup,
    seen,
    views,
    outbox,
    viewOperation: view,
    turns,
    clock,
    log,
    announce: (found) => events.emit('receiving.cases', found),
    onIdentified: (form) => {
      importing.remember(form)
    },
  })
  const counts = createCounts({
    db,
    lookup,
    seen,
    outbox,
    reporting,
    clock,
    canChangeCases: () => canChangeCases(profile),
  })
  const undo = createUndo(outbox)
  const storeName = profile.name
  return {
    receiving: createReceiving({ lookup, views, turns }),
    importing,
    deliveries,
    pos,
    counts,
    undo: (operationId: OperationId) => reporting.report(undo(operationId)),
    undoDelivery: createUndoDelivery({ rows, outbox, undo, view, sender }),
    deliveryReport: createDeliveryReport({ rows, seen, views, counts, viewOperation: view, clock, storeName }),
    history: createReceivingHistory({ rows: createHistoryRows(db), seen, view, clock }),
  }
}
