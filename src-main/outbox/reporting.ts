import type { AppError } from '../../src-shared/errors'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, ok } from '../../src-shared/result'
import type { Clock } from '../clock'
import type { Connection } from '../service-client/connection'
import type { Drain } from './drain'
import type { Operation } from './operation'
import type { Outbox } from './outbox'
import { viewOperation } from './views'

/** What the use cases need of the outbox: hand an operation in, and hear how far it got. */
export interface Reporting {
  view: (operation: Operation) => OperationView
  /**
   * Sends a saved operation and gives its view once it is out of the way (accepted, rejected, cancelled), once an attempt
   * of it failed, or after 2 s: then it is "saved, will be sent".
   */
  report: (saved: Result<Operation, AppError>) => Promise<Result<OperationView, AppError>>
}

/** As it was made: whoever closes the app ends it. */
export interface OpenReporting extends Reporting {
  /** Whoever still waits is told how far it got, while that can be read. */
  stop: () => void
}

export interface ReportingParts {
  outbox: Outbox
  drain: Pick<Drain, 'wake' | 'isHeldUp'>
  clock: Clock
  connection: Pick<Connection, 'view'>
}

/** How long a screen waits for the service, in ms: so much less than 2 s that what it says then is seen within them. */
const patience = 1_800

export function createReporting({ outbox, drain, clock, connection }: ReportingParts): OpenReporting {
  const waiting = new Set<() => void>()
  let isStopped = false
  const view = (operation: Operation) => viewOperation(operation, outbox, clock)

  /** Whether there is still something to wait for. */
  const isUnderWay = ({ state, faults, blockers }: Operation) => {
    if (state === 'sending') return true
    // Behind others, an operation can only be quick while the service answers.
    if (state !== 'queued' || faults > 0 || drain.isHeldUp()) return false
    return blockers === 0 || connection.view().state === 'online'
  }

  const settled = (operation: Operation) =>
    new Promise<Operation>((resolve) => {
      if (isStopped || !isUnderWay(operation)) {
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
      const stop = outbox.onChange((changed) => {
        if (changed.id !== operation.id) return
        latest = changed
        if (!isUnderWay(changed)) finish()
      })
      waiting.add(finish)
    })

  return {
    view,
    async report(saved) {
      if (!saved.ok) return saved
      drain.wake()
      return ok(view(await settled(saved.value)))
    },
    stop() {
      isStopped = true
      for (const finish of [...waiting]) finish()
    },
  }
}
