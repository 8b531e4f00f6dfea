import type { AppStatus } from '../../src-shared/ipc/app-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import type { Checkout } from '../checkout/checkout'
import type { Pictures } from '../media/pictures'
import type { Drain } from '../outbox/drain'
import type { Limits } from '../outbox/limits'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import type { Training } from '../practice/training'
import type { Receiving } from '../receiving/receiving'
import type { KnownCodes } from '../scanner/known-codes'
import type { ScannerSource } from '../scanner/source'
import type { ScanHub } from '../scanner/hub'
import { saved } from '../store/saved'
import type { Settings } from '../store/settings'
import type { Handlers } from './handlers'

export interface TableParts {
  status: () => AppStatus
  scanHub: ScanHub
  scanners: Pick<ScannerSource, 'view' | 'look'>
  codes: KnownCodes
  receiving: Receiving
  checkout: Checkout
  outbox: Outbox
  viewOperation: (operation: Operation) => OperationView
  drain: Pick<Drain, 'wake' | 'sendNow'>
  limits: Limits
  settings: Pick<Settings, 'write'>
  /** What the bar shows may have changed. */
  statusChanged: () => void
  /** A person has taken note of the salvage report. Throws when the disk refuses. */
  acknowledgeSalvage: () => void
  pictures: Pictures
  /** Only in the practice profile. */
  training: Training | undefined
}

/** Operations that a list shows: nobody reads more, and 100,000 may wait. */
const longestList = 300

/** Which part answers which call. No rules in here. */
export function createHandlers(parts: TableParts): Handlers {
  const { receiving, checkout, outbox, scanHub, training, viewOperation } = parts
  const done = ok(null)
  const noTraining: Result<never, AppError> = err({ code: 'practice/not-active' })
  const changedSetting = (change: () => void) =>
    saved(() => {
      change()
      parts.statusChanged()
      return done
    })
  const stepped = (step: Result<Operation, AppError>) => {
    parts.drain.wake()
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
    'scanner.settings': () => ok(parts.codes.settings()),
    'scanner.setSettings': (settings) => changedSetting(() => parts.codes.set(settings)),

    'receiving.package': ({ packageUid }) => receiving.package(packageUid),
    'receiving.case': ({ identifier }) => receiving.case(identifier),
    'receiving.import': (form) => receiving.import(form),
    'receiving.undo': ({ operationId }) => receiving.undo(operationId),

    'checkout.cart': ({ mode }) => ok(checkout.cart(mode)),
    'checkout.setOrder': ({ mode, orderId }) => checkout.setOrder(mode, orderId),
    'checkout.addItem': ({ mode, tagId }) => checkout.addItem(mode, tagId),
    'checkout.removeItem': ({ mode, tagId }) => checkout.removeItem(mode, tagId),
    'checkout.clear': ({ mode }) => checkout.clear(mode),
    'checkout.finish': ({ mode, ...seen }) => checkout.finish(mode, seen),
    'checkout.reopen': ({ operationId }) => checkout.reopen(operationId),
    'checkout.order': ({ orderId }) => ok(checkout.order(orderId)),
    'checkout.void': ({ orderId }) => checkout.void(orderId),

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
    'outbox.withdraw': ({ operationId }) => stepped(outbox.withdraw(operationId)),
    'outbox.dismiss': ({ operationId, reason }) => stepped(outbox.dismiss(operationId, reason)),
    'outbox.sendNow': () => {
      return saved(() => {
        parts.drain.sendNow()
        return done
      })
    },

    'store.acknowledgeSalvage': () => changedSetting(parts.acknowledgeSalvage),

    'media.picture': async ({ url }) => ok({ dataUrl: await parts.pictures.get(url) }),

    'practice.codes': () => (training ? ok(training.codes) : noTraining),
    'practice.fault': () => (training ? ok({ fault: training.fault() }) : noTraining),
    'practice.setFault': async ({ fault }) => {
      if (!training) return noTraining
      await training.setFault(fault)
      return done
    },
  }
}
