import { z } from 'zod'
import { createServiceClock, longestOffset } from '../core/clock'
import type { Credentials } from '../credentials/store'
import { createLookup } from '../memory/lookup'
import { Memory } from '../memory/store'
import { originsOf } from '../credentials/profile'
import { createKnownCodes } from '../scanner/known-codes'
import { createServiceClient } from '../service/client'
import { createConnection, createProbe } from '../service/connection'
import { Outages } from '../service/outages'
import { createHttp } from '../service/http'
import { secretsOfProxy } from '../service/routes'
import { createSystemProxy, type ResolveProxy } from '../service/system-proxy'
import { createTokens } from '../service/tokens'
import type { CoreContext } from './context'

export type Network = ReturnType<typeof createNetwork>

/**
 * The service's client, its clock, and the state of the connection. `resolveProxy` asks the operating system for its proxy; if
 * omitted, only the environment can name one.
 */
export function createNetwork(
  { db, profile, clock, pastClock, log, settings, secrets, events }: CoreContext,
  credentials: Credentials,
  resolveProxy?: ResolveProxy,
) {
  for (const secret of secretsOfProxy()) secrets.add(secret)
  const serviceClock = createServiceClock({
    offset: settings.read('clock.offset', z.number().int().min(-longestOffset).max(longestOffset)),
    onChange(offset) {
      settings.keep('clock.offset', offset)
      events.emit('connection.changed', null)
    },
    station: clock,
    onAnswer() {
      events.emit('service.answered', null)
    },
  })
  const http = createHttp({
    origins: originsOf(profile),
    clockOrigin: new URL(profile.baseUrl).origin,
    clock,
    serviceClock,
    secrets,
    caFile: profile.caFile,
    systemProxy: resolveProxy && createSystemProxy({ resolve: resolveProxy, log }),
  })
  const tokens = createTokens({ profile, credentials, http, clock, secrets })
  // By the computer's clock and all that is added to it: how far that is ahead of a steady clock says whether it was set.
  const outages = new Outages(
    { db, clock: { now: () => clock.shown() }, log },
    { offset: () => serviceClock.offset() + clock.lead() },
    pastClock,
  )
  const connection = createConnection({
    clock,
    onChange(change) {
      log.info('connection', { ...change })
      events.emit('connection.changed', null)
    },
    onTrouble(trouble) {
      if (trouble === null) outages.answered()
      else outages.trouble(trouble)
    },
    onAnswering() {
      events.emit('service.back', null)
    },
    onRecovery(outageMs) {
      events.emit('service.recovered', { outageMs })
    },
    log,
  })
  const client = createServiceClient(profile, { http, tokens, clock, onAsk: (isUpload) => connection.asked(isUpload) })
  const probe = createProbe(connection, client.v12, log, () => events.isHeard())
  return { serviceClock, http, tokens, connection, outages, probe, ...client }
}

export type LookupParts = ReturnType<typeof createLookupParts>

/** Looks up cases and items by scanned code, from the service or from what this station remembers. */
export function createLookupParts({ db, settings, events, clock, log }: CoreContext, { v12 }: Network) {
  const seen = new Memory(db)
  const codes = createKnownCodes(settings, (known) => {
    events.emit('scanner.known', known)
  })
  const lookup = createLookup({ db, clock, log }, v12, seen, codes)
  return { seen, codes, lookup }
}
