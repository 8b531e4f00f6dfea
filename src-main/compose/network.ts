import { z } from 'zod'
import { createServiceClock, longestOffset } from '../clock'
import type { Credentials } from '../credentials/store'
import { type ConnectionParts, createConnection, createProbe } from '../service-client/connection'
import { originsOf } from '../profile'
import { createServiceClient } from '../service-client/client'
import { secretsOfProxy } from '../service-client/routes'
import { createHttp } from '../service-client/http'
import { type ResolveProxy, createSystemProxy } from '../service-client/system-proxy'
import { createTokens } from '../service-client/tokens'
import type { Ground } from './ground'

interface NetworkParts extends Pick<ConnectionParts, 'onAnswering' | 'onRecovery'> {
  credentials: Credentials
  /** Asks the operating system for its proxy; left out, only the environment names one. */
  resolveProxy?: ResolveProxy | undefined
  /** What the bar shows of the connection or the service's clock may have changed. */
  onChange: () => void
}

export type Network = ReturnType<typeof joinNetwork>

/** The service: how it is asked, what time it has, and whether it answers. */
export function joinNetwork({ profile, clock, log, settings, secrets }: Ground, parts: NetworkParts) {
  for (const secret of secretsOfProxy()) secrets.add(secret)
  const serviceClock = createServiceClock({
    offset: settings.read('clock.offset', z.number().int().min(-longestOffset).max(longestOffset)),
    onChange(offset) {
      settings.keep('clock.offset', offset)
      parts.onChange()
    },
  })
  const http = createHttp({
    origins: originsOf(profile),
    clockOrigin: new URL(profile.baseUrl).origin,
    clock,
    serviceClock,
    secrets,
    caFile: profile.caFile,
    systemProxy: parts.resolveProxy && createSystemProxy({ resolve: parts.resolveProxy, log }),
  })
  const tokens = createTokens({ profile, credentials: parts.credentials, http, clock, secrets })
  const connection = createConnection({
    clock,
    onChange(change) {
      log.info('connection', { ...change })
      parts.onChange()
    },
    onAnswering: parts.onAnswering,
    onRecovery: parts.onRecovery,
    log,
  })
  const client = createServiceClient({ profile, http, tokens, clock, onReply: (reply) => connection.note(reply) })
  const probe = createProbe({ connection, client: client.v12, log })
  return { serviceClock, http, tokens, connection, probe, ...client }
}
