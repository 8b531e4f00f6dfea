import type { AppStatus, Locale } from '../../src-shared/ipc/app-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import type { Checkout } from '../checkout/checkout'
import type { Pictures } from '../media/pictures'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import type { Training } from '../practice/training'
import type { Receiving } from '../receiving/receiving'
import type { ScanHub } from '../scanner/hub'
import type { Handlers } from './handlers'

export interface TableParts {
  status: () => AppStatus
  /** Errors: store/not-saved. */
  setLocale: (locale: Locale) => Result<null, AppError>
  scanHub: ScanHub
  receiving: Receiving
  checkout: Checkout
  outbox: Outbox
  viewOperation: (operation: Operation) => OperationView
  /** Looks for work in the outbox now. */
  wake: () => void
  pictures: Pictures
  /** Only in the practice profile. */
  training: Training | undefined
}

/** Operations that "recent" shows. */
const recentCount = 200

/** Which part answers which call. No rules in here. */
export function createHandlers(parts: TableParts): Handlers {
  const { receiving, checkout, outbox, scanHub, training, viewOperation } = parts
  const done = ok(null)
  const noTraining: Result<never, AppError> = err({ code: 'practice/not-active' })
  const stepped = (step: Result<Operation, AppError>) => {
    parts.wake()
    return step.ok ? ok(viewOperation(step.value)) : step
  }

  return {
    'app.status': () => ok(parts.status()),
    'app.setLocale': ({ locale }) => parts.setLocale(locale),

    'scanner.setPlace': ({ place }) => {
      scanHub.setPlace(place)
      return done
    },
    'scanner.submit': ({ text, source }) => {
      scanHub.submit(text, source)
      return done
    },

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
      const operations =
        show === 'recent' ? read.recent(recentCount) : show === 'open' ? read.open() : read.inState('rejected')
      return ok(operations.map(viewOperation))
    },
    'outbox.retry': ({ operationId }) => stepped(outbox.retry(operationId)),
    'outbox.withdraw': ({ operationId }) => stepped(outbox.withdraw(operationId)),
    'outbox.dismiss': ({ operationId, reason }) => stepped(outbox.dismiss(operationId, reason)),
    'outbox.sendNow': () => {
      outbox.dueNow()
      parts.wake()
      return done
    },

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
