import { hostname } from 'node:os'
import { tellPagesOfCarts } from '../counter/cart-news'
import { Checkout } from '../counter/checkout'
import { counterHandlers } from '../counter/counter-handlers'
import type { DayContext } from '../day/day-context'
import { dayHandlers } from '../day/day-handlers'
import { PosDays } from '../day/pos-day'
import type { SharingParts } from '../counter/sharing'
import { Reports } from '../counter/reports'
import { Verifying } from '../day/verify-day'
import type { HandlersOf } from '../ipc/handlers'
import { isMarkedCounterfeit } from '../memory/find/tag'
import type { Pos } from '../receiving/manifest/pos'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'
import type { OutboxParts } from './outbox'

interface StoreParts {
  sharing: SharingParts | undefined
  /** The catalog of the POS, as it was loaded. */
  catalogue: Pos['catalogue']
  patience: number | undefined
}

/** Orders at the counter, and verifying them with the service. */
export function createCheckoutParts(
  context: CoreContext,
  { serviceClock, connection, v12 }: Network,
  { seen, lookup }: LookupParts,
  { outbox, reporting, ledger }: OutboxParts,
  gates: Gates,
  { sharing, catalogue, patience }: StoreParts,
) {
  const { db, settings, events, profile, seal, clock, log } = context
  const reports = new Reports({
    db,
    events,
    outbox,
    reporting,
    connection,
    clock,
    log,
  })
  tellPagesOfCarts(events)
  const checkout: Checkout = new Checkout({
    db,
    events,
    lookup,
    outbox,
    reporting,
    settings,
    clock,
    serviceClock,
    log,
    patience,
    storeName: profile.name,
    station: hostname(),
    isOutOfReach: () => connection.isOutOfReach(),
    seal,
    ownDispensaryId: profile.dispensaryId,
    isCounterfeit: (tagId) => isMarkedCounterfeit(seen, tagId),
    gates,
    claims: sharing?.claims,
    sharing,
    verification: (day) => verifying.view(day),
    outages: (from, to) => ledger.during(from, to),
  })
  const day: DayContext = {
    ...{ ...context, client: v12, connection, lookup, outbox, serviceClock, catalogue, storeDays: checkout.storeDays },
  }
  const verifying = new Verifying(day)
  const posDays = new PosDays(day)
  const handlers: HandlersOf<'checkout' | 'posDay'> = {
    ...counterHandlers({ checkout, reports, gates, lookup }),
    ...dayHandlers(checkout, verifying, posDays),
  }
  return { checkout, reports, verifying, posDays, handlers }
}
