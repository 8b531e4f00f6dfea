import { createSender } from '../outbox/sender'
import { createOutbox } from '../outbox/outbox'
import { createReporting } from '../outbox/reporting'
import type { AtStep } from '../outbox/steps'
import type { Ground } from './ground'
import type { LookingUp } from './lookup'
import type { Network } from './network'

interface OutboxParts {
  network: Network
  seen: LookingUp['seen']
  atStep: AtStep
}

export type Sending = ReturnType<typeof joinOutbox>

/** What is reported: kept, sent, and waited for. */
export function joinOutbox({ db, profile, seal, clock, log }: Ground, { network, seen, atStep }: OutboxParts) {
  const { serviceClock, connection, v12, report } = network
  const outbox = createOutbox({ db, clock, serviceClock, caseOf: (tagId) => seen.caseOf(tagId), log, atStep })
  const sender = createSender({
    outbox,
    client: { ...v12, report },
    onCase: (facts, askedAt) => seen.keepCase(facts, askedAt, clock.now()),
    caseOf: (tagId) => seen.caseOf(tagId),
    ownDispensaryId: profile.dispensaryId,
    sendsSku: profile.sendsSku,
    seal,
    clock,
    log,
    atStep,
  })
  return { outbox, sender, reporting: createReporting({ outbox, sender, clock, connection }) }
}
