import pLimit from 'p-limit'
import { ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import { canChangeCases } from '../profile'
import { createCaseViews, createReceiving } from '../receiving/case-views'
import { createCounts } from '../receiving/count'
import { createDelivery } from '../receiving/delivery'
import { createDeliveryRows } from '../receiving/delivery-rows'
import { createReceivingHistory } from '../receiving/history'
import { createSeenSince } from '../receiving/import-state'
import { createImporting } from '../receiving/importing'
import { createOwnership } from '../receiving/ownership'
import { createPos } from '../receiving/pos'
import { createDeliveryReport } from '../receiving/report'
import { createUndo, createUndoDelivery } from '../receiving/undo'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'
import type { OutboxParts } from './outbox'

/** Packages and cases, from the scan to the report of a delivery. */
export function createReceivingParts(
  { db, settings, events, profile, clock, log }: CoreContext,
  { v15, serviceClock }: Network,
  { seen, lookup }: LookupParts,
  { outbox, sender, reporting }: OutboxParts,
  gates: Gates,
) {
  const { view } = reporting
  // A few cases at a time, so that requests from the counter get a turn.
  const limit = pLimit(8)
  const seenSince = createSeenSince(outbox)
  const views = createCaseViews({
    seen,
    outbox,
    view,
    seenSince,
    clock,
    serviceClock,
    ownDispensaryId: profile.dispensaryId,
  })
  const rows = createDeliveryRows(db)
  const pos = createPos({ db, seen, settings, clock })
  const importing = createImporting({ seen, outbox, reporting, sender, rows, pos, seenSince, clock, serviceClock, log })
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
  const ownership = createOwnership({
    listBrands: () => v15.brands.list(),
    seen,
    outbox,
    settings,
    clock,
    canChangeCases: () => canChangeCases(profile),
  })
  const counts = createCounts({
    db,
    ownership,
    lookup,
    seen,
    outbox,
    reporting,
    clock,
    canChangeCases: () => canChangeCases(profile),
    announce: (change) => events.emit('receiving.counted', change),
    announceCount: (count) => events.emit('receiving.count', count),
  })
  const receiving = createReceiving({ lookup, views, limit })
  const undo = createUndo(outbox)
  const undoDelivery = createUndoDelivery({
    rows,
    outbox,
    undo: (operation, permit) => undo.undo(operation, permit),
    view,
    sender,
  })
  const report = createDeliveryReport({
    rows,
    seen,
    views,
    counts,
    viewOperation: view,
    permitted: outbox.permitted,
    clock,
    storeName: profile.name,
  })
  const history = createReceivingHistory({ db, seen, view, clock })

  /** Announces a command's changes to the delivery before the command is answered. */
  const announced = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const given = await answer
    await delivery.announceNow()
    return given
  }

  const handlers: HandlersOf<'receiving'> = {
    'receiving.package': ({ packageUid }) => receiving.package(packageUid),
    'receiving.case': ({ identifier }) => receiving.case(identifier),
    'receiving.import': ({ permit, ...form }) =>
      gates.pass(importing.gateOf([form]), permit, (because) => announced(importing.import(form, because))),
    'receiving.importBlind': ({ permit, ...form }) =>
      gates.pass(importing.gateOfBlind(form), permit, (because) => announced(importing.importBlind(form, because))),
    'receiving.importMany': ({ imports, permit }) =>
      gates.pass(importing.gateOf(imports), permit, (because) => announced(importing.importMany(imports, because))),
    'receiving.undo': ({ operationId, permit }) =>
      gates.pass(undo.gateOf(operationId), permit, (because) =>
        announced(reporting.report(undo.undo(operationId, because))),
      ),

    'receiving.delivery': async () => ok(await delivery.view()),
    'receiving.addPackage': ({ packageUid }) => delivery.addPackage(packageUid),
    'receiving.addCase': ({ identifier }) => delivery.addCase(identifier),
    'receiving.refresh': () => {
      delivery.refresh()
      return ok(null)
    },
    'receiving.dropPackage': ({ packageUid }) => delivery.dropPackage(packageUid),
    'receiving.dropCase': ({ caseId }) => delivery.dropCase(caseId),
    'receiving.finishDelivery': async ({ deliveryId }) => {
      const finished = await delivery.finish(deliveryId)
      if (finished.ok) counts.deliveryFinished()
      return finished
    },
    'receiving.reopenDelivery': ({ deliveryId }) => delivery.reopen(deliveryId),
    'receiving.undoDelivery': ({ deliveryId, permit }) => {
      const question = undoDelivery.gateOf(deliveryId)
      return gates.pass(question, permit, (because) =>
        announced(undoDelivery.undo(deliveryId, question !== null, because)),
      )
    },
    'receiving.deliveries': () => ok(delivery.list()),
    'receiving.report': ({ deliveryId }) => report(deliveryId),

    'receiving.prefills': ({ pairs }) => ok(pos.prefills(pairs)),
    'receiving.catalogue': () => ok(pos.catalogue.view()),
    'receiving.loadCatalogue': (part) => pos.catalogue.load(part),
    'receiving.forgetCatalogue': () => pos.catalogue.forget(),

    'receiving.openCount': () => ok(counts.openCount()),
    'receiving.startCount': ({ caseId }) => counts.startCount(caseId),
    'receiving.countTag': ({ countId, tagId }) => counts.countTag(countId, tagId),
    'receiving.uncountTag': ({ countId, tagId }) => counts.uncountTag(countId, tagId),
    'receiving.finishCount': ({ countId }) => counts.finishCount(countId),
    'receiving.reopenCount': ({ countId }) => counts.reopenCount(countId),
    'receiving.countDetail': ({ countId }) => counts.countDetail(countId),
    'receiving.resolve': ({ permit, ...what }) =>
      gates.pass(counts.gateOf(what), permit, (because) => counts.resolve(what, because)),
    'receiving.exportCount': ({ countId }) => counts.exportCount(countId),

    'receiving.history': ({ filter, before }) => ok(history.page(filter, before)),
    'receiving.exportHistory': async ({ filter }) => ok(await history.export(filter)),
  }
  return { delivery, handlers }
}
