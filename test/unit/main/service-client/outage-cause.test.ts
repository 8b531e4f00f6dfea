import { expect, it } from 'vitest'
import type { OutageCause } from '../../../../src-shared/ipc/contract/outages'
import { isNews, troubleOf } from '../../../../src-main/service/outage-cause'
import type { Reply, ReplyBody } from '../../../../src-main/service/reply'
import type { ServiceError } from '../../../../src-main/service/reply'

const fault = (code: string): Reply => ({ kind: 'no-answer', code, sent: false })
const notAsked = (error: ServiceError): Reply => ({ kind: 'not-asked', error })
const answer = (status: number, body: ReplyBody = { kind: 'json', value: {} }): Reply => ({
  kind: 'answer',
  status,
  body,
  retryAfterMs: null,
})

it.each<[string, Reply, OutageCause | null | undefined]>([
  ['no route', fault('ENETUNREACH'), 'no-network'],
  ['no name server', fault('EAI_AGAIN'), 'no-network'],
  ['an unknown name', fault('ENOTFOUND'), 'no-name'],
  ['nothing listens', fault('ECONNREFUSED'), 'refused'],
  ['no answer in time', fault('DEADLINE'), 'timed-out'],
  ['no connection in time', fault('UND_ERR_CONNECT_TIMEOUT'), 'timed-out'],
  ['an unknown issuer', fault('SELF_SIGNED_CERT_IN_CHAIN'), 'not-trusted'],
  ['a cut line', fault('ECONNRESET'), 'unreachable'],
  ['a code of a later version', fault('UND_ERR_NEW'), 'unreachable'],
  ['a web page', answer(200, { kind: 'page' }), 'foreign-answer'],
  ['an unusable answer', answer(200, { kind: 'unusable', why: 'broken' }), 'foreign-answer'],
  ['a status of the service', answer(503), 'failing'],
  ['a page of its gateway', answer(502, { kind: 'page' }), 'failing'],
  ['a refused token', answer(401), 'credentials-refused'],
  ['too many requests, from a service that answers', answer(429), null],
  ['too many requests for a token', notAsked({ code: 'service/busy' }), 'busy'],
  ['a locked keychain', notAsked({ code: 'keychain/locked' }), 'keychain'],
  ['no client id', notAsked({ code: 'service/credentials-missing' }), 'credentials-missing'],
  ['a refused sign-in', notAsked({ code: 'service/credentials-refused' }), 'credentials-refused'],
  ['a picture of another host', notAsked({ code: 'service/foreign-host' }), undefined],
  ['a refusal', answer(400), null],
  ['an answer', answer(200), null],
])('%s', (_, reply, trouble) => {
  expect(troubleOf(reply)).toBe(trouble)
})

it('takes "no connection" for no news about a line that is known to be down', () => {
  expect(isNews('unreachable', 'no-name')).toBe(false)
  expect(isNews('no-name', 'unreachable')).toBe(true)
  expect(isNews('unreachable', 'failing')).toBe(true)
  expect(isNews('failing', 'failing')).toBe(false)
})
