import { createPictures } from '../memory/pictures'
import { type Credentials } from '../credentials/store'
import { hasTrouble } from '../scanner/problems'
import { createGates, usualGateRules } from '../security/gates'
import { InUse } from '../database/in-use'
import { createCheckoutParts } from './checkout'
import type { CoreContext } from './context'
import { createFindParts } from './find'
import { createHubParts } from './hub'
import { createLookupParts, createNetwork } from './network'
import { createOutboxParts } from './outbox'
import { createPeopleParts } from './people'
import { createReceivingParts } from './receiving'
import { createScannersParts } from './scanners'
import { createStockParts } from './stock'
import type { Surroundings } from './surroundings'
import { createUpkeep } from './upkeep'

export type Parts = ReturnType<typeof joinParts>

/** Makes the parts of every area, each with what it needs of the others. Nothing is started. */
export function joinParts(context: CoreContext, credentials: Credentials, surroundings: Surroundings) {
  const { folder, profile, clock } = context
  const network = createNetwork(context, credentials, surroundings.resolveProxy)
  const lookingUp = createLookupParts(context, network)
  const people = createPeopleParts(context, lookingUp, surroundings)
  const gates = createGates(surroundings.gateRules ?? usualGateRules, people.approvers)
  const sending = createOutboxParts(context, { network, seen: lookingUp.seen, gates })
  const { outbox, limits } = sending
  const receiving = createReceivingParts(context, network, lookingUp, sending, gates)
  const heartbeat = () => {
    const { unsent, attention, clockOffset } = upkeep.status.view()
    const hasScannerTrouble = hasTrouble(scanning.scanners.view())
    const untold = checkout.storeDays?.untold() ?? 0
    const ofReceiving = receiving.store.pending()
    const scansUntold = ofReceiving.scansUntold + stock.store.scansUntold()
    const manifestOf = receiving.store.manifestOf()
    const ofCounter = { unsent, attention, clockOffset, hasScannerTrouble, untold }
    return { ...ofCounter, ...ofReceiving, scansUntold, manifestOf, isOff: false }
  }
  const storeHub = createHubParts(
    context,
    lookingUp,
    surroundings,
    { limits, rules: people.rules },
    () => checkout,
    heartbeat,
  )
  const counter = createCheckoutParts(context, network, lookingUp, sending, gates, {
    sharing: storeHub.sharing,
    catalogue: receiving.catalogue,
    patience: surroundings.lookupPatience,
    gateLevels: surroundings.gateLevels,
    personNamed: (shortName) => people.people.nameOf(shortName),
  })
  const { checkout } = counter
  const finding = createFindParts(context, network, lookingUp, sending, gates, checkout.verdicts)
  const stock = createStockParts(context, network, lookingUp, gates)
  const scanning = createScannersParts(context, lookingUp, people, surroundings)
  const upkeep = createUpkeep(context, network, sending, surroundings)
  // Practice may be thrown away.
  const inUse = surroundings.realProfile && new InUse(context, folder, () => outbox.read.counts())
  const pictures = createPictures(network.http, clock, profile.kind === 'practice')
  const ofStore = { people, receiving, storeHub, counter, finding, stock }
  return { ...ofStore, network, sending, scanning, upkeep, inUse, pictures }
}
