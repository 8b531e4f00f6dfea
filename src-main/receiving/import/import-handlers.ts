import type { HandlersOf } from '../../ipc/handlers'
import type { Gates } from '../../security/gates'
import { type CaseViews, createReceiving } from '../delivery/case-views'
import type { Delivery } from '../delivery/delivery'
import type { ReceivingContext } from '../receiving-context'
import type { Importing } from './importing'
import { createUndo, createUndoDelivery } from './undo'

/** Calls that look up what came, import it, and take imports back. */
export function importHandlers(
  context: ReceivingContext,
  gates: Gates,
  views: CaseViews,
  importing: Importing,
  delivery: Delivery,
) {
  const { events, outbox, reporting } = context
  const receiving = createReceiving(context, views)
  const undo = createUndo(outbox)
  const undoDelivery = createUndoDelivery(context, undo)
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
    'receiving.import': ({ approval, ...form }) =>
      gates.pass(importing.gateOf([form]), approval, (because) => announced(importing.import(form, because))),
    'receiving.importBlind': ({ approval, ...form }) =>
      gates.pass(importing.gateOfBlind(form), approval, (because) => announced(importing.importBlind(form, because))),
    'receiving.importMany': ({ imports, approval }) =>
      gates.pass(importing.gateOf(imports), approval, (because) => announced(importing.importMany(imports, because))),
    'receiving.undo': ({ operationId, approval }) =>
      gates.pass(undo.gateOf(operationId), approval, (because) =>
        announced(reporting.report(undo.undo(operationId, because))),
      ),
    'receiving.undoDelivery': ({ deliveryId, approval }) => {
      const question = undoDelivery.gateOf(deliveryId)
      return gates.pass(question, approval, (because) =>
        announced(undoDelivery.undo(deliveryId, question !== null, because)),
      )
    },
  } satisfies Partial<HandlersOf<'receiving'>>
}
