import { createEntries } from '../checkout/entries'
import { createHistory } from '../checkout/history'
import { createReadBackPlan } from '../checkout/readback-plan'
import { createReadBackRows } from '../checkout/readback-rows'
import { createVerifying } from '../checkout/verify-day'
import { createIdleVerifying } from '../checkout/verify-when-idle'
import type { Ground } from './ground'
import type { LookingUp } from './lookup'
import type { Network } from './network'
import type { Sending } from './outbox'

/** Days that are read back from the service: when a person asks for it, and by itself. */
export function joinVerifying(
  { db, events, clock, log }: Ground,
  { serviceClock, connection, v12 }: Network,
  { lookup }: LookingUp,
  { outbox }: Sending,
) {
  const rows = createReadBackRows(db)
  const verifying = createVerifying({
    rows,
    plan: createReadBackPlan({ entries: createEntries(db), history: createHistory(outbox), outbox, serviceClock }),
    client: v12,
    outbox,
    connection,
    productName: (tagId) => lookup.remembered(tagId)?.productName ?? null,
    clock,
    serviceClock,
    log,
    onChange: (view) => events.emit('checkout.verification', view),
  })
  const idle = createIdleVerifying({ rows, verifying, outbox, connection, clock, serviceClock, log })
  return {
    verifying,
    start() {
      verifying.start()
      idle.start()
    },
    /** Resolves once nothing is read any more. */
    async stop() {
      idle.stop()
      await verifying.stop()
    },
  }
}
