import { z } from 'zod'
import { salesOfDay } from './day'
import { runFleet } from './run'
import type { Trouble } from './service'

export const ScenarioName = z.enum(['sound', 'busy', 'busy-until', 'half', 'reports-fail'])
export type ScenarioName = z.infer<typeof ScenarioName>

interface Scenario {
  what: string
  trouble: (stations: number) => Trouble
  /** Requests that one sale takes on average if none is made in vain. */
  requestsOfSale: number
  /** In s: by then the last station is drained. */
  longest: number
  /** In s: a station with unsent sales never goes longer without sending one. */
  longestWithout: number
}

/** In ten minutes everything is drained: this is what the limit of requests a second is reckoned from. In s. */
const wantedDrain = 600
const longest = 900

/** Ten thousand stations get 2,000 requests a second from a service that limits them. */
const limitOf = (stations: number) => Math.ceil(stations / 5)

export const scenarios: Record<ScenarioName, Scenario> = {
  sound: {
    what: 'a service that answers everything',
    trouble: () => ({ kind: 'none' }),
    requestsOfSale: 1,
    longest,
    longestWithout: 60,
  },
  busy: {
    what: '429 above the limit',
    trouble: (stations) => ({ kind: 'busy', limit: limitOf(stations), saysWhen: false }),
    requestsOfSale: 1,
    longest,
    longestWithout: 240,
  },
  'busy-until': {
    what: '429, Retry-After the next half minute',
    trouble: (stations) => ({ kind: 'busy', limit: limitOf(stations), saysWhen: true }),
    requestsOfSale: 1,
    longest,
    longestWithout: 240,
  },
  half: {
    what: 'half of the requests time out',
    trouble: () => ({ kind: 'half' }),
    // The report; if it isn't answered, two readings until one is answered; in half of the cases all that again.
    requestsOfSale: 8 / 3,
    // An unlucky sale takes thirty attempts of ten seconds each.
    longest: 1_500,
    longestWithout: 720,
  },
  'reports-fail': {
    what: 'reports are answered 500 for ten minutes',
    trouble: () => ({ kind: 'reports-fail', for: 600_000 }),
    // The report; it is read about before it is sent again; and the connection is probed after each failure.
    requestsOfSale: 3,
    longest: 1_500,
    longestWithout: 720,
  },
}

/** What came of a scenario, with its limits. */
export const FleetResult = z.object({
  name: ScenarioName,
  stations: z.number(),
  perSecond: z.array(z.number()),
  waiting: z.array(z.number()),
  requests: z.number(),
  refused: z.number(),
  unanswered: z.number(),
  doubled: z.number(),
  missing: z.number(),
  /** Requests in the busiest second, and the limit: twice the mean that drains everything in ten minutes. */
  peak: z.number(),
  limit: z.number(),
  // JSON has no Infinity.
  medianDrained: z.number().nullable(),
  lastDrained: z.number().nullable(),
  longestWithout: z.number(),
})
export type FleetResult = z.infer<typeof FleetResult>

const finite = (value: number) => (Number.isFinite(value) ? value : null)

/** `window`: a small fleet is judged by the mean of so many seconds, since a few requests more are chance. */
export async function runScenario(
  name: ScenarioName,
  stations: number,
  seed: number,
  window = 1,
): Promise<FleetResult> {
  const { trouble, requestsOfSale } = scenarios[name]
  const { count, perSecond, waiting, missing, ...run } = await runFleet(stations, trouble(stations), seed)
  const needed = stations * (salesOfDay * requestsOfSale + 1)
  return {
    name,
    stations,
    perSecond,
    waiting,
    requests: count.total,
    refused: count.busy,
    unanswered: count.unanswered,
    doubled: count.doubled,
    missing,
    peak: Math.max(...perSecond.map((_, from) => meanOf(perSecond.slice(from, from + window), window))),
    limit: (2 * needed) / wantedDrain,
    medianDrained: finite(run.medianDrained),
    lastDrained: finite(run.lastDrained),
    longestWithout: run.longestWithout,
  }
}

const meanOf = (values: number[], count: number) => values.reduce((sum, one) => sum + one, 0) / count

/** Which limits were broken; empty if none. */
export function complaintsOf(result: FleetResult): string[] {
  const { name, peak, limit, lastDrained, longestWithout, missing, doubled } = result
  const { longest: latest, longestWithout: hungry } = scenarios[name]
  return [
    ...(peak <= limit ? [] : [`${peak} requests a second, limit ${limit}`]),
    ...(lastDrained !== null && lastDrained <= latest ? [] : [`drained after ${lastDrained} s, limit ${latest} s`]),
    ...(longestWithout <= hungry ? [] : [`${longestWithout} s without a sale sent, limit ${hungry} s`]),
    ...(missing === 0 ? [] : [`${missing} sales are missing`]),
    ...(doubled === 0 ? [] : [`${doubled} sales were sent although the service had shown them`]),
  ]
}
