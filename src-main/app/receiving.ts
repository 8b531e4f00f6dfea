import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import type { HandlersOf } from '../ipc/handlers'
import { type Profile, canChangeCases } from '../credentials/profile'
import { createCaseViews } from '../receiving/delivery/case-views'
import { countHandlers } from '../counting/cases/count-handlers'
import { deliveryHandlers } from '../receiving/delivery/delivery-handlers'
import { importHandlers } from '../receiving/import/import-handlers'
import { manifestHandlers } from '../receiving/manifest/manifest-handlers'
import { recordHandlers } from '../receiving/record/record-handlers'
import { CaseCounts } from '../counting/cases/count'
import { Delivery } from '../receiving/delivery/delivery'
import { createDeliveryNotices } from '../receiving/delivery/delivery-notices'
import { DeliveryRows } from '../receiving/delivery/delivery-rows'
import { createReceivingHistory } from '../receiving/record/history'
import { Importing } from '../receiving/import/importing'
import { Manifests } from '../receiving/manifest/manifest'
import { LateVersions } from '../receiving/record/late-versions'
import { createLateRows } from '../receiving/record/record-late'
import { createPhotoFiles } from '../receiving/record/photo-files'
import { Photos } from '../receiving/record/photos'
import { createPos } from '../receiving/manifest/pos'
import type { ReceivingContext } from '../receiving/receiving-context'
import { Records } from '../receiving/record/record'
import type { RecordContext } from '../receiving/record/record-context'
import { createDeliveryReport } from '../receiving/record/report'
import { Merging } from '../receiving/delivery/delivery-merging'
import { SharedDeliveries } from '../receiving/delivery/shared-deliveries'
import { SharedImports } from '../receiving/import/shared-imports'
import { SharedLog } from '../sharing/log'
import { posIdsTopic } from '../sharing/topics/pos-ids'
import { SharedCounts } from '../counting/cases/shared-counts'
import { UnreadCases } from '../receiving/delivery/unread-cases'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'
import type { OutboxParts } from './outbox'

/** Packages and cases, from the scan to the report of a delivery. */
export function createReceivingParts(
  context: CoreContext,
  { serviceClock, v15 }: Network,
  { seen, lookup }: LookupParts,
  { outbox, reporting, sender }: OutboxParts,
  gates: Gates,
) {
  // A few cases at a time, so that requests from the counter get a turn.
  const limit = pLimit(8)
  const deliveries = new DeliveryRows(context.db)
  const unread = new UnreadCases(context.settings)
  const room: ReceivingContext = {
    ...{ ...context, serviceClock, seen, lookup, outbox, reporting, sender },
    ...{ deliveries, unread, limit },
  }
  const listing = createListing(room)
  const counting = createCounting(room, context.profile, v15, listing)
  const recording = createRecording(room, join(dirname(context.databaseFile), 'photos'), listing, counting)
  const { delivery, pos, sharedImports } = listing
  const { counts, manifests, shared } = counting
  const { sharedDeliveries, sharedPosIds, lateVersions, records } = recording
  const handlers: HandlersOf<'receiving'> = {
    ...importHandlers(room, gates, listing.views, listing.importing, delivery),
    ...deliveryHandlers(recording.context, delivery, sharedDeliveries, records),
    ...recordHandlers(recording.report, recording.records, recording.photos, recording.history),
    ...manifestHandlers({ pos, manifests }),
    ...countHandlers(counts, shared, { lookup, seen }, gates, limit),
  }
  return {
    delivery,
    manifests,
    catalogue: pos.catalogue,
    handlers,
    /** What stations of a store share; nothing without a hub. */
    store: {
      /** What the store has not been told: scans of counts, packages and cases of deliveries, imports. */
      pending: () => ({
        scansUntold: shared?.pending() ?? 0,
        entriesUntold: sharedDeliveries?.pending() ?? 0,
        importsUntold: sharedImports?.pending() ?? 0,
      }),
      /** The delivery under way that this station has a manifest of. */
      manifestOf: () => manifests.ofDelivery(),
      async stop(): Promise<void> {
        for (const one of [shared, sharedDeliveries, sharedImports, sharedPosIds, lateVersions]) await one?.stop()
      },
    },
  }
}

/** What is listed in the delivery under way, and its imports. */
function createListing(room: ReceivingContext) {
  const sharedImports = room.hub.isSetUp ? new SharedImports(room) : undefined
  const views = createCaseViews(room, sharedImports)
  const pos = createPos(room)
  const importing = new Importing(room, pos, sharedImports)
  const delivery = new Delivery(room, views)
  return { views, pos, sharedImports, importing, delivery }
}

/** Counts of what came, and the manifest that it is compared with. */
function createCounting(
  room: ReceivingContext,
  profile: Profile,
  { brands }: Network['v15'],
  { pos }: ReturnType<typeof createListing>,
) {
  const { db, hub } = room
  const late = createLateRows(db)
  const counts = new CaseCounts({
    ...{ ...room, late },
    listBrands: () => brands.list(),
    canChangeCases: () => canChangeCases(profile),
  })
  const manifests = new Manifests(room, counts, pos)
  const shared = hub.isSetUp ? new SharedCounts({ ...room, counts }) : undefined
  return { late, counts, manifests, shared }
}

/** What is kept of a delivery, and how it is shared with other stations. */
function createRecording(
  room: ReceivingContext,
  photoFolder: string,
  { views, delivery }: ReturnType<typeof createListing>,
  { late, counts, manifests }: ReturnType<typeof createCounting>,
) {
  const { db, events, hub } = room
  const photos = new Photos(room, createPhotoFiles(photoFolder, room.atStep))
  photos.sweep()
  const notices = createDeliveryNotices({ db, events })
  const context: RecordContext = { ...room, views, counts, manifests, late, notices }
  const report = createDeliveryReport(context)
  const records = new Records(context, report, photos)
  const sharedDeliveries = hub.isSetUp
    ? new SharedDeliveries(room, new Merging(context, delivery.together, records))
    : undefined
  const sharedPosIds = hub.isSetUp ? new SharedLog(room, posIdsTopic(db)) : undefined
  const lateVersions = new LateVersions(context, records)
  const history = createReceivingHistory(room)
  return { context, photos, sharedDeliveries, sharedPosIds, report, records, lateVersions, history }
}
