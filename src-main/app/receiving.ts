import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import type { CaseId } from '../../src-shared/ids'
import { CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import { err, ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import { canChangeCases } from '../profile'
import { createCaseViews, createReceiving } from '../receiving/case-views'
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
import { saved } from '../store/saved'
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
  /** A step of a delivery that other stations may share. */
  const listed = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const given = await answer
    deliveries?.tell()
    return given
  }
  const sharedPosIds = hub.isSetUp ? createSharedPosIds({ db, events, hub, settings, log }) : undefined
  /** What a count of another station holds may never have been seen here: without it, its items have no names. */
  const learnCases = () => {
    for (const { caseId } of counts.openCount()?.cases ?? [])
      if (!seen.case(caseId)) void limit(() => lookup.case(caseId))
  }
  const joined = async (join: ReturnType<NonNullable<typeof shared>['joinCount']>) => {
    const answer = await join
    if (answer.ok) learnCases()
    return answer
  }
  /** A step of a count that other stations may share. */
  const told = <Answer>(answer: Answer): Answer => {
    shared?.tell()
    return answer
  }
  /** The POS may call products otherwise now. */
  const renamed = <Answer>(answer: Answer): Answer => {
    manifests.productsChanged()
    return answer
  }
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

  /** Announces a command's changes to the delivery before the command is answered. */
  const announced = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const given = await answer
    sharedPosIds?.exchange()
    deliveries?.tell()
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
    'receiving.addPackage': ({ packageUid, isMeant = false }) => listed(delivery.addPackage(packageUid, isMeant)),
    'receiving.addCase': ({ identifier }) => listed(delivery.addCase(identifier)),
    'receiving.refresh': () => {
      delivery.refresh()
      return ok(null)
    },
    'receiving.dropPackage': ({ packageUid }) => listed(delivery.dropPackage(packageUid)),
    'receiving.dropCase': ({ caseId }) => listed(delivery.dropCase(caseId)),
    'receiving.storeDeliveries': () => ok(deliveries?.listed() ?? []),
    'receiving.joinDelivery': async ({ deliveryId }) => {
      if (!deliveries) return err({ code: 'hub/unreachable' })
      const joined = await deliveries.join(deliveryId)
      await delivery.announceNow()
      return joined
    },
    'receiving.deliveryNotices': () => ok(notices.list()),
    'receiving.seeDeliveryNotice': ({ id }) =>
      saved(() => {
        notices.see(id)
        notices.announceNow()
        return ok(null)
      }),
    'receiving.finishing': async ({ deliveryId }) => {
      const behind = (await deliveries?.behind(deliveryId)) ?? []
      return ok({ ...records.finishing(deliveryId), behind, differences: await counts.openDifferences(deliveryId) })
    },
    'receiving.finishDelivery': async ({ deliveryId, about }) => {
      return listed(delivery.finish(deliveryId, await records.prepare(deliveryId, about)))
    },
    'receiving.reopenDelivery': ({ deliveryId }) => listed(delivery.reopen(deliveryId)),
    'receiving.undoDelivery': ({ deliveryId, permit }) => {
      const question = undoDelivery.gateOf(deliveryId)
      return gates.pass(question, permit, (because) =>
        announced(undoDelivery.undo(deliveryId, question !== null, because)),
      )
    },
    'receiving.deliveries': (filter) => ok(delivery.list(filter?.text)),
    'receiving.report': ({ deliveryId }) => report.make(deliveryId),
    'receiving.record': ({ deliveryId, version }) => records.view(deliveryId, version),
    'receiving.correct': ({ deliveryId, ...what }) => records.correct(deliveryId, what),

    'receiving.sendPhoto': ({ photoId, start, base64 }) => photos.receive(photoId, start, base64),
    'receiving.addPhoto': ({ deliveryId, photoId, ...about }) => photos.add(deliveryId, photoId, about),
    'receiving.describePhoto': ({ photoId, ...about }) => photos.describe(photoId, about),
    'receiving.removePhoto': ({ photoId }) => photos.remove(photoId),
    'receiving.restorePhoto': ({ photoId }) => photos.restore(photoId),
    'receiving.photos': () => ok(photos.list()),
    'receiving.photo': ({ photoId }) => ok({ dataUrl: photos.picture(photoId) }),

    'receiving.prefills': ({ pairs }) => ok(pos.prefills(pairs)),
    'receiving.catalogue': () => ok(pos.catalogue.view()),
    'receiving.loadCatalogue': (part) => renamed(pos.catalogue.load(part)),
    'receiving.forgetCatalogue': () => renamed(pos.catalogue.forget()),

    'receiving.manifest': async () => ok(await manifests.view()),
    'receiving.loadManifest': (part) => manifests.load(part),
    'receiving.removeManifest': ({ manifestId }) => manifests.remove(manifestId),
    'receiving.restoreManifest': ({ manifestId }) => manifests.restore(manifestId),
    'receiving.matchManifest': ({ manifestId, line, productId }) => manifests.match(manifestId, line, productId),

    'receiving.openCount': () => ok(counts.openCount()),
    'receiving.startCount': ({ caseId }) => (shared ? joined(shared.start(caseId)) : counts.startCount(caseId)),
    'receiving.storeCounts': () => ok(shared?.listed() ?? []),
    'receiving.joinCount': ({ countId }) =>
      shared ? joined(shared.joinCount(countId)) : err({ code: 'hub/unreachable' }),
    'receiving.countTag': async ({ countId, tagId }) => {
      const counted = counts.countTag(countId, tagId)
      // Saved by now; the answer may wait for the service.
      shared?.tell()
      return told(await counted)
    },
    'receiving.uncountTag': ({ countId, tagId }) => told(counts.uncountTag(countId, tagId)),
    'receiving.finishCount': ({ countId }) => told(counts.finishCount(countId)),
    'receiving.reopenCount': ({ countId }) => told(counts.reopenCount(countId)),
    'receiving.countDetail': async ({ countId }) => {
      const detail = await counts.countDetail(countId)
      return detail.ok ? ok({ ...detail.value, behind: (await shared?.behind(detail.value.count.id)) ?? [] }) : detail
    },
    'receiving.resolve': ({ permit, ...what }) =>
      gates.pass(counts.gateOf(what), permit, async (because) => {
        const settles = (await shared?.settle(what.countId)) ?? ok(null)
        return settles.ok ? counts.resolve(what, because) : settles
      }),
    'receiving.takeOverSettling': async ({ countId, permit }) => {
      const no = await gates.objection('pin', permit ?? {})
      if (no) return err(no)
      return shared ? shared.takeOverSettling(countId, permit?.reason ?? '') : err({ code: 'hub/unreachable' })
    },
    'receiving.exportCount': ({ countId }) => counts.exportCount(countId),

    'receiving.history': ({ filter, before }) => ok(history.page(filter, before)),
    'receiving.exportHistory': async ({ filter }) => ok(await history.export(filter)),
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
