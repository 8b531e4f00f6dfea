import { type Answer, type Misbehaviour, ofPlace, ofReports } from '../misbehaviour'
import { asReal, headOf, plainYes, raw } from '../wire'

/** Bytes that aren't HTTP, or HTTP of another kind. */

const family = 'framing' as const
const yes = Buffer.from(plainYes)
const whole = headOf(200, yes) + plainYes
const chunked = headOf(200, yes, { contentLength: null, headers: [['Transfer-Encoding', 'chunked']] })
const size = yes.length.toString(16)

/** No HTTP parser can take it for a complete answer. */
const unreadable: [name: string, bytes: string | Buffer][] = [
  ['a chunk size that is no number', `${chunked}zz\r\n${plainYes}\r\n0\r\n\r\n`],
  ['a negative chunk size', `${chunked}-5\r\n${plainYes}\r\n0\r\n\r\n`],
  ['a chunk size of 30 digits', `${chunked}${'f'.repeat(30)}\r\n${plainYes}`],
  ['a chunk that is too short', `${chunked}4\r\n${plainYes}\r\n0\r\n\r\n`],
  ['chunks without an end', `${chunked}${size}\r\n${plainYes}\r\n`],
  ['HTTP/0.9: a body alone', plainYes],
  ['garbage in place of a status line', `${'\u0001\u0002odd'.repeat(50)}\r\n\r\n`],
  ['zeros', Buffer.alloc(4_096)],
  ['a TLS alert', Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])],
  ['an SSH banner', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['an SMTP banner', '220 mail.example ESMTP\r\n'],
  ['the preface of HTTP/2', Buffer.concat([Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]), Buffer.from('PRI * HTTP/2.0')])],
  ['HTTP/9.9', whole.replace('HTTP/1.1', 'HTTP/9.9')],
  ['ICY', whole.replace('HTTP/1.1', 'ICY')],
  ['a status of letters', whole.replace('200', 'abc')],
  ['a status of five digits', whole.replace('200', '20000')],
  ['a negative status', whole.replace('200', '-200')],
  ['a status line alone', 'HTTP/1.1 200 OK\r\n'],
  ['a request in place of an answer', 'GET / HTTP/1.1\r\nHost: example\r\n\r\n'],
  ['line ends without CR, cut', whole.replaceAll('\r\n', '\n').slice(0, -20)],
]
const notHttp = unreadable.flatMap(([name, bytes]) => ofReports({ name, family }, raw(bytes), { only: ['complete'] }))

/** Unusual but complete: accepted, or settled by reading. */
const unusual: [name: string, bytes: string][] = [
  ['chunk extensions of 15 kB', `${chunked}${size};${'x=y;'.repeat(3_800)}\r\n${plainYes}\r\n0\r\n\r\n`],
  ['chunk extensions of 4 MB', `${chunked}${size};${'x=y;'.repeat(1_000_000)}\r\n${plainYes}\r\n0\r\n\r\n`],
  ['one byte a chunk', `${chunked}${plainYes.replaceAll(/./g, '1\r\n$&\r\n')}0\r\n\r\n`],
  ['trailers', `${chunked}${size}\r\n${plainYes}\r\n0\r\nDate: Wed, 01 Jan 2098 00:00:00 GMT\r\n\r\n`],
  ['10,000 trailers', `${chunked}${size}\r\n${plainYes}\r\n0\r\n${'X-Odd: odd\r\n'.repeat(10_000)}\r\n`],
  ['HTTP/1.0', whole.replace('HTTP/1.1', 'HTTP/1.0')],
  ['HTTP/1.0 without a length', `HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${plainYes}`],
  ['a status line without words', whole.replace('200 Odd', '200')],
  ['a status line of 15 kB', whole.replace('200 Odd', `200 ${'o'.repeat(15_000)}`)],
  ['line ends without CR', whole.replaceAll('\r\n', '\n')],
  ['empty lines before it', `\r\n\r\n\r\n${whole}`],
]
const whatever = unusual.flatMap(([name, bytes]) =>
  ofReports({ name, family }, raw(bytes), { only: ['complete', 'void'], truths: [true] }),
)

/** More than one answer: the second belongs to no request, least of all to the next report. */
const alive = headOf(200, yes, { connection: 'keep-alive' }) + plainYes
const surplus: [name: string, answer: Answer][] = [
  [
    'two answers to one report',
    (visit) => {
      visit.socket.write(alive + alive)
    },
  ],
  [
    'three answers, the last ones later',
    (visit) => {
      visit.socket.write(alive)
      setTimeout(() => visit.socket.write(alive + alive), 30)
    },
  ],
  [
    'bytes behind the answer',
    (visit) => {
      visit.socket.write(`${alive}surplus bytes\r\n\r\n`)
    },
  ],
  [
    'half of an answer behind the answer',
    (visit) => {
      visit.socket.write(alive + alive.slice(0, 60))
    },
  ],
]
const split = surplus.flatMap(([name, answer]) =>
  ofReports({ name, family }, answer, { only: ['complete'], truths: [true] }),
)

/**
 * An answer that was sent before any request. A complete yes is left out, because no client can tell it from a real
 * one.
 */
const early: Misbehaviour[] = [
  ['half a yes before the request', whole.slice(0, -20)],
  ['a refusal before the request', headOf(400, Buffer.from('{"detail":"no"}')) + '{"detail":"no"}'],
  ['garbage before the request', 'odd\r\n\r\n'],
].map(([name = '', bytes = '']) => ({
  name,
  family,
  kind: 'complete',
  parts: [],
  onConnection: (socket) => {
    socket.write(bytes)
    setTimeout(() => socket.destroy(), 500)
    return true
  },
}))

const elsewhere: Misbehaviour[] = [
  ...(['token', 'reads'] as const).flatMap((at) => [
    ofPlace({ name: 'garbage in place of a status line', family }, at, raw('odd odd odd\r\n\r\n')),
    ofPlace({ name: 'a chunk size that is no number', family }, at, raw(`${chunked}zz\r\n${plainYes}\r\n0\r\n\r\n`)),
    ofPlace({ name: 'HTTP/0.9: a body alone', family }, at, raw(plainYes)),
  ]),
  ofPlace({ name: 'the answer and surplus bytes', family }, 'reads', (visit) => {
    void asReal({ connection: 'keep-alive' })({ ...visit })
    visit.socket.destroySoon()
  }),
]

export const framing: Misbehaviour[] = [...notHttp, ...whatever, ...split, ...early, ...elsewhere]
