import { type IncomingMessage, type Server, createServer } from 'node:http'
import { type Clock, createServiceClock, systemClock } from '../../../src-main/core/clock'
import { type Credentials, inMemoryCredentials } from '../../../src-main/credentials/store'
import { type AuthUrls, originsOf } from '../../../src-main/credentials/profile'
import { createServiceClient } from '../../../src-main/service/client'
import { createHttp } from '../../../src-main/service/http'
import type { Reply } from '../../../src-main/service/reply'
import { createSecrets } from '../../../src-main/credentials/secrets'
import { createTokens } from '../../../src-main/service/tokens'

/** The answer, sent `afterMs` after the request. */
export type Answer =
  { status: number; body?: string; headers?: Record<string, string>; afterMs?: number } | 'hang up' | 'stall'
export type Answers = (path: string, authorization: string, body: string) => Answer

interface OddOptions {
  /** The accounts. By default one retail account with tokens from the service itself. */
  authUrls?: (baseUrl: string) => AuthUrls
  credentials?: Credentials
  /** Defaults to the computer's clock. */
  clock?: Clock
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** A service with the answers of the test, the requests it got, and a client for it. */
export async function startOddService(answers: Answers, options: OddOptions = {}) {
  const asked: string[] = []
  const bodies: string[] = []
  const server: Server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const path = request.url ?? ''
      asked.push(`${request.method ?? ''} ${path}`)
      bodies.push(body)
      const answer = answers(path, request.headers.authorization ?? '', body)
      if (answer === 'hang up') {
        request.socket.destroy()
        return
      }
      if (answer === 'stall') {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"uuid":')
        return
      }
      setTimeout(() => {
        const headers = { 'content-type': 'application/json', ...answer.headers }
        response.writeHead(answer.status, headers).end(answer.body ?? '')
      }, answer.afterMs ?? 0)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
  const authUrls = options.authUrls?.(baseUrl) ?? { retail: baseUrl }
  const profile = {
    kind: 'test',
    name: 'odd',
    baseUrl,
    authUrls,
    dispensaryId: null,
    sendsSku: true,
    caFile: null,
  } as const
  const { clock = systemClock } = options
  const secrets = createSecrets()
  const http = createHttp({
    origins: originsOf(profile),
    clockOrigin: baseUrl,
    clock,
    secrets,
    serviceClock: createServiceClock(),
    timeouts: { connect: 500, headers: 500, body: 500 },
  })
  const credentials =
    options.credentials ?? inMemoryCredentials({ retail: { clientId: 'id', clientSecret: 'hush-hush-hush' } })
  const tokens = createTokens({ profile, credentials, http, clock, secrets })
  const replies: Reply[] = []
  const client = createServiceClient(profile, {
    http,
    tokens,
    clock,
    onAsk: () => (reply) => reply && replies.push(reply),
  })
  const stopListening = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    client,
    tokens,
    http,
    baseUrl,
    asked,
    /** The bodies of the requests in `asked`. */
    bodies,
    replies,
    stopListening,
    async close() {
      await http.close()
      await stopListening()
    },
  }
}
export type OddService = Awaited<ReturnType<typeof startOddService>>

export const token = (name = 'T', life = 36_000) => ({
  status: 200,
  body: JSON.stringify({ access_token: name, token_type: 'Bearer', expires_in: life, scope: 'read write', extra: 1 }),
})

export const json = (body: unknown, status = 200): Answer => ({ status, body: JSON.stringify(body) })

/** Answers the token endpoint with tokens, and all other requests with `answers`. */
export const withTokens =
  (answers: Answers): Answers =>
  (path, authorization, body) =>
    path.includes('/o/token/') ? token() : answers(path, authorization, body)
