import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Agent, request } from 'undici'
import { createServiceClock, systemClock } from '../../src-main/core/clock'
import { inMemoryCredentials } from '../../src-main/credentials/store'
import { silentLog } from '../../src-main/core/log'
import { Sender } from '../../src-main/outbox/sender'
import { type Profile, originsOf } from '../../src-main/credentials/profile'
import { createServiceClient } from '../../src-main/service/client'
import { createHttp } from '../../src-main/service/http'
import { createTokens } from '../../src-main/service/tokens'
import { openDatabase, openOutbox, sale } from './desk'

const lanes = 8
export const latency = 50

interface Drained {
  seconds: number
  /** Share of the maximum that the latency allows. */
  ofIdeal: number
  /** Delay of the main process' event loop, in ms. */
  delayP99: number
  delayMax: number
}

/**
 * Drains this many sales over real HTTP, all independent or all of one order, with `selling` more sales at the counter
 * meanwhile, one every 20 ms.
 */
export async function benchDrain(
  baseUrl: string,
  count: number,
  shape: 'independent' | 'chain',
  selling = 0,
): Promise<Drained> {
  const profile: Profile = {
    kind: 'test',
    name: 'bench',
    baseUrl,
    authUrls: { retail: baseUrl },
    dispensaryId: null,
    sendsSku: true,
    caFile: null,
  }
  const clock = systemClock
  const serviceClock = createServiceClock()
  const http = createHttp({ origins: originsOf(profile), clockOrigin: '', clock, serviceClock })
  const credentials = inMemoryCredentials({ retail: { clientId: 'bench', clientSecret: 'bench' } })
  const tokens = createTokens({ profile, credentials, http, clock })
  const { v12, report } = createServiceClient(profile, { http, tokens })
  const { db } = openDatabase()
  const { outbox, sell } = openOutbox(db)
  for (let n = 0; n < count; n++) sell(n, shape === 'chain' ? 0 : n)
  await tokens.of('retail').get()

  const sender = new Sender({
    outbox,
    client: { ...v12, report },
    caseOf: () => undefined,
    ownDispensaryId: null,
    clock,
    serviceClock,
    log: silentLog,
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const began = performance.now()
  sender.wake()
  let sold = 0
  const counter = setInterval(() => {
    if (sold++ < selling) sell(1_000_000 + sold)
  }, 20)
  while (outbox.read.counts().unsent > 0 || sold < selling) await new Promise((resolve) => setTimeout(resolve, 25))
  const seconds = (performance.now() - began) / 1_000
  delay.disable()
  clearInterval(counter)
  await sender.stop(0)
  await http.close()
  db.close()
  return {
    seconds,
    ofIdeal: ideal(count, shape) / seconds,
    delayP99: delay.percentile(99) / 1e6 - 5,
    delayMax: delay.max / 1e6 - 5,
  }
}

/**
 * The same reports over the same number of lanes with bare undici and no storage: the achievable share of the ideal.
 */
export async function benchBareReports(
  baseUrl: string,
  count: number,
  shape: 'independent' | 'chain',
): Promise<number> {
  const dispatcher = new Agent()
  const body = JSON.stringify({ tagids: sale(0).tagIds, order_number: sale(0).orderId })
  const headers = { 'content-type': 'application/json' }
  let left = count
  const lane = async () => {
    while (left-- > 0) {
      const response = await request(baseUrl, { dispatcher, method: 'POST', headers, body })
      await response.body.text()
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: shape === 'chain' ? 1 : lanes }, lane))
  const seconds = (performance.now() - began) / 1_000
  await dispatcher.close()
  return ideal(count, shape) / seconds
}

/** The ideal time that the latency allows, in s. */
const ideal = (count: number, shape: 'independent' | 'chain') =>
  ((shape === 'chain' ? count : count / lanes) * latency) / 1_000
