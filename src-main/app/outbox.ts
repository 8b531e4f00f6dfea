import { hostname } from 'node:os'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import { certificateFaults } from '../memory/certificate'
import type { HandlersOf } from '../ipc/handlers'
import { createGroups, stepMany } from '../outbox/groups'
import { createRetryGates } from '../outbox/retry-gates'
import { Sender } from '../outbox/sender'
import { createLimits, exportOperations } from '../outbox/views'
import type { Operation } from '../outbox/operation'
import { OutageLedger } from '../outbox/outage-ledger'
import { Outbox } from '../outbox/outbox'
import { createReporting } from '../outbox/reporting'
import type { Gates } from '../security/gates'
import { saved } from '../database/saved'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'

interface OutboxInput {
  network: Network
  seen: LookupParts['seen']
  gates: Gates
}

/** Most operations in a list: a person won't read more, and 100,000 may wait. */
const longestList = 300

export type OutboxParts = ReturnType<typeof createOutboxParts>

/** The parts that store and send reports and wait for their outcomes. */
export function createOutboxParts(
  { db, events, hub, profile, settings, seal, clock, log, atStep }: CoreContext,
  { network, seen, gates }: OutboxInput,
) {
  const { serviceClock, connection, v12, report } = network
  const caseOf = (tagId: TagId) => seen.caseOf(tagId)
  const productOf = (tagId: TagId) => seen.tag(tagId)?.value.productName ?? null
  const outbox = new Outbox({ db, events, clock, station: clock, serviceClock, caseOf, productOf, log, atStep })
  const sender = new Sender({
    outbox,
    client: { ...v12, report },
    onCase: (facts, askedAt) => seen.keepCase(facts, askedAt, clock.now()),
    caseOf,
    ownDispensaryId: profile.dispensaryId,
    sendsSku: profile.sendsSku,
    askTime: network.probe.ask,
    seal,
    clock,
    serviceClock,
    log,
    atStep,
  })
  const reporting = createReporting({ outbox, events, sender, clock, connection })
  /** After each answer, and now and then: the clock may have been set. */
  const correctTimes = () => {
    if (outbox.correctTimes()) sender.wake()
  }
  events.on('service.answered', 'app/outbox.ts', correctTimes)
  events.on('service.back', 'app/outbox.ts', () => {
    sender.answering()
  })
  events.on('service.recovered', 'app/outbox.ts', ({ outageMs }) => {
    sender.recovered(outageMs)
  })
  const limits = createLimits({ settings, clock })
  const ledger = new OutageLedger({
    ...{ db, clock, serviceClock, storeName: profile.name, station: hostname() },
    stationInStore: () => hub.view().station,
    momentOf: (id) => network.outages.momentOf(id),
  })
  const groups = createGroups({ outbox, view: reporting.view, clock, serviceClock })

  const retryGates = createRetryGates({
    outbox,
    isAgainstCertificate(caseId, productId) {
      const now = clock.now() + serviceClock.offset()
      return (seen.caseInBrief(caseId)?.value.packagedProducts ?? []).some(
        ({ packagedProductId, coa }) =>
          (productId === null || packagedProductId === productId) && certificateFaults(coa, now).length > 0,
      )
    },
  })

  const stepped = (step: Result<Operation, AppError>) => {
    sender.wake()
    return step.ok ? ok(reporting.view(step.value)) : step
  }
  const steppedMany = async (...many: Parameters<typeof stepMany>) => {
    const done = await stepMany(...many)
    sender.wake()
    return ok(done)
  }
  const handlers: HandlersOf<'outbox'> = {
    'outbox.list': ({ show }) => {
      const operations = outbox.read[show](longestList)
      const { unsent, attention } = outbox.read.counts()
      const total = { waiting: unsent, attention, recent: operations.length }[show]
      return ok({ operations: operations.map(reporting.view), total })
    },
    'outbox.overview': () => ok(groups.overview()),
    'outbox.journal': ({ operationId }) => outbox.journalOf(operationId),
    'outbox.export': () => ok(exportOperations(db, clock)),
    'outbox.outages': (span) => ledger.list(span),
    'outbox.outage': ({ id, after }) => ledger.page(id, after),
    'outbox.exportOutages': (span) => ledger.export(span),
    'outbox.limits': () => ok(limits.view()),
    'outbox.setLimits': (wanted) =>
      saved(() => {
        limits.set(wanted)
        events.emit('limits.changed', null)
        return ok(null)
      }),
    'outbox.retry': ({ operationId, approval }) =>
      gates.pass(retryGates.ofOne(operationId), approval, (because) => stepped(outbox.retry(operationId, because))),
    'outbox.date': ({ operationId, performedAt }) => stepped(outbox.date(operationId, Date.parse(performedAt))),
    'outbox.confirm': ({ operationId, reason }) => stepped(outbox.confirm(operationId, reason || undefined)),
    'outbox.withdraw': async ({ operationId }) => {
      await reporting.offWire(operationId)
      return stepped(outbox.withdraw(operationId))
    },
    'outbox.dismiss': ({ operationId, reason }) => stepped(outbox.dismiss(operationId, reason)),
    'outbox.retryMany': ({ operationIds, approval }) => {
      const asked = retryGates.ofMany(operationIds)
      return gates.pass(asked, approval, (because) =>
        steppedMany(operationIds, (id) => {
          const own = retryGates.ofOne(id)
          if (own && own.gate !== asked?.gate) return err(gates.notAsked(own))
          return outbox.retry(id, own ? because : undefined)
        }),
      )
    },
    'outbox.dismissMany': ({ operationIds, reason }) => steppedMany(operationIds, (id) => outbox.dismiss(id, reason)),
    'outbox.sendNow': () =>
      saved(() => {
        network.askNow()
        sender.sendNow()
        return ok(null)
      }),
  }
  return { outbox, sender, reporting, limits, ledger, correctTimes, handlers }
}
