import type { ErrorCode } from '../../src-shared/errors'
import type { OutageCause } from '../../src-shared/ipc/contract/outages'
import { assertNever } from '../../src-shared/result'
import type { Reply } from './reply'
import { distrustOf } from './transport'

/** The computer has no way out, or can't even ask for a name. */
const withoutNetwork = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'EAI_FAIL',
])
const tooSlow = new Set([
  'DEADLINE',
  'ETIMEDOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

function causeOfFault(code: string): OutageCause {
  if (withoutNetwork.has(code)) return 'no-network'
  if (code === 'ENOTFOUND') return 'no-name'
  if (code === 'ECONNREFUSED') return 'refused'
  if (tooSlow.has(code)) return 'timed-out'
  return distrustOf(code) === undefined ? 'unreachable' : 'not-trusted'
}

/** Why no token was available. */
const ofErrors: Partial<Record<ErrorCode, OutageCause>> = {
  'service/unreachable': 'unreachable',
  'service/out-of-files': 'out-of-files',
  'service/not-trusted': 'not-trusted',
  'profile/no-ca-file': 'not-trusted',
  'service/credentials-refused': 'credentials-refused',
  'service/credentials-missing': 'credentials-missing',
  'keychain/missing': 'keychain',
  'keychain/locked': 'keychain',
  'keychain/denied': 'keychain',
  'keychain/failing': 'keychain',
  'keychain/vanished': 'keychain',
  'keychain/mismatch': 'keychain',
  'service/failing': 'failing',
  'service/busy': 'busy',
  'service/unreadable': 'foreign-answer',
}

/** The trouble that a reply shows: null if the service answered, undefined if it shows neither. Pure and total. */
export function troubleOf(reply: Reply): OutageCause | null | undefined {
  switch (reply.kind) {
    case 'no-answer':
      return causeOfFault(reply.code)
    case 'not-asked':
      return ofErrors[reply.error.code]
    case 'answer':
      if (reply.status === 401) return 'credentials-refused'
      if (reply.status >= 500) return 'failing'
      return reply.body.kind === 'page' || reply.body.kind === 'unusable' ? 'foreign-answer' : null
    default:
      return assertNever(reply)
  }
}

const ofTheLine = new Set<OutageCause>(['out-of-files', 'no-network', 'no-name', 'refused', 'timed-out', 'not-trusted'])

/** Whether a cause says something new after another: "no connection" is no news about a name that isn't found. */
export const isNews = (cause: OutageCause, last: OutageCause): boolean =>
  cause !== last && !(cause === 'unreachable' && ofTheLine.has(last))
