import { type Kind, type Misbehaviour, ofReports } from '../misbehaviour'
import { type BodySource, type Said, drips, headOf, otherOrigin, plainYes, raw, says } from '../wire'

/** Statuses that a proxy may answer with, whether the report went through or not. */
const unclear = [
  ...[202, 203, 206, 226, 299],
  ...[300, 304, 305, 306],
  ...[400, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424],
  ...[426, 428, 431, 451, 444, 460, 499],
  ...[500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 522, 524, 525, 598, 599, 600, 700, 999],
]

/** Proxy sign-in, early data, rate limit: sent before a request is handled, but not necessarily by the service. */
const early = [407, 425, 429]

const complete = { only: ['complete'] as const }
const family = 'statuses' as const

const texts = unclear.flatMap((status) =>
  ofReports({ name: `${status} with a text`, family }, says(status, 'Odd.', { contentType: 'text/plain' }), complete),
)
const undocumented = [400, 403, 404, 409, 410, 422, 451, 500, 503].flatMap((status) =>
  ofReports({ name: `${status} with JSON of its own`, family }, says(status, '{"code":17,"trace":"a1"}'), complete),
)
const pages = [400, 403, 404, 409, 418, 429, 500, 503].flatMap((status) =>
  ofReports(
    { name: `${status} with a page`, family, ...(status === 429 && { sendsNow: true }) },
    says(status, '<html><h1>Odd</h1></html>', { contentType: 'text/html' }),
    { only: ['complete', 'return'] },
  ),
)
const empty = [204, 205, 400, 403, 404, 409, 500, 503].flatMap((status) =>
  ofReports({ name: `${status} with nothing`, family }, says(status, '', { contentLength: '0' }), {
    only: ['complete', 'import'],
  }),
)
const others = [409, 422, 500, 502, 504].flatMap((status) =>
  ofReports({ name: `${status} with a text`, family }, says(status, 'Odd.', { contentType: 'text/plain' }), {
    only: ['void', 'return', 'import'] satisfies Kind[],
  }),
)

/** The answer asks to wait, or for another token. */
const waits: { name: string; status: number; body?: BodySource; said?: Said }[] = [
  ...early.map((status) => ({ name: 'with a text', status })),
  { name: 'with Retry-After: 3', status: 429, said: { headers: [['Retry-After', '3']] } },
  { name: 'with Retry-After: 3', status: 503, said: { headers: [['Retry-After', '3']] } },
  { name: 'with Retry-After: 600', status: 503, said: { headers: [['Retry-After', '600']] } },
]
/** An expired token: by the specification the service checks the token first, so nothing was taken. */
const expired = ofReports({ name: '401 with a text', family, sendsNow: true }, says(401, '{"detail":"Not now."}'), {
  only: ['complete', 'void'],
  truths: [false],
})
const waiting = waits.flatMap(({ name, status, body = '{"detail":"Not now."}', said }) =>
  ofReports({ name: `${status} ${name}`, family, sendsNow: true }, says(status, body, said), {
    only: ['complete', 'void'],
  }),
)

/** The station doesn't follow a report's redirect: the report would go to a host outside the profile. */
const redirects = [301, 302, 303, 307, 308].flatMap((status) =>
  ofReports(
    { name: `${status} to another host`, family },
    (visit) => says(status, '', { headers: [['Location', otherOrigin(visit)]] })(visit),
    complete,
  ),
)

const interim = (status: number) => `HTTP/1.1 ${status} Odd\r\n\r\n`
const yes = headOf(200, Buffer.from(plainYes)) + plainYes
const interims: Misbehaviour[] = [
  ...ofReports({ name: '2,000 times 100 before a yes', family }, raw(interim(100).repeat(2_000) + yes), {
    only: ['complete'],
    truths: [true],
  }),
  ...ofReports({ name: '103 before a yes', family }, raw(interim(103) + yes), { only: ['complete'], truths: [true] }),
  ...ofReports(
    { name: '101 to a report', family },
    raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\nConnection: Upgrade\r\n\r\n'),
    complete,
  ),
  ...[100, 102, 103].flatMap((status) =>
    ofReports(
      { name: `${status} without end`, family, isSlow: true },
      drips(interim(status), interim(status), 400),
      complete,
    ),
  ),
  ...ofReports({ name: '199', family }, raw(interim(199)), complete),
]

const signIn = ofReports(
  { name: '401 with a page', family, sendsNow: true },
  says(401, '<html>Sign in</html>', { contentType: 'text/html' }),
  { only: ['complete', 'void'], truths: [false] },
)

export const statuses: Misbehaviour[] = [
  ...texts,
  ...undocumented,
  ...pages,
  ...empty,
  ...others,
  ...expired,
  ...waiting,
  ...redirects,
  ...interims,
  ...signIn,
]
