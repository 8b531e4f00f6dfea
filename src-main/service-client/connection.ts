import type { ErrorCode } from '../../src-shared/errors'
import type { ConnectionView } from '../../src-shared/ipc/app-view'
import { outOfReach, withoutSignIn } from '../../src-shared/unreachable'
import { assertNever } from '../../src-shared/result'
import { type Clock, iso } from '../clock'
import type { Log } from '../log'
import type { Reply } from './reply'

type State = ConnectionView['state']

/** Connectivity as the requests show it; what the operating system believes does not matter. */
export interface Connection {
  view(): ConnectionView
  /** The last thing that is known is trouble. Before the first reply nothing is known. */
  isOutOfReach(): boolean
  note(reply: Reply): void
}

export interface ConnectionParts {
  clock: Clock
  onChange: (change: { now: State; before: State }) => void
  /** The service answers again, after however short a trouble: worth finding out whether it takes reports too. */
  onAnswering: () => void
  /** The service answers again after an outage: what could not be sent may go now. */
  onRecovery: () => void
  log: Log
}

/**
 * An outage is one that lasted, in ms, and there is one recovery in so many: a service that answers every other request
 * must not undo the pauses between attempts.
 */
const shortestOutage = 2_000
const betweenRecoveries = 20_000

export function createConnection({ clock, onChange, onAnswering, onRecovery, log }: ConnectionParts): Connection {
  let state: State = 'unknown'
  let since = clock.now()
  let recoveredAt = Number.NEGATIVE_INFINITY
  /** Since when nobody answers as they should, whatever the trouble is at the moment; null while all is well. */
  let troubledSince: number | null = null

  const change = (now: State) => {
    const before = state
    state = now
    since = clock.now()
    const troubled = troubledSince
    troubledSince = now === 'online' ? null : (troubledSince ?? since)
    onChange({ now, before })
    if (now !== 'online' || troubled === null) return
    onAnswering()
    const wasOutage = before.startsWith('credentials') || !isWithin(since - troubled, shortestOutage)
    if (!wasOutage || isWithin(since - recoveredAt, betweenRecoveries)) return
    recoveredAt = since
    onRecovery()
  }

  return {
    view: () => ({ state, since: iso(since) }),
    isOutOfReach: () => state !== 'online' && state !== 'unknown',
    note(reply) {
      const next = stateShownBy(reply)
      if (next === undefined || next === state) return
      try {
        change(next)
      } catch (cause) {
        // Whoever listens may fail (a full disk); the answer that we are told of must not get lost over it.
        log.error('a change of the connection was not taken in', { next, cause })
      }
    },
  }
}

/** A clock that was set back makes a time negative: it tells nothing, least of all that it was short. */
const isWithin = (passed: number, limit: number) => passed >= 0 && passed < limit

/** What one reply tells of the connection; undefined when it tells nothing. */
function stateShownBy(reply: Reply): State | undefined {
  switch (reply.kind) {
    case 'no-answer':
      return 'unreachable'
    case 'not-asked':
      return stateOfError(reply.error.code)
    case 'answer':
      if (reply.status === 401) return 'credentials-refused'
      // A page where JSON was due comes from something between us and the service; a body that can't be used from anything.
      return reply.status >= 500 || reply.body.kind === 'page' || reply.body.kind === 'unusable' ? 'failing' : 'online'
    default:
      return assertNever(reply)
  }
}

const isOneOf = (codes: readonly ErrorCode[], code: ErrorCode) => codes.includes(code)

/** Why a token could not be had. */
function stateOfError(code: ErrorCode): State | undefined {
  if (isOneOf(outOfReach, code)) return 'unreachable'
  if (code === 'service/credentials-refused') return 'credentials-refused'
  // None are stored, or the keychain gives none.
  if (isOneOf(withoutSignIn, code)) return 'credentials-missing'
  if (code === 'service/failing' || code === 'service/busy' || code === 'service/unreadable') return 'failing'
  return undefined
}
