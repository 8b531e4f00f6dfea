import { type Answer, type Misbehaviour, type Place, ofPlace, ofReports } from '../misbehaviour'
import { asReal, drips, headOf, late, plainYes, rawThenSilence, says, silence, tears } from '../wire'

/** Answers that take long, or never end. An answer that hangs goes on hanging after the service recovers. */

const family = 'durations' as const
const half = headOf(200, Buffer.from(plainYes)) + plainYes.slice(0, 30)
const long = headOf(200, Buffer.from(plainYes), { contentLength: '2000' })
const chunked = headOf(200, Buffer.from(''), { contentLength: null, headers: [['Transfer-Encoding', 'chunked']] })
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

/** Never ends: each piece comes before the timeout for a piece. */
const endless: [name: string, answer: Answer][] = [
  ['never answers', silence],
  ['drips headers', drips(head, 'X-Odd: odd\r\n', 500)],
  ['drips a header byte by byte', drips(`${head}X-Odd: `, 'o', 1_000)],
  ['drips a body, a byte a second', drips(long, 'o', 1_000)],
  ['drips white space before JSON', drips(long, ' ', 700)],
  ['drips chunks', drips(chunked, '1\r\n \r\n', 600)],
  ['says a half and falls silent', rawThenSilence(half)],
  ['says the head and falls silent', rawThenSilence(headOf(200, Buffer.from(plainYes)))],
]
const places: Place[] = ['token', 'reads']
const hanging = endless.flatMap(([name, answer]) => [
  ...ofReports({ name, family, isSlow: true }, answer, { only: ['complete'] }),
  ...places.map((at) => ofPlace({ name, family, isSlow: true, looksUp: at === 'reads' }, at, answer)),
])

/** As many as are sent in parallel: nothing else can be sent. */
const crowds = endless
  .filter(([name]) => ['never answers', 'drips a body, a byte a second', 'drips headers'].includes(name))
  .flatMap(([name, answer]) =>
    ofReports({ name: `${name}, to eight reports at once`, family, isSlow: true, crowd: 8 }, answer, {
      only: ['complete'],
    }),
  )

const otherKinds = ofReports({ name: 'drips a body, a byte a second', family, isSlow: true }, drips(long, 'o', 1_000), {
  only: ['void', 'return', 'import'],
})

const lateYes = [
  ...ofReports({ name: 'says yes after 6 s', family, isSlow: true }, late(6_000, asReal()), {
    only: ['complete', 'void', 'import'],
    truths: [true],
  }),
  ...places.map((at) => ofPlace({ name: 'answers after 6 s', family, isSlow: true }, at, late(6_000, asReal()))),
]

const ends: [name: string, answer: Answer][] = [
  ['resets the connection', tears()],
  ['resets in the middle of the head', tears(head)],
  ['resets in the middle of the body', tears(half)],
  ['resets behind the whole head', tears(headOf(200, Buffer.from(plainYes)))],
  ['closes without a word', ({ socket }) => void socket.end()],
  ['closes in the middle of the body', ({ socket }) => void socket.end(half)],
  ['closes in the middle of chunks', ({ socket }) => void socket.end(`${chunked}20\r\n{"status"`)],
]
const ended = ends.flatMap(([name, answer]) => [
  ...ofReports({ name, family }, answer, { only: ['complete', 'import'] }),
  ...places.map((at) => ofPlace({ name, family, looksUp: at === 'reads' }, at, answer)),
])

const connections: Misbehaviour[] = [
  {
    name: 'takes connections and never reads',
    family,
    kind: 'complete',
    parts: [],
    isSlow: true,
    onConnection: (socket) => {
      socket.pause()
      return true
    },
  },
  {
    name: 'takes connections and resets them',
    family,
    kind: 'complete',
    parts: [],
    shows: ['unreachable'],
    onConnection: (socket) => {
      socket.resetAndDestroy()
      return true
    },
  },
  {
    name: 'closes each connection after a second',
    family,
    kind: 'complete',
    parts: [],
    goesOnFor: 2_000,
    onConnection: (socket) => {
      setTimeout(() => socket.destroy(), 1_000)
      return false
    },
  },
  // The answer claims keep-alive, but the connection closes as soon as the next request may be on its way.
  ofPlace({ name: 'says keep-alive and closes', family }, 'reads', (visit) => {
    const { socket } = visit
    void says(404, '{"detail":"Not found."}', { connection: 'keep-alive' })({ ...visit, socket })
  }),
]

export const durations: Misbehaviour[] = [...hanging, ...crowds, ...otherKinds, ...lateYes, ...ended, ...connections]
