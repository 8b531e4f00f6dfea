import { hostname } from 'node:os'
import { tellPagesOfCarts } from '../counter/cart-news'
import { Checkout } from '../counter/checkout'
import { counterHandlers } from '../counter/counter-handlers'
import type { DayContext } from '../day/day-context'
import { dayHandlers } from '../day/day-handlers'
import { PosDays } from '../day/pos-day'
import type { CounterContext } from '../counter/counter-context'
import { usePreset } from '../counter/preset'
import { Reports } from '../counter/reports'
import { Verifying } from '../day/verify-day'
import type { HandlersOf } from '../ipc/handlers'
import { isMarkedCounterfeit } from '../memory/find/tag'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'
import type { OutboxParts } from './outbox'
import type { Surroundings } from './surroundings'

/** Orders at the counter, and verifying them with the service. */
export function createCheckoutParts(
  context: CoreContext,
  { serviceClock, connection, v12 }: Network,
  { seen, lookup }: LookupParts,
  { outbox, reporting, ledger }: OutboxParts,
  gates: Gates,
  {
    sharing,
    patience,
    catalogue,
    gateLevels,
    personNamed,
  }: Pick<CounterContext, 'sharing' | 'patience' | 'personNamed'> &
    Pick<DayContext, 'catalogue'> &
    Pick<Surroundings, 'gateLevels'>,
) {
  const { profile } = context
  const day: DayContext = { ...context, client: v12, connection, lookup, outbox, serviceClock, catalogue }
  const verifying = new Verifying(day)
  const counter: CounterContext = {
    ...{
      ...context,
      lookup,
      outbox,
      reporting,
      ledger,
      connection,
      serviceClock,
      gates,
      patience,
      sharing,
      personNamed,
    },
    storeName: profile.name,
    station: hostname(),
    ownDispensaryId: profile.dispensaryId,
    isCounterfeit: (tagId) => isMarkedCounterfeit(seen, tagId),
    verification: (of) => verifying.view(of),
  }
  const reports = new Reports(counter)
  tellPagesOfCarts(context.events)
  const checkout = new Checkout(counter)
  context.events.on('people.signed-in', 'app/checkout.ts', ({ person }) => {
    checkout.serve(person)
  })
  const posDays = new PosDays(day, checkout.storeDays)
  const handlers: HandlersOf<'checkout' | 'posDay'> = {
    ...counterHandlers(checkout, reports, gates, lookup),
    'checkout.usePreset': ({ preset }) => usePreset(checkout, gateLevels, preset),
    ...dayHandlers(checkout, verifying, posDays),
  }
  return { checkout, reports, verifying, posDays, handlers }
}
