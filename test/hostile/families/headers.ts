import { type Misbehaviour, ofReports } from '../misbehaviour'
import { type Header, type Said, asReal, headOf, plainYes, raw, says } from '../wire'

/**
 * Headers that no service should send: those that the station uses (`Date`, `Retry-After`), and those that only do
 * harm.
 */

const family = 'headers' as const

const away = (hours: number) => new Date(Date.now() + hours * 3_600_000).toUTCString()
const dates: [name: string, date: string | null, headers?: Header[]][] = [
  ['of the year 20000', 'Sat, 01 Jan 20000 00:00:00 GMT'],
  ['of the year 10000', 'Sat, 01 Jan 10000 00:00:00 GMT'],
  ['of the last moment that JavaScript knows', 'Sat, 13 Sep 275760 00:00:00 GMT'],
  ['of 1970', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['of 1900', 'Mon, 01 Jan 1900 00:00:00 GMT'],
  ['of 2098', 'Wed, 01 Jan 2098 00:00:00 GMT'],
  ['"9"', '9'],
  ['"0"', '0'],
  ['"-1"', '-1'],
  ['in ISO 8601', '2027-11-23T09:00:00Z'],
  ['in ISO 8601 of the year 20000', '+020000-01-01T00:00:00.000Z'],
  ['with another zone', 'Mon, 23 Nov 2026 09:00:00 -1200'],
  ['of asctime, years ago', 'Sun Nov  6 08:49:37 1994'],
  ['of RFC 850, years ago', 'Sunday, 06-Nov-94 08:49:37 GMT'],
  ['on a wrong day of the week, years ahead', 'Mon, 01 Jan 2035 00:00:00 GMT'],
  ['of a 13th month', 'Mon, 23 Foo 2026 09:00:00 GMT'],
  ['of garbage', 'soon (2030)'],
  ['of nothing', ''],
  ['that is missing', null],
  ['twice, the first of 2098', 'Wed, 01 Jan 2098 00:00:00 GMT', [['Date', new Date().toUTCString()]]],
  ['twice, the second of 2098', away(0), [['Date', 'Wed, 01 Jan 2098 00:00:00 GMT']]],
  ['23 h ahead', away(23)],
  ['23 h behind', away(-23)],
  ['25 h ahead', away(25)],
  ['25 h behind', away(-25)],
  ['of 20 kB', '9'.repeat(20_000)],
]
/** Sent with readings and reports alike: a sale made afterwards uses the time learned from them. */
const dated = dates.map(([name, date, headers = []]): Misbehaviour => {
  const answer = asReal({ date, headers })
  return {
    name: `a Date ${name}`,
    family,
    kind: 'complete',
    parts: [
      { at: 'reads', isTaken: true, answer },
      { at: 'reports', isTaken: true, answer },
    ],
  }
})

const retryAfters: [name: string, values: string[]][] = [
  ['-1', ['-1']],
  ['0', ['0']],
  ['1e9', ['1e9']],
  ['1000000000', ['1000000000']],
  ['10^30', [`1${'0'.repeat(30)}`]],
  ['10^400', [`1${'0'.repeat(400)}`]],
  ['of the year 20000', ['Sat, 01 Jan 20000 00:00:00 GMT']],
  ['of 2098', ['Wed, 01 Jan 2098 00:00:00 GMT']],
  ['of 1970', ['Thu, 01 Jan 1970 00:00:00 GMT']],
  ['of garbage', ['soon']],
  ['of nothing', ['']],
  ['3.5', ['3.5']],
  ['twice', ['5', '99999']],
]
const told = retryAfters.flatMap(([name, values]) =>
  [429, 503].flatMap((status) =>
    ofReports(
      { name: `${status} with Retry-After ${name}`, family, sendsNow: true },
      says(status, '{"detail":"Not now."}', { headers: values.map((value) => ['Retry-After', value] as const) }),
      { only: ['complete'] },
    ),
  ),
)

/** A real yes with unusual headers: accepted, or settled by reading. */
const oddYes: [name: string, said: Said][] = [
  ['a header of 20 kB', { headers: [['X-Odd', 'o'.repeat(20_000)]] }],
  ['500 headers', { headers: Array.from({ length: 500 }, (_, n) => [`X-Odd-${n}`, 'odd'] as const) }],
  ['cookies', { headers: [['Set-Cookie', 'a=b; Domain=.example; Max-Age=99999999999']] }],
  ['a Location', { headers: [['Location', 'http://localhost:9/elsewhere']] }],
  ['a Refresh', { headers: [['Refresh', '0; url=http://localhost:9/elsewhere']] }],
  ['no Content-Type', { contentType: null }],
  ['a Content-Type of HTML', { contentType: 'text/html' }],
  ['a Content-Type of pictures', { contentType: 'image/png' }],
  ['a Content-Type of garbage', { contentType: ';;;=' }],
  ['an unknown charset', { contentType: 'application/json; charset=klingon' }],
  ['UTF-16 as its charset', { contentType: 'application/json; charset=utf-16' }],
  ['a Content-Encoding of gzip that is none', { headers: [['Content-Encoding', 'gzip']] }],
  ['a Content-Encoding of br that is none', { headers: [['Content-Encoding', 'br']] }],
  ['an unknown Content-Encoding', { headers: [['Content-Encoding', 'rot13']] }],
  ['Strict-Transport-Security', { headers: [['Strict-Transport-Security', 'max-age=99999999999']] }],
  ['Alt-Svc', { headers: [['Alt-Svc', 'h2="localhost:9"; ma=99999']] }],
  ['Keep-Alive without end', { headers: [['Keep-Alive', 'timeout=99999999999, max=0']] }],
  [
    'a prototype',
    {
      headers: [
        ['__proto__', 'odd'],
        ['constructor', 'odd'],
      ],
    },
  ],
  ['bytes beyond ASCII', { headers: [['X-Odd', '\u00e9\u00ff']] }],
  ['an Age of 10^30', { headers: [['Age', `1${'0'.repeat(30)}`]] }],
]
const odd = oddYes.flatMap(([name, said]) =>
  ofReports({ name: `a yes with ${name}`, family }, asReal(said), { only: ['complete', 'return'], truths: [true] }),
)

/** Heads that can't be parsed, or that lie about the body. */
const head = (lines: string[], body = plainYes) => raw(['HTTP/1.1 200 OK', ...lines, '', body].join('\r\n'))
const broken: [name: string, answer: ReturnType<typeof raw>][] = [
  ['a Content-Length too small', says(200, plainYes, { contentLength: '20' })],
  ['a Content-Length too large', says(200, plainYes, { contentLength: '2000' })],
  ['a Content-Length below nothing', says(200, plainYes, { contentLength: '-1' })],
  ['a Content-Length of 10^30', says(200, plainYes, { contentLength: `1${'0'.repeat(30)}` })],
  ['a Content-Length of garbage', says(200, plainYes, { contentLength: '0x20' })],
  ['two lengths', head(['Content-Length: 10', 'Content-Length: 70'])],
  ['a length and chunks', head(['Content-Length: 70', 'Transfer-Encoding: chunked'])],
  ['chunks that are none', head(['Transfer-Encoding: chunked'])],
  ['a header without a colon', head(['Content-Length 70', 'odd'])],
  ['a space before the colon', head(['Content-Length : 70'])],
  ['a folded header', head(['X-Odd: a', ' b', 'Content-Length: 9999'])],
  ['a NUL in a header', head(['X-Odd: a\u0000b', 'Content-Length: 70'])],
  ['a header of control characters', head(['X-Odd: \u0007\u001b[2J', 'Content-Length: 9999'])],
]
const unreadable = broken.flatMap(([name, answer]) =>
  ofReports({ name: `an answer with ${name}`, family }, answer, { only: ['complete'] }),
)
/** Read until the connection ends, the answer is a normal yes. */
const oddlyCoded = ofReports(
  { name: 'an answer with an unknown Transfer-Encoding', family },
  head(['Transfer-Encoding: odd']),
  { only: ['complete'], truths: [true] },
)
/** The length is right, but no body arrives. */
const bare = ofReports({ name: 'a head alone, and the end', family }, raw(headOf(200, Buffer.from(plainYes))), {
  only: ['complete', 'void', 'import'],
})

export const headers: Misbehaviour[] = [...dated, ...told, ...odd, ...unreadable, ...oddlyCoded, ...bare]
