import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import type { CaseId } from '../../src-shared/ids'
import { CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import type { HandlersOf } from '../ipc/handlers'
import { canChangeCases } from '../profile'
import { createCaseViews, createReceiving } from '../receiving/case-views'
import { countHandlers } from '../receiving/count-handlers'
import { deliveryHandlers } from '../receiving/delivery-handlers'
import { importHandlers } from '../receiving/import-handlers'
import { manifestHandlers } from '../receiving/manifest-handlers'
import { recordHandlers } from '../receiving/record-handlers'
import { createCounts } from '../receiving/count'
import { createDelivery } from '../receiving/delivery'
import { createDeliveryNotices } from '../receiving/delivery-notices'
import { createDeliveryRows } from '../receiving/delivery-rows'
import { createReceivingHistory } from '../receiving/history'
import { createSeenSince } from '../receiving/import-state'
import { createImporting } from '../receiving/importing'
import { createOwnership } from '../receiving/ownership'
import { createManifests } from '../receiving/manifest'
import { LateVersions } from '../receiving/late-versions'
import { createLateRows } from '../receiving/record-late'
import { createPhotoFiles } from '../receiving/photo-files'
import { createPhotoRows } from '../receiving/photo-rows'
import { createPhotos } from '../receiving/photos'
import { createPos } from '../receiving/pos'
import { createRecords } from '../receiving/record'
import { createRecordRows } from '../receiving/record-rows'
import { createDeliveryReport } from '../receiving/report'
import { createMerging } from '../receiving/delivery-merging'
import { createSharedDeliveries } from '../receiving/shared-deliveries'
import { createSharedImports } from '../receiving/shared-imports'
import { createSharedPosIds } from '../receiving/shared-pos-ids'
import { createSharedCounts } from '../receiving/shared-counts'
import { createUndo, createUndoDelivery } from '../receiving/undo'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'
import type { OutboxParts } from './outbox'

/** Packages and cases, from the scan to the report of a delivery. */
export function createReceivingParts(
  { db, databaseFile, settings, events, profile, clock, log, hub, atStep }: CoreContext,
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
    events,
    outbox,
    view,
    seenSince,
    clock,
    serviceClock,
    ownDispensaryId: profile.dispensaryId,
    elsewhere: (caseId, product) => sharedImports?.elsewhere(caseId, product),
  })
  const rows = createDeliveryRows(db)
  const pos = createPos({ db, seen, settings, clock })
  const sharedImports = hub.isSetUp
    ? createSharedImports({
        ...{ db, events, hub, outbox, settings, clock, log },
      })
    : undefined
  const importing = createImporting({
    ...{ seen, events, outbox, reporting, sender, rows, pos, seenSince, clock, serviceClock, log },
    store: sharedImports,
  })
  const delivery = createDelivery({
    db,
    rows,
    lookup,
    seen,
    views,
    events,
    viewOperation: view,
    limit,
    clock,
    log,
    atStep,
  })
  const ownership = createOwnership({
    listBrands: () => v15.brands.list(),
    seen,
    outbox,
    settings,
    clock,
    canChangeCases: () => canChangeCases(profile),
  })
  const late = createLateRows(db)
  const counts = createCounts({
    db,
    events,
    late,
    ownership,
    lookup,
    seen,
    outbox,
    reporting,
    clock,
    canChangeCases: () => canChangeCases(profile),
  })
  const manifests = createManifests({
    db,
    events,
    rows,
    seen,
    counts,
    pos,
    clock,
    log,
  })
  const shared = hub.isSetUp
    ? createSharedCounts({
        ...{ db, events, hub, counts, log },
      })
    : undefined
  const identifierOf = (caseId: CaseId) => seen.caseInBrief(caseId)?.value.identifier ?? null
  const photos = createPhotos({
    rows: createPhotoRows(db),
    files: createPhotoFiles(join(dirname(databaseFile), 'photos'), atStep),
    deliveries: rows,
    identifierOf,
    clock,
    log,
    events,
    atStep,
  })
  photos.sweep()
  const notices = createDeliveryNotices({ db, events })
  const deliveries = hub.isSetUp
    ? createSharedDeliveries({
        ...{ db, events, hub, rows, seen, log },
        merging: createMerging({
          ...{ db, events, rows, clock, late, stationId: hub.stationId },
          delivery: delivery.together,
          keepRecord: (open, at, station) => {
            records.finishedElsewhere(open, at, station)
            if (station !== undefined) notices.note(open.seq, 'finished', station)
          },
        }),
      })
    : undefined
  const sharedPosIds = hub.isSetUp ? createSharedPosIds({ db, events, hub, settings, log }) : undefined
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
    manifests,
    viewOperation: view,
    permitted: outbox.permitted,
    clock,
    storeName: profile.name,
  })
  const recordRows = createRecordRows(db)
  const records = createRecords({
    db,
    rows: recordRows,
    deliveries: rows,
    report,
    manifests,
    photos,
    settings,
    clock,
    late,
    learn: async ({ listed }) => {
      const unread = listed.flatMap(({ caseIds }) => caseIds.filter((caseId) => !seen.case(caseId)))
      const packages = listed.flatMap(({ packageUids }) => packageUids.filter((uid) => !seen.package(uid)))
      await Promise.all([
        ...unread.map((caseId) => limit(() => lookup.case(caseId))),
        ...packages.map((uid) => limit(() => lookup.package(uid))),
      ])
    },
    notices,
    identifierOf,
    atStep,
    people: () => (settings.read('checkout.settings', CheckoutSettings)?.budtenders ?? []).map(({ name }) => name),
  })
  const addingLate = new LateVersions({ events, records, late, log })
  const history = createReceivingHistory({ db, seen, view, clock })

  const handlers: HandlersOf<'receiving'> = {
    ...importHandlers({ events, gates, receiving, importing, delivery, reporting, undo, undoDelivery }),
    ...deliveryHandlers({ delivery, deliveries, notices, records, counts }),
    ...recordHandlers({ report, records, photos, history }),
    ...manifestHandlers({ pos, manifests }),
    ...countHandlers({ gates, counts, shared, lookup, seen, limit }),
  }
  return {
    delivery,
    manifests,
    catalogue: pos.catalogue,
    handlers,
    /** What stations of a store share; nothing without a hub. */
    store: {
      /** What the store has not been told: scans of counts, packages and cases of deliveries, imports. */
      untold: () => ({
        scansUntold: shared?.untold() ?? 0,
        entriesUntold: deliveries?.untold() ?? 0,
        importsUntold: sharedImports?.untold() ?? 0,
      }),
      /** The delivery under way that this station has a manifest of. */
      manifestOf: manifests.ofDelivery,
      async stop(): Promise<void> {
        for (const one of [shared, deliveries, sharedImports, sharedPosIds, addingLate]) await one?.stop()
      },
    },
  }
}
