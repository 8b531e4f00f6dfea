import { ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
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
  const receiving = createReceiving({ lookup, views, turns })
  const undo = createUndo(outbox)
  const undoDelivery = createUndoDelivery({ rows, outbox, undo, view, sender })
  const report = createDeliveryReport({
    rows,
    seen,
    views,
    counts,
    viewOperation: view,
    clock,
    storeName: profile.name,
  })
  const history = createReceivingHistory({ rows: createHistoryRows(db), seen, view, clock })

  const handlers: HandlersOf<'receiving'> = {
    'receiving.package': ({ packageUid }) => receiving.package(packageUid),
    'receiving.case': ({ identifier }) => receiving.case(identifier),
    'receiving.import': (form) => importing.import(form),
    'receiving.importBlind': (form) => importing.importBlind(form),
    'receiving.importMany': ({ imports }) => importing.importMany(imports),
    'receiving.undo': ({ operationId }) => reporting.report(undo(operationId)),

    'receiving.delivery': async () => ok(await deliveries.view()),
    'receiving.addPackage': ({ packageUid }) => deliveries.addPackage(packageUid),
    'receiving.addCase': ({ identifier }) => deliveries.addCase(identifier),
    'receiving.refresh': () => {
      deliveries.refresh()
      return ok(null)
    },
    'receiving.dropPackage': ({ packageUid }) => deliveries.dropPackage(packageUid),
    'receiving.dropCase': ({ caseId }) => deliveries.dropCase(caseId),
    'receiving.finishDelivery': ({ deliveryId }) => deliveries.finish(deliveryId),
    'receiving.undoDelivery': ({ deliveryId }) => undoDelivery(deliveryId),
    'receiving.deliveries': () => ok(deliveries.list()),
    'receiving.report': ({ deliveryId }) => report(deliveryId),

    'receiving.prefills': ({ pairs }) => ok(pos.prefills(pairs)),
    'receiving.catalogue': () => ok(pos.catalogue()),
    'receiving.loadCatalogue': (part) => pos.loadCatalogue(part),
    'receiving.forgetCatalogue': () => pos.forgetCatalogue(),

    'receiving.openCount': () => ok(counts.openCount()),
    'receiving.startCount': ({ caseId }) => counts.startCount(caseId),
    'receiving.countTag': ({ countId, tagId }) => counts.countTag(countId, tagId),
    'receiving.uncountTag': ({ countId, tagId }) => counts.uncountTag(countId, tagId),
    'receiving.finishCount': ({ countId }) => counts.finishCount(countId),
    'receiving.countDetail': ({ countId }) => counts.countDetail(countId),
    'receiving.resolve': (what) => counts.resolve(what),
    'receiving.exportCount': ({ countId }) => counts.exportCount(countId),

    'receiving.history': ({ filter, before }) => ok(history.page(filter, before)),
    'receiving.exportHistory': async ({ filter }) => ok(await history.export(filter)),
  }
  return { deliveries, handlers }
}
