import { z } from 'zod'
import type { Misbehaviour, Visit } from '../misbehaviour'
import { type BodySource, type Said, otherOrigin, says } from '../wire'

/**
 * The token endpoint's possible answers. Without a token nothing is sent, so in these rows the service never takes a
 * report.
 */

const family = 'tokens' as const
const Granted = z.object({ access_token: z.string() })

/** The token from the real service; it would work. */
const realToken = ({ real }: Visit) => {
  const granted = Granted.safeParse(JSON.parse(real?.body.toString('utf8') ?? 'null'))
  return granted.success ? granted.data.access_token : ''
}
const answer = (fields: object) => JSON.stringify({ token_type: 'Bearer', scope: 'read write', ...fields })
/** An answer with a different token. */
const token = (access_token: unknown) => answer({ access_token, expires_in: 36_000 })
/** An answer with the real token and something odd. */
const withReal =
  (fields: (access_token: string) => string): BodySource =>
  (visit) =>
    fields(realToken(visit))

type Row = [name: string, status: number, body: BodySource, more?: Partial<Misbehaviour> & { said?: Said }]
const refused = { shows: ['credentials-refused'], sendsNow: true } satisfies Partial<Misbehaviour>
const failing = { shows: ['failing'] } satisfies Partial<Misbehaviour>

/** In place of a token: text that no header may hold, or no text at all. */
const unusable: Row[] = [
  ['a token with a line break', 200, token('abc\ndef')],
  ['a token with a header in it', 200, token('abc\r\nX-Odd: odd')],
  ['a token with a NUL', 200, token('abc\u0000def')],
  ['a token beyond ASCII', 200, token('t\u00f8ken-\u{1F511}-1234567890')],
  ['a token with a space', 200, token('two words')],
  ['a token with quotes', 200, token('"quoted"')],
  ['a token of white space', 200, token('   ')],
  ['a token of 9 kB', 200, token('t'.repeat(9_000))],
  ['a token of 20 kB', 200, token('t'.repeat(20_000))],
  ['a token of 1 MB', 200, token('t'.repeat(1_000_000))],
  ['an empty token', 200, token('')],
  ['a number as token', 200, token(12_345)],
  ['null as token', 200, token(null)],
  ['a list as token', 200, token(['abc'])],
  ['no token', 200, answer({ expires_in: 36_000 })],
]
const lives: Row[] = [
  ['a life of 0', 200, withReal((access_token) => answer({ access_token, expires_in: 0 }))],
  ['a life of -1', 200, withReal((access_token) => answer({ access_token, expires_in: -1 }))],
  ['a life of a millisecond', 200, withReal((access_token) => answer({ access_token, expires_in: 0.001 }))],
  ['a life of a second', 200, withReal((access_token) => answer({ access_token, expires_in: 1 }))],
  ['a life of 10^12', 200, withReal((access_token) => answer({ access_token, expires_in: 1e12 }))],
  ['a life of 10^309', 200, withReal((one) => `{"token_type":"Bearer","access_token":"${one}","expires_in":1e309}`)],
  ['a life "soon"', 200, withReal((access_token) => answer({ access_token, expires_in: 'soon' }))],
  ['a life "36000"', 200, withReal((access_token) => answer({ access_token, expires_in: '36000' }))],
  ['a life of null', 200, withReal((access_token) => answer({ access_token, expires_in: null }))],
  ['no life', 200, withReal((access_token) => answer({ access_token }))],
  [
    'a token of type MAC',
    200,
    withReal((one) => JSON.stringify({ access_token: one, token_type: 'mac', expires_in: 9 })),
  ],
  ['no type', 200, withReal((access_token) => JSON.stringify({ access_token, expires_in: 36_000 }))],
]
const forms: Row[] = [
  ['a page', 200, '<html>Sign in</html>', { said: { contentType: 'text/html' }, ...failing }],
  ['a text', 200, 'Blocked by WebShield', { said: { contentType: 'text/plain' } }],
  ['nothing', 200, ''],
  ['null', 200, 'null'],
  ['a list', 200, '[]'],
  ['a text in JSON', 200, '"abc"'],
  ['truncated JSON', 200, '{"access_token":"abcdefgh'],
  ['an error with 200', 200, '{"error":"invalid_client"}'],
  ['JSON 10,000 levels deep', 200, '['.repeat(10_000) + ']'.repeat(10_000)],
  ['what it was asked', 200, ({ asked }) => asked.body, { said: { contentType: 'text/plain' } }],
  ['the secret in a page', 200, ({ secrets }) => `<html>${secrets.clientSecret}</html>`],
  ['the secret as token', 200, ({ secrets }) => token(secrets.clientSecret), { sendsNow: true }],
]
const statuses: Row[] = [
  ...[400, 401, 403, 404].map((status): Row => [
    `${status} and invalid_client`,
    status,
    '{"error":"invalid_client"}',
    refused,
  ]),
  ['400 with the secret in it', 400, ({ secrets }) => JSON.stringify({ error: secrets.clientSecret }), refused],
  ...[500, 502, 503, 504, 599].map((status): Row => [String(status), status, '{"detail":"Odd."}', failing]),
  ...[202, 204, 205].map((status): Row => [String(status), status, '', { said: { contentLength: '0' } }]),
  ['429', 429, '{"detail":"Slowly."}', { sendsNow: true }],
  ['429 with Retry-After: 5', 429, '', { said: { headers: [['Retry-After', '5']] }, sendsNow: true }],
  ['503 with Retry-After: 5', 503, '', { said: { headers: [['Retry-After', '5']] }, sendsNow: true }],
  [
    '429 with Retry-After: 10^30',
    429,
    '',
    { said: { headers: [['Retry-After', `1${'0'.repeat(30)}`]] }, sendsNow: true },
  ],
  ['407', 407, '', {}],
]

const rows = [...unusable, ...lives, ...forms, ...statuses].map(([name, status, body, more = {}]): Misbehaviour => {
  const { said, ...rest } = more
  return {
    name: `the token endpoint gives ${name}`,
    family,
    kind: 'complete',
    parts: [{ at: 'token', isTaken: true, answer: says(status, body, said) }],
    ...rest,
  }
})

const more: Misbehaviour[] = [
  {
    name: 'the token endpoint gives a redirect to another host',
    family,
    kind: 'complete',
    parts: [
      {
        at: 'token',
        isTaken: false,
        answer: (visit) => says(307, '', { headers: [['Location', otherOrigin(visit)]] })(visit),
      },
    ],
  },
  {
    name: 'every token is refused',
    family,
    kind: 'complete',
    parts: [{ at: 'token', isTaken: false, answer: says(200, token('a-token-of-no-account')) }],
    ...refused,
  },
  ...(['complete', 'void', 'import'] as const).map((kind): Misbehaviour => ({
    name: `every report is answered 401, ${kind}`,
    family,
    kind,
    parts: [{ at: 'reports', isTaken: false, answer: says(401, '{"detail":"Odd."}') }],
    goesOnFor: 2_000,
    ...refused,
  })),
  {
    name: 'everything is answered 401',
    family,
    kind: 'complete',
    parts: (['reads', 'reports'] as const).map((at) => ({ at, isTaken: false, answer: says(401, '') })),
    goesOnFor: 2_000,
    ...refused,
  },
  {
    name: 'every second token is refused',
    family,
    kind: 'complete',
    parts: [{ at: 'token', isTaken: false, times: 1, answer: says(200, token('a-token-of-no-account')) }],
  },
]

export const tokens: Misbehaviour[] = [...rows, ...more]
