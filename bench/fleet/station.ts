import { createServiceClock } from '../../src-main/core/clock'
import { inMemoryCredentials } from '../../src-main/credentials/store'
import { silentLog } from '../../src-main/core/log'
import type { Operation } from '../../src-main/outbox/operation'
import { Sender } from '../../src-main/outbox/sender'
import type { Profile } from '../../src-main/credentials/profile'
import { createServiceClient } from '../../src-main/service/client'
import { createConnection, createProbe } from '../../src-main/service/connection'
import type { Http } from '../../src-main/service/http'
import { createTokens } from '../../src-main/service/tokens'
import { saleOfTag, sales } from './day'
import { createQueue } from './queue'
import type { VirtualTime } from './time'

interface StationParts {
  time: VirtualTime
  random: () => number
  saved: readonly Operation[]
  send: Http['send']
  onSettled: (unsent: number) => void
}

const url = 'https://service.example'
const profile: Profile = {
  kind: 'test',
  name: 'fleet',
  baseUrl: url,
  authUrls: { retail: url },
  dispensaryId: null,
  sendsSku: true,
  caFile: null,
}
const credentials = inMemoryCredentials({ retail: { clientId: 'fleet', clientSecret: 'fleet' } })

/**
 * A station of the fleet: the app's own sender, pace, circuit breaker, pauses, tokens, client and probe, joined as in
 * `app/compose.ts`. Only the queue, the wire and the time are the simulation's.
 */
export function startStation({ time: { clock, timers }, random, saved, send, onSettled }: StationParts) {
  const http: Http = { send, download: () => Promise.resolve(undefined), close: () => Promise.resolve(undefined) }
  const tokens = createTokens({ profile, credentials, http, clock, random })
  const connection = createConnection({
    clock,
    timers,
    log: silentLog,
    onChange: () => undefined,
    onAnswering: () => {
      sender.answering()
    },
    onRecovery: (outageMs) => {
      sender.recovered(outageMs)
    },
  })
  const { v12, report } = createServiceClient(profile, {
    http,
    tokens,
    clock,
    onAsk: (isUpload) => connection.asked(isUpload),
  })
  const probe = createProbe(connection, v12, silentLog, () => true, { random, timers })
  const sender = new Sender({
    outbox: createQueue({ saved, clock, random, onSettled }),
    client: { ...v12, report },
    caseOf: (tagId) => sales[saleOfTag.get(tagId) ?? -1]?.caseId,
    ownDispensaryId: null,
    clock,
    serviceClock: createServiceClock(),
    log: silentLog,
    random,
    timers,
  })
  sender.wake()
  probe.start()
}
