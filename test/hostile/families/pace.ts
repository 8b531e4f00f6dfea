import type { Misbehaviour } from '../misbehaviour'
import { says, tears } from '../wire'

/**
 * How often a failing service gets requests. A station that requests token after token gets its account locked, and a
 * service that names a time to come back means it.
 */

const family = 'pace' as const
const refusedToken = JSON.stringify({ access_token: 'a-token-of-no-account', token_type: 'Bearer', expires_in: 36_000 })
const later = (status: number) => says(status, '{"detail":"Later."}', { headers: [['Retry-After', '60']] })

export const pace: Misbehaviour[] = [
  ...[429, 503].map((status): Misbehaviour => ({
    name: `the token endpoint says ${status} and to come back in a minute`,
    family,
    kind: 'complete',
    parts: [{ at: 'token', isTaken: false, answer: later(status) }],
    goesOnFor: 10_000,
    atMost: { token: 2 },
    sendsNow: true,
    isSlow: true,
  })),
  {
    name: 'every token is refused for a quarter of a minute',
    family,
    kind: 'complete',
    parts: [{ at: 'token', isTaken: false, answer: says(200, refusedToken) }],
    goesOnFor: 15_000,
    atMost: { token: 5 },
    shows: ['credentials-refused'],
    sendsNow: true,
    isSlow: true,
  },
  {
    name: 'every report is answered 401 for a quarter of a minute',
    family,
    kind: 'complete',
    parts: [{ at: 'reports', isTaken: false, answer: says(401, '') }],
    goesOnFor: 15_000,
    // Readings continue with the same account: each growing pause of a report ends with a new token request.
    atMost: { token: 8 },
    sendsNow: true,
    isSlow: true,
  },
  {
    name: 'the account is refused for a quarter of a minute',
    family,
    kind: 'complete',
    parts: [{ at: 'token', isTaken: false, answer: says(401, '{"error":"invalid_client"}') }],
    goesOnFor: 15_000,
    atMost: { token: 5 },
    shows: ['credentials-refused'],
    sendsNow: true,
    isSlow: true,
  },
  ...[500, 503, 'reset'].map((what): Misbehaviour => ({
    name: `everything ends in ${what} for half a minute`,
    family,
    kind: 'complete',
    parts: (['reads', 'reports'] as const).map((at) => ({
      at,
      isTaken: false,
      answer: typeof what === 'number' ? says(what, '') : tears(),
    })),
    goesOnFor: 25_000,
    // After five or six failures a pause is any part of 32 s, by chance, and may just have begun.
    recoversIn: 40_000,
    // Two operations, each with its own growing pauses and with a reading or two before each attempt, plus the probe.
    atMost: { reads: 25, reports: 12 },
    isSlow: true,
  })),
  {
    name: 'readings say 429 and to come back in a minute',
    family,
    kind: 'complete',
    parts: [{ at: 'reads', isTaken: false, answer: later(429) }],
    goesOnFor: 10_000,
    // Each scanned code is looked up once.
    atMost: { reads: 6 },
    isSlow: true,
  },
]
