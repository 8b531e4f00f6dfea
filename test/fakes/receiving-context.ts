import pLimit from 'p-limit'
import { silentLog } from '../../src-main/core/log'
import { createSettings } from '../../src-main/database/settings'
import { alone } from '../../src-main/hub/alone'
import { Memory } from '../../src-main/memory/store'
import type { Operation } from '../../src-main/outbox/operation'
import { viewOperation } from '../../src-main/outbox/views'
import { DeliveryRows } from '../../src-main/receiving/delivery/delivery-rows'
import { UnreadCases } from '../../src-main/receiving/delivery/unread-cases'
import type { ReceivingContext } from '../../src-main/receiving/receiving-context'
import { err, ok } from '../../src-shared/result'

/** The context of receiving at a station alone: nothing is looked up, and a report is answered at once. */
export function receivingContext(
  parts: Pick<ReceivingContext, 'db' | 'events' | 'outbox' | 'clock'> & Partial<ReceivingContext>,
): ReceivingContext {
  const { db, outbox, clock } = parts
  const noAnswer = () => Promise.resolve(err({ code: 'service/unreachable' as const }))
  const view = (operation: Operation) => viewOperation(operation, outbox, clock)
  const settings = createSettings(db, silentLog)
  return {
    settings,
    profile: { name: 'Green Door', dispensaryId: null },
    hub: alone,
    serviceClock: { offset: () => 0 },
    seen: new Memory(db),
    lookup: { case: noAnswer, package: noAnswer, tag: noAnswer, cached: () => undefined },
    reporting: { view, report: (saved) => Promise.resolve(saved.ok ? ok(view(saved.value)) : saved) },
    sender: { wake: () => undefined },
    deliveries: new DeliveryRows(db),
    unread: new UnreadCases(settings),
    limit: pLimit(8),
    atStep: () => undefined,
    log: silentLog,
    ...parts,
  }
}
