import type { ErrorCode } from '../../src-shared/errors'
import type { ConnectionView } from '../../src-shared/ipc/contract/app'
import { assertNever } from '../../src-shared/result'
import { outOfReach, withoutSignIn } from '../../src-shared/unreachable'
import { type Growth, pauseOf } from '../backoff'
import { type Clock, iso } from '../clock'
import type { Log } from '../log'
import type { Reply } from './reply'
import type { V12Client } from './v12'

type State = ConnectionView['state']

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

/** Connectivity as the requests show it; what the operating system believes does not matter. */
export function createConnection({ clock, onChange, onAnswering, onRecovery, log }: ConnectionParts) {
  let state: State = 'unknown'
  let since = clock.now()
  let recoveredAt = Number.NEGATIVE_INFINITY
  /** Start of the current trouble, of whatever kind; null while online. */
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
    view: (): ConnectionView => ({ state, since: iso(since) }),
    /** The last thing that is known is trouble. Before the first reply nothing is known. */
    isOutOfReach: () => state !== 'online' && state !== 'unknown',
    note(reply: Reply) {
      const next = stateShownBy(reply)
      if (next === undefined || next === state) return
      try {
        change(next)
      } catch (cause) {
        // A listener may fail (a full disk); the reply must not get lost over it.
        log.error('a change of the connection was not taken in', { next, cause })
      }
    },
  }
}

export type Connection = ReturnType<typeof createConnection>

/** A clock that was set back makes a time negative: it tells nothing, least of all that it was short. */
const isWithin = (passed: number, limit: number) => passed >= 0 && passed < limit

/** The state that a reply shows; undefined if it shows none. */
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

interface ProbeParts {
  connection: Connection
  client: Pick<V12Client, 'items'>
  log: Log
  /** [0, 1), for the jitter. */
  random?: () => number
}

/**
 * Between two questions while something is wrong: a line that comes back is to be seen soon, and a service in trouble is
 * not to be asked by all stations of a store in step.
 */
const pauses: Growth = { first: 2_000, factor: 1.5, longest: 10_000, jitter: 0.5 }
/** In ms; a probe that is not answered by then is asked again. */
const patience = 2_500

/** No item has the id of zeros: "not found" is the answer of a service that is well. */
const nobody = '2222222222222222222222'

/** Asks the service something harmless while it is out of reach, so that the bar tells the truth without a scan. */
export function createProbe({ connection, client, log, random = Math.random }: ProbeParts) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let asked = 0

  const next = () => {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => void look(), pauseOf(pauses, Math.max(asked - 1, 0), random))
    timer.unref()
  }
  const look = async (isUnsure = false) => {
    // While requests succeed there is nothing to find out.
    try {
      if (connection.view().state === 'online' && !isUnsure) asked = 0
      else {
        asked += 1
        // Retry-After needs no care here: reads rest as long as an answer to one of them said.
        await client.items.get(nobody, { patience, expects: 'report' })
      }
    } catch (cause) {
      log.error('the probe failed', { cause })
    }
    next()
  }

  return {
    start: () => void look(),
    /** Asks at once, even if all was well a moment ago: the computer slept. */
    askNow: () => void look(true),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
