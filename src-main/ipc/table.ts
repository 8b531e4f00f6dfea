import type { AppStatus } from '../../src-shared/ipc/app-view'
import { GuideProgress, notBegun } from '../../src-shared/ipc/guide-view'
import type { ExportFile } from '../../src-shared/ipc/receiving-history-view'
import type { AppError } from '../../src-shared/errors'
import type { DeliveryId, OperationId } from '../../src-shared/ids'
import type { DeliveryReport, ManyDone } from '../../src-shared/ipc/delivery-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { Checkout } from '../checkout/checkout'
import type { Verifying } from '../checkout/verify-day'
import type { Collections } from '../collections/collections'
import type { Find } from '../find/find'
import type { Pictures } from '../media/pictures'
import type { Sender } from '../outbox/sender'
import type { Limits } from '../outbox/views'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import type { Training } from '../practice/training'
import type { Customers } from '../privacy/customers'
import type { Counts } from '../receiving/counts'
import type { Deliveries } from '../receiving/deliveries'
import type { ReceivingHistory } from '../receiving/history'
import type { Importing } from '../receiving/importing'
import type { Pos } from '../receiving/pos'
import type { Receiving } from '../receiving/receiving'
import type { KnownCodes } from '../scanner/known-codes'
import type { ScannerSource } from '../scanner/hid'
import type { ScanHub } from '../scanner/hub'
import type { ScanJournal } from '../scanner/scan-journal'
import { saved } from '../store/saved'
import type { Settings } from '../store/settings'
import type { CoreHandlers } from './handlers'

export interface TableParts {
  status: () => AppStatus
  scanHub: ScanHub
  scanners: Pick<ScannerSource, 'view' | 'look'>
  codes: KnownCodes
  scanJournal: Pick<ScanJournal, 'recent'>
  receiving: Receiving
  importing: Importing
  deliveries: Deliveries
  undo: (operationId: OperationId) => Promise<Result<OperationView, AppError>>
  undoDelivery: (id: DeliveryId) => Promise<Result<ManyDone, AppError>>
  deliveryReport: (id: DeliveryId) => Promise<Result<DeliveryReport, AppError>>
  pos: Pos
  counts: Counts
  history: ReceivingHistory
  checkout: Checkout
  verifying: Verifying
  collections: Collections
  find: Find
  outbox: Outbox
  exportOutbox: () => ExportFile
  viewOperation: (operation: Operation) => OperationView
  sender: Pick<Sender, 'wake' | 'sendNow'>
  limits: Limits
  settings: Pick<Settings, 'read' | 'write'>
  /** What the bar shows may have changed. */
  statusChanged: () => void
  /** A person has taken note of the salvage report. Throws when the disk refuses. */
  acknowledgeSalvage: () => void
  pictures: Pictures
  customers: Customers
  /** Only in the practice profile. */
  training: Training | undefined
}

/** Operations that a list shows: nobody reads more, and 100,000 may wait. */
const longestList = 300

