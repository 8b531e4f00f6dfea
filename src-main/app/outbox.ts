import { nowByService } from '../core/clock'
import { hostname } from 'node:os'
import type { TagId } from '../../src-shared/ids'
import { certificateFaults } from '../memory/certificate'
import { Groups } from '../outbox/groups'
import { RetryGates } from '../outbox/retry-gates'
import { Sender } from '../outbox/sender'
import { createLimits, exportOperations } from '../outbox/views'
import { OutageLedger } from '../outbox/outage-ledger'
import { Outbox } from '../outbox/outbox'
import { outboxHandlers } from '../outbox/outbox-handlers'
import { createReporting } from '../outbox/reporting'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'

interface OutboxInput {
  network: Network
  seen: LookupParts['seen']
  gates: Gates
}

export type OutboxParts = ReturnType<typeof createOutboxParts>

/** The parts that store and send reports and wait for their outcomes. */
export function createOutboxParts(
  { db, events, hub, profile, settings, seal, clock, log, atStep }: CoreContext,
  { network, seen, gates }: OutboxInput,
) {
  const { serviceClock, connection, v12, report } = network
  const caseOf = (tagId: TagId) => seen.caseOf(tagId)
  const productOf = (tagId: TagId) => seen.tag(tagId)?.value.productName ?? null
  const outbox = new Outbox({ db, events, clock, stationClock: clock, serviceClock, caseOf, productOf, log, atStep })
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
  const reporting = createReporting({ events, clock }, outbox, sender, connection)
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
  const groups = new Groups({ clock, serviceClock }, outbox, reporting.view)

  const retryGates = new RetryGates(outbox, (caseId, productId) => {
    const now = nowByService({ clock, serviceClock })
    return (seen.caseInBrief(caseId)?.value.packagedProducts ?? []).some(
      ({ packagedProductId, coa }) =>
        (productId === null || packagedProductId === productId) && certificateFaults(coa, now).length > 0,
    )
  })

  const handlers = outboxHandlers({
    ...{ outbox, sender, reporting, groups, ledger, limits, gates, retryGates, events },
    exported: () => exportOperations(db, clock),
    askService: () => {
      network.askNow()
    },
  })
  return { outbox, sender, reporting, limits, ledger, correctTimes, handlers }
}
