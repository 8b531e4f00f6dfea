import { createSeal } from '../privacy/seal'
import { createPictures } from '../memory/pictures'
import { type Credentials } from '../credentials/store'
import { createGates, usualGateRules } from '../security/gates'
import { InUse } from '../database/in-use'
import { createCheckoutParts } from './checkout'
import type { CoreContext } from './context'
import { createFindParts } from './find'
import { createHubParts } from './hub'
import { createLookupParts, createNetwork } from './network'
import { createOutboxParts } from './outbox'
import { createReceivingParts } from './receiving'
import { createScannersParts } from './scanners'
import { sharedSettings } from './shared-settings'
import { createStockParts } from './stock'
import type { Surroundings } from './surroundings'
import { createUpkeep } from './upkeep'

export type Parts = ReturnType<typeof joinParts>

/** Makes the parts of every area, each with what it needs of the others. Nothing is started. */
export function joinParts(context: CoreContext, credentials: Credentials, surroundings: Surroundings) {
  const { db, folder, events, profile, clock, log } = context
  const network = createNetwork(context, { credentials, resolveProxy: surroundings.resolveProxy })
  const lookingUp = createLookupParts(context, network)
  const gates = createGates(surroundings.gateRules ?? usualGateRules)
  const sending = createOutboxParts(context, { network, seen: lookingUp.seen, gates })
  const { outbox, sender, limits } = sending
  const receiving = createReceivingParts(context, network, lookingUp, sending, gates)
  const storeHub = createHubParts(context, {
    productName: (tagId) => lookingUp.lookup.cached(tagId)?.productName ?? null,
    isSold: async (tagId) => {
      const found = await lookingUp.lookup.tag(tagId)
      if (found.ok) return found.value.soldOn !== null
      return found.error.code === 'service/not-found' ? false : undefined
    },
    letGo: (tagId) => checkout.holding.letGo(tagId),
    loseHeld: async () => checkout.shared?.loseResumed(),
    storeSeal: async () => {
      const key = (await surroundings.hub?.secret())?.storeKey
      return key === undefined ? null : createSeal([Buffer.from(key, 'base64')])
    },
    heartbeat: () => {
      const { unsent, attention, clockOffset } = upkeep.status.view()
      const { problem, devices } = scanning.scanners.view()
      const hasScannerTrouble = problem !== null || devices.some((one) => one.problem !== null)
      const untold = checkout.storeDays?.untold() ?? 0
      const ofReceiving = receiving.store.pending()
      const scansUntold = ofReceiving.scansUntold + stock.store.scansUntold()
      const manifestOf = receiving.store.manifestOf()
      const ofCounter = { unsent, attention, clockOffset, hasScannerTrouble, untold }
      return { ...ofCounter, ...ofReceiving, scansUntold, manifestOf, isOff: false }
    },
    shared: sharedSettings(context, { gateLevels: surroundings.gateLevels, limits, checkout: () => checkout }),
  })
  const counter = createCheckoutParts(context, network, lookingUp, sending, gates, {
    sharing: storeHub.sharing,
    catalogue: receiving.catalogue,
    patience: surroundings.lookupPatience,
  })
  const { checkout } = counter
  const finding = createFindParts(context, network, lookingUp, sending, gates, checkout.verdicts)
  const stock = createStockParts(context, network, lookingUp, gates)
  const scanning = createScannersParts(context, lookingUp, surroundings.scanners, surroundings.onJoinCode)
  const upkeep = createUpkeep(context, { network, outbox, sender, limits, version: surroundings.version })
  // Practice may be thrown away.
  const inUse =
    surroundings.realProfile && new InUse({ db, events, folder, counts: () => outbox.read.counts(), clock, log })
  const pictures = createPictures(network.http, clock, profile.kind === 'practice')
  return { network, sending, receiving, storeHub, counter, finding, stock, scanning, upkeep, inUse, pictures }
}
