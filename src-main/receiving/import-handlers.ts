import type { MainEvents } from '../events'
import type { HandlersOf } from '../ipc/handlers'
import type { Reporting } from '../outbox/reporting'
import type { Gates } from '../security/gates'
import type { createReceiving } from './case-views'
import type { Delivery } from './delivery'
import type { Importing } from './importing'
import type { Undo, createUndoDelivery } from './undo'

interface ImportHandlersParts {
  events: Pick<MainEvents, 'emit'>
  gates: Gates
  receiving: ReturnType<typeof createReceiving>
  importing: Importing
  delivery: Pick<Delivery, 'announceNow'>
  reporting: Pick<Reporting, 'report'>
  undo: Undo
  undoDelivery: ReturnType<typeof createUndoDelivery>
}

/** Calls that look up what came, import it, and take imports back. */
export function importHandlers(parts: ImportHandlersParts) {
  const { events, gates, receiving, importing, delivery, reporting, undo, undoDelivery } = parts
  /** Announces a command's changes to the delivery before the command is answered. */
  const announced = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const given = await answer
    events.emit('import.asked', null)
    await delivery.announceNow()
    return given
  }
  return {
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
    'receiving.undoDelivery': ({ deliveryId, permit }) => {
      const question = undoDelivery.gateOf(deliveryId)
      return gates.pass(question, permit, (because) =>
        announced(undoDelivery.undo(deliveryId, question !== null, because)),
      )
    },
  } satisfies Partial<HandlersOf<'receiving'>>
}
