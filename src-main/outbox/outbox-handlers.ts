import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { CallRequest } from '../../src-shared/ipc/contract'
import type { ManyDone, OperationView, OutboxExport } from '../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../src-shared/result'
import type { MainEvents } from '../core/events'
import { saved } from '../database/saved'
import type { HandlersOf } from '../ipc/handlers'
import type { Gates } from '../security/gates'
import { type Groups, stepMany } from './groups'
import type { Operation } from './operation'
import type { OutageLedger } from './outage-ledger'
import type { Outbox } from './outbox'
import type { Reporting } from './reporting'
import type { RetryGates } from './retry-gates'
import type { Sender } from './sender'
import type { Limits } from './views'

interface OutboxDesk {
  outbox: Outbox
  sender: Pick<Sender, 'wake' | 'sendNow'>
  reporting: Reporting
  groups: Groups
  ledger: OutageLedger
  limits: Limits
  gates: Gates
  retryGates: RetryGates
  events: Pick<MainEvents, 'emit'>
  exported: () => OutboxExport
  /** Asks whether the service answers, without waiting for the next time. */
  askService: () => void
}

/** Most operations in a list: a person won't read more, and 100,000 may wait. */
const longestList = 300

export const outboxHandlers = (desk: OutboxDesk): HandlersOf<'outbox'> => {
  const { outbox, sender, reporting, groups, ledger, limits, gates, retryGates } = desk
  return {
    'outbox.list': ({ show }) => list(desk, show),
    'outbox.overview': () => ok(groups.overview()),
    'outbox.journal': ({ operationId }) => outbox.journalOf(operationId),
    'outbox.export': () => ok(desk.exported()),
    'outbox.outages': (span) => ledger.list(span),
    'outbox.outage': ({ id, after }) => ledger.page(id, after),
    'outbox.exportOutages': (span) => ledger.export(span),
    'outbox.limits': () => ok(limits.view()),
    'outbox.setLimits': (wanted) =>
      saved(() => {
        limits.set(wanted)
        desk.events.emit('limits.changed', null)
        return ok(null)
      }),
    'outbox.retry': ({ operationId, approval }) =>
      gates.pass(retryGates.ofOne(operationId), approval, (because) =>
        stepped(desk, outbox.retry(operationId, because)),
      ),
    'outbox.date': ({ operationId, performedAt }) => stepped(desk, outbox.date(operationId, Date.parse(performedAt))),
    'outbox.confirm': ({ operationId, reason }) => stepped(desk, outbox.confirm(operationId, reason || undefined)),
    'outbox.withdraw': async ({ operationId }) => {
      await reporting.offWire(operationId)
      return stepped(desk, outbox.withdraw(operationId))
    },
    'outbox.dismiss': ({ operationId, reason }) => stepped(desk, outbox.dismiss(operationId, reason)),
    'outbox.retryMany': (wanted) => retryMany(desk, wanted),
    'outbox.dismissMany': ({ operationIds, reason }) =>
      steppedMany(desk, operationIds, (id) => outbox.dismiss(id, reason)),
    'outbox.sendNow': () =>
      saved(() => {
        desk.askService()
        sender.sendNow()
        return ok(null)
      }),
  }
}

function list({ outbox, reporting }: OutboxDesk, show: CallRequest<'outbox.list'>['show']) {
  const operations = outbox.read[show](longestList)
  const { unsent, attention } = outbox.read.counts()
  const total = { waiting: unsent, attention, recent: operations.length }[show]
  return ok({ operations: operations.map((one) => reporting.view(one)), total })
}

function stepped(
  { sender, reporting }: OutboxDesk,
  step: Result<Operation, AppError>,
): Result<OperationView, AppError> {
  sender.wake()
  return step.ok ? ok(reporting.view(step.value)) : step
}

async function steppedMany(
  { sender }: OutboxDesk,
  operationIds: readonly OperationId[],
  step: (id: OperationId) => Result<Operation, AppError>,
): Promise<Result<ManyDone, never>> {
  const done = await stepMany(operationIds, step)
  sender.wake()
  return ok(done)
}

/** The approval is for reports of one gate; those of another are refused, each with its own question. */
function retryMany(desk: OutboxDesk, { operationIds, approval }: CallRequest<'outbox.retryMany'>) {
  const { outbox, gates, retryGates } = desk
  const asked = retryGates.ofMany(operationIds)
  return gates.pass(asked, approval, (because) =>
    steppedMany(desk, operationIds, (id) => {
      const own = retryGates.ofOne(id)
      if (own && own.gate !== asked?.gate) return err(gates.notAsked(own))
      return outbox.retry(id, own ? because : undefined)
    }),
  )
}
