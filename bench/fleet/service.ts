import { z } from 'zod'
import type { Operation } from '../../src-main/outbox/operation'
import type { HttpRequest } from '../../src-main/service/http'
import type { Reply, ReplyBody } from '../../src-main/service/reply'
import { itemsOf, saleOfOrder, sales } from './day'
import type { VirtualTime } from './time'

/** What the service is like once it is back. */
export type Trouble =
  | { kind: 'none' }
  /** It answers 429 to what exceeds so many requests a second; with `Retry-After` until the next full half minute. */
  | { kind: 'busy'; limit: number; saysWhen: boolean }
  /** Half of the requests, at random, get no answer; the service acts on half of those. */
  | { kind: 'half' }
  /** It answers 500 to every report for so long, in ms, and to every read as it should. */
  | { kind: 'reports-fail'; for: number }

interface ServiceParts {
  time: VirtualTime
  stations: number
  trouble: Trouble
  /** The sales of each station. */
  saved: readonly Operation[]
  /** When the service is back, in ms since 1970. */
  backAt: number
  random: () => number
}

export type FleetService = ReturnType<typeof createService>

/** A request takes so long to get there and back, in ms. */
const shortest = 30
const longest = 70
/** How long a request may take that gets no answer, in ms: as in http.ts. */
const usualPatience = 10_000
const window = 30_000

const Report = z.object({ order_id: z.string() })

/** One service for all stations of the fleet; each sees its own sales in it. Counts what reaches it. */
export function createService({ time, stations, trouble, saved, backAt, random }: ServiceParts) {
  const { clock, timers } = time
  const moments = saved.map(({ performedAt }) => performedAt)
  const taken = Array.from({ length: stations }, () => new Uint8Array(sales.length))
  /** Requests in each second since the service is back. */
  const perSecond: number[] = []
  const count = { total: 0, reports: 0, reads: 0, tokens: 0, busy: 0, unanswered: 0, doubled: 0 }

  const later = (ms: number, reply: Reply) =>
    new Promise<Reply>((resolve) => {
      timers.after(ms, () => {
        resolve(reply)
      })
    })
  const roundTrip = () => shortest + random() * (longest - shortest)
  const answer = (status: number, body: ReplyBody, retryAfterMs: number | null = null) =>
    later(roundTrip(), { kind: 'answer', status, body, retryAfterMs })

  /** Acts on a request; returns its answer. */
  const act = (station: number, { method, url, body }: HttpRequest): [number, ReplyBody] => {
    const own = taken[station]
    if (!own) throw new Error(`there is no station ${station}`)
    if (url.endsWith('/o/token/')) {
      return [200, json({ access_token: `token-${station}`, token_type: 'Bearer', expires_in: 36_000 })]
    }
    if (method === 'POST') {
      const { order_id: orderId } = Report.parse(JSON.parse(body ?? ''))
      const n = saleOfOrder.get(orderId) ?? -1
      if (own[n] === 1) {
        count.doubled += 1
        return [400, json({ message: `Order ${orderId} already processed` })]
      }
      own[n] = 1
      return [200, { kind: 'text', value: 'Transaction accepted' }]
    }
    const caseId = /\/collections\/(\w+)\/$/.exec(url)?.[1]
    if (caseId === undefined) return [404, json({ detail: 'Not found.' })]
    return [200, json(caseAsShown(caseId, own))]
  }

  const caseAsShown = (caseId: string, own: Uint8Array) => ({
    uuid: caseId,
    identifier: caseId,
    collection_type: 'case',
    items: (itemsOf.get(caseId) ?? []).map(({ tagId, n }) => ({
      tag_id: tagId,
      sold_at_dispensary_on: own[n] === 1 ? moments[n] : null,
    })),
  })

  return {
    perSecond,
    count,
    /** Sales that the service has, of all stations. */
    held: () => taken.reduce((sum, own) => sum + own.reduce((all, one) => all + one, 0), 0),
    /** A request of a station. */
    send(station: number, request: HttpRequest): Promise<Reply> {
      const now = clock.now()
      if (now < backAt) return later(roundTrip(), { kind: 'no-answer', code: 'ECONNREFUSED', sent: false })
      const second = Math.floor((now - backAt) / 1_000)
      const before = (perSecond[second] ??= 0)
      perSecond[second] = before + 1
      count.total += 1
      if (request.url.endsWith('/o/token/')) count.tokens += 1
      else if (request.method === 'POST') count.reports += 1
      else count.reads += 1
      if (trouble.kind === 'busy' && before >= trouble.limit) {
        count.busy += 1
        const wait = trouble.saysWhen ? Math.ceil((window - ((now - backAt) % window)) / 1_000) * 1_000 : null
        return answer(429, json({ detail: 'Request was throttled.' }), wait)
      }
      if (trouble.kind === 'half' && random() < 0.5) {
        count.unanswered += 1
        if (random() < 0.5) act(station, request)
        return later(request.patience ?? usualPatience, { kind: 'no-answer', code: 'DEADLINE', sent: true })
      }
      const isReport = request.method === 'POST' && !request.url.endsWith('/o/token/')
      if (trouble.kind === 'reports-fail' && isReport && now < backAt + trouble.for) {
        return answer(500, { kind: 'text', value: 'Server error' })
      }
      return answer(...act(station, request))
    },
  }
}

const json = (value: unknown): ReplyBody => ({ kind: 'json', value })