/** Which part answers which call. No rules in here. */
export function createHandlers(parts: TableParts): CoreHandlers {
  const { receiving, importing, deliveries, pos, counts, history, checkout, outbox, scanHub, training, viewOperation } =
    parts
  const done = ok(null)
  const noTraining: Result<never, AppError> = err({ code: 'practice/not-active' })
  const changedSetting = (change: () => void) =>
    saved(() => {
      change()
      parts.statusChanged()
      return done
    })
  const stepped = (step: Result<Operation, AppError>) => {
    parts.sender.wake()
    return step.ok ? ok(viewOperation(step.value)) : step
  }

  return {
    'app.status': () => ok(parts.status()),
    'app.setLocale': ({ locale }) =>
      changedSetting(() => {
        parts.settings.write('locale', locale)
      }),

    'scanner.setPlace': ({ place }) => {
      scanHub.setPlace(place)
      return done
    },
    'scanner.submit': ({ text, source, troubles }) => {
      scanHub.submit(text, source, troubles ? { troubles } : {})
      return done
    },
    'scanner.scanners': () => ok(parts.scanners.view()),
    'scanner.look': () => {
      parts.scanners.look()
      return done
    },
    'scanner.recent': ({ before }) => ok(parts.scanJournal.recent(before)),
    'scanner.settings': () => ok(parts.codes.settings()),
    'scanner.known': () => ok(parts.codes.known()),
    'scanner.setSettings': (settings) => changedSetting(() => parts.codes.set(settings)),

    'receiving.package': ({ packageUid }) => receiving.package(packageUid),
    'receiving.case': ({ identifier }) => receiving.case(identifier),
    'receiving.import': (form) => importing.import(form),
    'receiving.importBlind': (form) => importing.importBlind(form),
    'receiving.importMany': ({ imports }) => importing.importMany(imports),
    'receiving.undo': ({ operationId }) => parts.undo(operationId),

    'receiving.delivery': async () => ok(await deliveries.view()),
    'receiving.addPackage': ({ packageUid }) => deliveries.addPackage(packageUid),
    'receiving.addCase': ({ identifier }) => deliveries.addCase(identifier),
    'receiving.refresh': () => {
      deliveries.refresh()
      return done
    },
    'receiving.dropPackage': ({ packageUid }) => deliveries.dropPackage(packageUid),
    'receiving.dropCase': ({ caseId }) => deliveries.dropCase(caseId),
    'receiving.finishDelivery': ({ deliveryId }) => deliveries.finish(deliveryId),
    'receiving.undoDelivery': ({ deliveryId }) => parts.undoDelivery(deliveryId),
    'receiving.deliveries': () => ok(deliveries.list()),
    'receiving.report': ({ deliveryId }) => parts.deliveryReport(deliveryId),

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

    'checkout.cart': ({ mode }) => ok(checkout.cart(mode)),
    'checkout.setOrder': ({ mode, orderId }) => checkout.setOrder(mode, orderId),
    'checkout.addItem': ({ mode, tagId }) => checkout.addItem(mode, tagId),
    'checkout.removeItem': ({ mode, tagId }) => checkout.removeItem(mode, tagId),
    'checkout.clear': ({ mode, revision }) => checkout.clear(mode, revision),
    'checkout.finish': ({ mode, ...seen }) => checkout.finish(mode, seen),
    'checkout.reopen': ({ operationId }) => checkout.reopen(operationId),
    'checkout.order': ({ orderId }) => ok(checkout.order(orderId)),
    'checkout.void': ({ orderId, note }) => checkout.void(orderId, note),
    'checkout.setBudtender': ({ mode, budtenderId }) => checkout.setBudtender(mode, budtenderId),
    'checkout.setCustomer': ({ mode, customerId }) => checkout.setCustomer(mode, customerId),
    'checkout.setExpected': ({ mode, key, expected }) => checkout.setExpected(mode, key, expected),
    'checkout.hold': ({ revision }) => checkout.hold(revision),
    'checkout.held': () => ok(checkout.held()),
    'checkout.resume': ({ heldId }) => checkout.resume(heldId),
    'checkout.dropHeld': ({ heldId }) => checkout.dropHeld(heldId),
    'checkout.settings': () => ok(checkout.settings()),
    'checkout.setSettings': (settings) => checkout.setSettings(settings),
    'checkout.amend': ({ operationId, without }) => checkout.amend(operationId, without),
    'checkout.orderOfItem': ({ tagId }) => checkout.orderOfItem(tagId),
    'checkout.orders': ({ filter, before }) => ok(checkout.orders(filter, before)),
    'checkout.day': ({ day }) => ok(checkout.day(day)),
    'checkout.exportDay': ({ day }) => ok(checkout.exportDay(day)),
    'checkout.verifyDay': ({ day }) => parts.verifying.verify(day),
    'checkout.stopVerifying': () => parts.verifying.pause(),
    'outbox.export': () => ok(parts.exportOutbox()),

    'outbox.list': ({ show }) => {
      const { read } = outbox
      const operations = read[show](longestList)
      const { unsent, attention } = read.counts()
      const total = { waiting: unsent, attention, recent: operations.length }[show]
      return ok({ operations: operations.map(viewOperation), total })
    },
    'outbox.journal': ({ operationId }) => outbox.journalOf(operationId),
    'outbox.limits': () => ok(parts.limits.view()),
    'outbox.setLimits': (limits) =>
      changedSetting(() => {
        parts.limits.set(limits)
      }),
    'outbox.retry': ({ operationId }) => stepped(outbox.retry(operationId)),
    'outbox.confirm': ({ operationId, reason }) => stepped(outbox.confirm(operationId, reason || undefined)),
    'outbox.withdraw': ({ operationId }) => stepped(outbox.withdraw(operationId)),
    'outbox.dismiss': ({ operationId, reason }) => stepped(outbox.dismiss(operationId, reason)),
    'outbox.sendNow': () => {
      return saved(() => {
        parts.sender.sendNow()
        return done
      })
    },

    'store.acknowledgeSalvage': () => changedSetting(parts.acknowledgeSalvage),

    'media.picture': async ({ url }) => ok({ dataUrl: await parts.pictures.get(url) }),

    'find.search': ({ text }) => parts.find.search(text),
    'find.thing': (ref) => parts.find.thing(ref),
    'find.recent': () => ok(parts.find.recent()),
    'find.known': ({ tagId }) => ok(parts.find.known(tagId)),
    'find.removed': ({ type }) => parts.find.removed(type),

    'customer.export': ({ customerId }) => parts.customers.export(customerId),
    'customer.erase': ({ customerId }) => parts.customers.erase(customerId),

    'collection.remove': ({ collectionId }) => parts.collections.remove(collectionId),
    'collection.restore': ({ collectionId }) => parts.collections.restore(collectionId),
    'collection.removeItem': ({ collectionId, tagId }) => parts.collections.removeItem(collectionId, tagId),
    'collection.restoreItem': ({ collectionId, tagId }) => parts.collections.restoreItem(collectionId, tagId),
    'collection.addItems': ({ caseId, tagIds }) => parts.collections.addItems(caseId, tagIds),
    'collection.addCase': (request) => parts.collections.addCase(request),

    'practice.codes': () => (training ? ok(training.codes) : noTraining),
    'practice.fault': () => (training ? ok({ fault: training.fault() }) : noTraining),
    'practice.setFault': async ({ fault }) => {
      if (!training) return noTraining
      await training.setFault(fault)
      return done
    },
    'practice.guide': () =>
      training ? ok(parts.settings.read('practice.guide', GuideProgress) ?? notBegun) : noTraining,
    'practice.setGuide': (progress) =>
      training
        ? saved(() => {
            parts.settings.write('practice.guide', progress)
            return done
          })
        : noTraining,
  }
}
