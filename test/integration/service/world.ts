import { join } from 'node:path'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { inMemoryCredentials } from '../../../src-main/credentials/store'
import { originsOf } from '../../../src-main/credentials/profile'
import { type ServiceClient, createServiceClient } from '../../../src-main/service/client'
import { createHttp } from '../../../src-main/service/http'
import { createTokens } from '../../../src-main/service/tokens'
import { type PracticeService, startPracticeService } from '../../../src-practice/start'
import { type Answer, answerOf, tokenOf } from '../practice/practice'
import { worldData } from './world-data'

const picturesDir = join(import.meta.dirname, 'media')

/** Who asks: `maker` and `rival` make and supply, `shop` and `sister` are one company, `stranger` is another. */
export const accounts = ['maker', 'rival', 'shop', 'sister', 'stranger'] as const
export type Account = (typeof accounts)[number]

interface RawRequest {
  as?: Account
  body?: unknown
  headers?: Record<string, string>
}

/** A practice service with the data of the tests, and the client of each account. */
export type World = Record<Account, ServiceClient> & {
  service: PracticeService
  /** HTTP for what the client cannot say, and for how things look on the wire. */
  raw(method: string, path: string, request?: RawRequest): Promise<Answer>
  close(): Promise<void>
}

export async function openWorld(db = ':memory:'): Promise<World> {
  const service = await startPracticeService({ data: worldData, db, port: 0, picturesDir })
  const opened = accounts.map((name) => [name, openClient(service, name)] as const)
  const clientOf = (name: Account) => {
    const found = opened.find(([known]) => known === name)
    if (found === undefined) throw new Error(`No client of ${name}`)
    return found[1].client
  }
  const tokens = new Map<Account, string>()
  return {
    service,
    maker: clientOf('maker'),
    rival: clientOf('rival'),
    shop: clientOf('shop'),
    sister: clientOf('sister'),
    stranger: clientOf('stranger'),
    async raw(method, path, { as, body, headers = {} } = {}) {
      if (as !== undefined && !tokens.has(as)) tokens.set(as, await tokenOf(service, as))
      return answerOf(
        await fetch(`${service.baseUrl}${path}`, {
          method,
          headers: {
            ...(as === undefined ? {} : { authorization: `Bearer ${tokens.get(as) ?? ''}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
    },
    async close() {
      await Promise.all(opened.map(([, { http }]) => http.close()))
      await service.close()
    },
  }
}

/** A client as the station has it, with the account for both versions. */
export function openClient(
  { baseUrl, authUrl }: PracticeService,
  clientId: string,
  clientSecret = `${clientId}-secret`,
) {
  const profile = {
    kind: 'test',
    name: clientId,
    baseUrl,
    authUrls: { retail: authUrl },
    dispensaryId: null,
    sendsSku: true,
    caFile: null,
  } as const
  const http = createHttp({
    origins: originsOf(profile),
    clockOrigin: baseUrl,
    clock: systemClock,
    serviceClock: createServiceClock(),
  })
  const credentials = inMemoryCredentials({ retail: { clientId, clientSecret }, sourcing: { clientId, clientSecret } })
  const tokens = createTokens({ profile, credentials, http, clock: systemClock })
  return { client: createServiceClient(profile, { http, tokens }), http }
}
