import type { Answer, Misbehaviour, Visit } from '../misbehaviour'
import { elsewhere, otherOrigin, rewritten } from '../wire'

/** Lists whose next page is elsewhere, is the same page again, or never the last. */

const nextIs = (next: (visit: Visit) => unknown): Answer =>
  rewritten((key, value, visit) => (key === 'next' ? next(visit) : value))

const pageOf = ({ asked }: Visit) => Number(new URL(asked.path, 'http://127.0.0.1').searchParams.get('page') ?? '1')
const here = ({ socket }: Visit) => `http://127.0.0.1:${socket.localPort ?? 0}`

const links: [name: string, answer: Answer][] = [
  ['is on another host', nextIs(otherOrigin)],
  [
    'is on another host, without a scheme',
    nextIs((visit) => `//localhost:${visit.socket.localPort ?? 0}${elsewhere}/`),
  ],
  ['is on another host, with a password', nextIs((visit) => otherOrigin(visit).replace('//', '//u:p@'))],
  ['is the same page', nextIs((visit) => `${here(visit)}${visit.asked.path}`)],
  ['is the first page', nextIs((visit) => `${here(visit)}${visit.asked.path.split('?')[0] ?? ''}`)],
  [
    'is never the last',
    nextIs((visit) => `${here(visit)}${visit.asked.path.split('?')[0] ?? ''}?page=${pageOf(visit) + 1}`),
  ],
  ['is a script', nextIs(() => 'javascript:alert(1)')],
  ['is a file', nextIs(() => 'file:///etc/passwd')],
  ['is a number', nextIs(() => 2)],
  ['is empty', nextIs(() => '')],
  ['is of 1 MB', nextIs((visit) => `${here(visit)}/${'o'.repeat(1_000_000)}`)],
  ['is true', nextIs(() => true)],
]

export const paging: Misbehaviour[] = links.map(([name, answer]) => ({
  name: `the next page of a list ${name}`,
  family: 'paging',
  kind: 'complete',
  looksUp: true,
  parts: [{ at: 'reads', isTaken: true, answer }],
}))
