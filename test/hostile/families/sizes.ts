import { gzipSync } from 'node:zlib'
import { type Answer, type Misbehaviour, type Place, ofPlace, ofReports } from '../misbehaviour'
import { headOf, plainYes, pours, says } from '../wire'

/** Answers of hundreds of megabytes, plain and compressed, sent as fast as the station reads them. */

const family = 'sizes' as const
const megabyte = 1024 * 1024
const letters = Buffer.alloc(megabyte, 'o')
const space = Buffer.alloc(megabyte, ' ')
const chunk = Buffer.concat([Buffer.from(`${megabyte.toString(16)}\r\n`), letters, Buffer.from('\r\n')])
const crumbs = Buffer.from('1\r\no\r\n'.repeat(50_000))
const pressed = gzipSync(space)
const none = Buffer.from('')

const ofLength = (bytes: number) => headOf(200, none, { contentLength: String(bytes) })
const inChunks = headOf(200, none, { contentLength: null, headers: [['Transfer-Encoding', 'chunked']] })

/** A megabyte of white space, compressed, repeated: gzip members may follow one another. */
const bomb = (megabytes: number): Answer =>
  says(200, () => Buffer.concat([...Array.from({ length: megabytes }, () => pressed), gzipSync(plainYes)]), {
    headers: [['Content-Encoding', 'gzip']],
  })

const large: [name: string, answer: Answer][] = [
  ['400 MB', pours(ofLength(400 * megabyte), letters, 400 * megabyte)],
  ['400 MB of unknown length', pours(inChunks, chunk, 400 * chunk.length, '0\r\n\r\n')],
  ['400 MB until the connection ends', pours(headOf(200, none, { contentLength: null }), letters, 400 * megabyte)],
  [
    '400 MB of white space before JSON',
    pours(ofLength(400 * megabyte + plainYes.length), space, 400 * megabyte, plainYes),
  ],
  ['a head of 16 MB', pours('HTTP/1.1 200 OK\r\nX-Odd: ', letters, 16 * megabyte)],
  ['16 MB of headers', pours('HTTP/1.1 200 OK\r\n', Buffer.from('X-Odd: odd\r\n'.repeat(50_000)), 16 * megabyte)],
  ['20 MB in chunks of one byte', pours(inChunks, crumbs, 20 * crumbs.length * 4, '0\r\n\r\n')],
  ['a gzip bomb of 300 MB', bomb(300)],
  ['a length of 5 GB, and 10 MB of it', pours(ofLength(5_000_000_000), letters, 10 * megabyte)],
]
const places: Place[] = ['token', 'reads']

const poured = large.flatMap(([name, answer]) => [
  ...ofReports({ name, family }, answer, { only: ['complete'] }),
  ...places.map((at) => ofPlace({ name, family, looksUp: at === 'reads' }, at, answer)),
])

/** More than a string may hold: a process that reads it into one string crashes. */
const beyond = ofReports(
  { name: '2.2 GB', family, isSlow: true },
  pours(ofLength(2_200 * megabyte), letters, 2_200 * megabyte),
  { only: ['complete'], truths: [true] },
)
const refused = ofReports(
  { name: 'a refusal of 400 MB', family },
  pours(headOf(400, none, { contentLength: String(400 * megabyte) }), letters, 400 * megabyte),
  { only: ['complete', 'return'] },
)
const error = [500, 302, 401].flatMap((status) =>
  ofReports(
    { name: `400 MB with ${status}`, family, ...(status === 401 && { sendsNow: true }) },
    pours(headOf(status, none, { contentLength: String(400 * megabyte) }), letters, 400 * megabyte),
    { only: ['complete'], truths: [false] },
  ),
)

export const sizes: Misbehaviour[] = [...poured, ...beyond, ...refused, ...error]
