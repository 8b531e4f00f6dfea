import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, ok } from '../../src-shared/result'
import type { Connection } from '../service/connection'
import type { Operation } from './operation'
import type { Outbox } from './outbox'
import type { OutboxContext } from './outbox-context'
import type { Sender } from './sender'
import { viewOperation } from './views'

export type Reporting = Omit<ReturnType<typeof createReporting>, 'stop'>

/** A screen's message must be visible within 2 s. */
const usualPatience = 1_800

/**
 * Sends a saved operation on behalf of a screen, which waits a moment for its outcome. `patience`: how long, in ms; tests wait
 * longer, for a busy machine.
 */
export function createReporting(
  { events, clock }: Pick<OutboxContext, 'events' | 'clock'>,
  outbox: Outbox,
  sender: Pick<Sender, 'wake' | 'isHeldUp'>,
  connection: Pick<Connection, 'view'>,
  patience = usualPatience,
) {
  const waiting = new Set<() => void>()
  let isStopped = false
  const view = (operation: Operation): OperationView => viewOperation(operation, outbox, clock)

  /** Whether there is still something to wait for. */
  const isUnderWay = ({ state, faults, blockers }: Operation) => {
    if (state === 'sending') return true
    // A blocked operation can only be quick while the service answers.
    if (state !== 'queued' || faults > 0 || sender.isHeldUp()) return false
    return blockers === 0 || connection.view().state === 'online'
  }

  /** The operation once there is nothing to wait for, or after the patience of a screen. */
  const once = (operation: Operation, isOver: (one: Operation) => boolean) =>
    new Promise<Operation>((resolve) => {
      if (isStopped || isOver(operation)) {
        resolve(operation)
        return
      }
      let latest = operation
      const finish = () => {
        clearTimeout(timer)
        stop()
        waiting.delete(finish)
        resolve(latest)
      }
      const timer = setTimeout(finish, patience)
      const stop = events.on('operation.changed', 'outbox/reporting.ts', (changed) => {
        if (changed.id !== operation.id) return
        latest = changed
        if (isOver(changed)) finish()
      })
      waiting.add(finish)
    })

  events.on('operation.changed', 'outbox/reporting.ts', (operation) => {
    events.emit('outbox.changed', view(operation))
  })

  return {
    view,
    /** Whether an outcome is to be expected soon. */
    isUnderWay,
    /** Sends a saved operation and returns its view at once. */
    send(operation: Operation): OperationView {
      sender.wake()
      return view(operation)
    },
    /**
     * Sends a saved operation and returns its view once it is finished or rejected, once an attempt of it failed, or after
     * 1.8 s: then it is "saved, will be sent".
     */
    async report<E extends AppError>(saved: Result<Operation, E>): Promise<Result<OperationView, E>> {
      if (!saved.ok) return saved
      sender.wake()
      return ok(view(await once(saved.value, (one) => !isUnderWay(one))))
    },
    /** Waits, 1.8 s at most, until an operation isn't on the wire: only its answer says whether it can be withdrawn. */
    async offWire(id: OperationId): Promise<void> {
      const operation = outbox.read.byId(id)
      if (operation) await once(operation, ({ state }) => state !== 'sending')
    },
    /** Answers all that still wait, while the outbox can be read. */
    stop(): void {
      isStopped = true
      for (const finish of [...waiting]) finish()
    },
  }
}
