import pLimit from 'p-limit'
import type { OperationId } from '../../src-shared/ids'
import type { BlindImportForm, ImportForm } from '../../src-shared/ipc/receiving-view'
import { canChangeCases } from '../profile'
import { createCaseViews, createReceiving } from '../receiving/case-views'
import { createCounts } from '../receiving/count'
import { createDelivery } from '../receiving/delivery'
import { createDeliveryRows } from '../receiving/delivery-rows'
import { createReceivingHistory } from '../receiving/history'
import { createSeenSince } from '../receiving/import-state'
import { createImporting } from '../receiving/importing'
import { createPos } from '../receiving/pos'
import { createDeliveryReport } from '../receiving/report'
import { createUndo, createUndoDelivery } from '../receiving/undo'
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
  // Of many cases a few at a time, so that what the counter asks is answered between them.
  const limit = pLimit(8)
  const seenSince = createSeenSince(outbox)
  const views = createCaseViews({ seen, outbox, view, seenSince, clock, ownDispensaryId: profile.dispensaryId })
  const rows = createDeliveryRows(db)
  const pos = createPos({ db, seen, settings, clock })
  const importing = createImporting({ seen, outbox, reporting, sender, rows, pos, seenSince, clock, log })
  const delivery = createDelivery({
    db,
    rows,
    lookup,
    seen,
    views,
    outbox,
    viewOperation: view,
    limit,
    clock,
    log,
    announce: (change) => events.emit('receiving.changed', change),
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
  const undoDelivery = createUndoDelivery({ rows, outbox, undo, view, sender })
  const storeName = profile.name

  /** What a command changed in the delivery is announced before it is answered. */
  const announced = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const given = await answer
    await delivery.announceNow()
    return given
  }
  return {
    receiving: createReceiving({ lookup, views, limit }),
    importing: {
      import: (form: ImportForm) => announced(importing.import(form)),
      importMany: (forms: ImportForm[]) => announced(importing.importMany(forms)),
      importBlind: (form: BlindImportForm) => announced(importing.importBlind(form)),
    },
    delivery,
    pos,
    counts,
    undo: (operationId: OperationId) => announced(reporting.report(undo(operationId))),
    undoDelivery: (id: Parameters<typeof undoDelivery>[0]) => announced(undoDelivery(id)),
    deliveryReport: createDeliveryReport({ rows, seen, views, counts, viewOperation: view, clock, storeName }),
    history: createReceivingHistory({ db, seen, view, clock }),
  }
}
