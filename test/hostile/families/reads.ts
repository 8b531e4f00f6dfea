import { type Answer, type Kind, type Misbehaviour } from '../misbehaviour'
import { rewritten, says, tears } from '../wire'

/** Readings with another shape or size, or with impossible content. A sale goes through whatever the readings say. */

const family = 'reads' as const

/** Changes one field wherever it occurs. */
const field = (name: string, change: (value: unknown) => unknown): Answer =>
  rewritten((key, value) => (key === name ? change(value) : value))

const shapes: [name: string, answer: Answer][] = [
  ['null', says(200, 'null')],
  ['an empty list', says(200, '[]')],
  ['an empty object', says(200, '{}')],
  ['a number', says(200, '42')],
  ['a text', says(200, 'Blocked by WebShield', { contentType: 'text/plain' })],
  ['a page', says(200, '<html>Sign in</html>', { contentType: 'text/html' })],
  ['nothing', says(200, '')],
  ['an error with 200', says(200, '{"error":"no"}')],
  ['JSON 10,000 levels deep', says(200, '['.repeat(10_000) + ']'.repeat(10_000))],
  ['JSON 200,000 levels deep', says(200, '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000))],
  ['truncated JSON', says(200, '{"uuid":"2222')],
  ...[204, 302, 400, 403, 404, 410, 418, 429, 451, 500, 502, 503, 599].map((status): [string, Answer] => [
    String(status),
    says(status, status === 204 ? '' : '{"detail":"Odd."}', status === 204 ? { contentLength: '0' } : {}),
  ]),
  ['503 with Retry-After: 10^30', says(503, '', { headers: [['Retry-After', `1${'0'.repeat(30)}`]] })],
  ['a text in place of items', field('items', () => 'many')],
  ['null in place of items', field('items', () => null)],
  ['items that are numbers', field('items', () => [1, 2, 3])],
  ['items that are null', field('items', () => [null])],
  ['no collections', field('collections', () => undefined)],
  ['collections that are numbers', field('collections', () => [1])],
  ['negative counts', rewritten((key, value) => (key.endsWith('count') ? -5 : value))],
  ['counts of 10^308', rewritten((key, value) => (key.endsWith('count') ? 1e308 : value))],
  ['counts in words', rewritten((key, value) => (key.endsWith('count') ? 'five' : value))],
  ['dates of the year 20000', rewritten((key, value) => (key.endsWith('_on') ? '+020000-01-01T00:00:00Z' : value))],
  ['dates of the year 9999', rewritten((key, value) => (key.endsWith('_on') ? '9999-12-31T23:59:59Z' : value))],
  ['dates that are numbers', rewritten((key, value) => (key.endsWith('_on') ? 12 : value))],
  ['dates of the year 0', rewritten((key, value) => (key.endsWith('_on') ? '0000-01-01T00:00:00Z' : value))],
  ['ids of something else', rewritten((key, value) => (key === 'uuid' ? '2222222222222222222222' : value))],
  ['ids that are none', rewritten((key, value) => (key === 'uuid' ? '../../admin' : value))],
  ['ids of 300 kB', rewritten((key, value) => (key === 'uuid' ? 'o'.repeat(300_000) : value))],
  ['names of 3 MB', field('name', () => 'o'.repeat(3_000_000))],
  ['names of control characters', field('name', () => '\u0000\u0007\u001b[2J\r\n')],
  ['names that run backwards', field('name', () => '\u202Eevil\u2066\u2069')],
  ['names that are halves of characters', field('name', () => '\ud800\udfff\udc00')],
  ['names of markup', field('name', () => '<img src=x onerror=alert(1)>')],
  ['names that are objects', field('name', () => ({ toString: 'odd' }))],
  ['the token as name', rewritten((key, value, { asked }) => (key === 'name' ? `Bearer ${asked.token}` : value))],
  ['the token as identifier', rewritten((key, value, { asked }) => (key === 'identifier' ? asked.token : value))],
  ['the secret as name', rewritten((key, value, { secrets }) => (key === 'name' ? secrets.clientSecret : value))],
  ['addresses of another host', rewritten((key, value) => (key.endsWith('_url') ? 'http://localhost:9/x' : value))],
  ['addresses of scripts', rewritten((key, value) => (key.endsWith('_url') ? 'javascript:alert(1)' : value))],
  [
    '20,000 items',
    rewritten((key, value) =>
      key === 'items' && Array.isArray(value) ? Array.from({ length: 20_000 }, (): unknown => value[0]) : value,
    ),
  ],
  ['20,000 collections', field('collections', (value) => Array.from({ length: 20_000 }, () => value))],
  [
    'a prototype',
    rewritten((key, value) => (key === 'data' ? { ['__proto__']: { isAdmin: true }, odd: value } : value)),
  ],
]

const asked = shapes.flatMap(([name, answer]) =>
  (['complete', 'import'] satisfies Kind[]).map((kind): Misbehaviour => ({
    name: `readings give ${name}, ${kind}`,
    family,
    kind,
    looksUp: true,
    parts: [{ at: 'reads', isTaken: true, answer }],
  })),
)

/** The report's answer is lost, and the readings about the report are odd: the station must not take them as proof. */
const settled = shapes
  .filter(([name]) =>
    /^(null|an empty|a text|a page|40[34]|500|503$|429|truncated|items|no coll|ids|dates|JSON 10)/.test(name),
  )
  .flatMap(([name, answer]) =>
    [true, false].map((isTaken): Misbehaviour => ({
      name: `answers are lost, and readings give ${name}, ${isTaken ? 'taken' : 'not taken'}`,
      family,
      kind: 'complete',
      goesOnFor: 2_500,
      parts: [
        { at: 'reports', isTaken, answer: tears() },
        { at: 'reads', isTaken: true, answer },
      ],
    })),
  )

export const reads: Misbehaviour[] = [...asked, ...settled]
