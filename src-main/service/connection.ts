import { type AppError, type ErrorCode, outOfReach, withoutSignIn } from '../../src-shared/errors'
import { type ConnectionView, isAnswering } from '../../src-shared/ipc/contract/app'
import type { OutageCause } from '../../src-shared/ipc/contract/outages'
import { assertNever } from '../../src-shared/result'
import { type Growth, pauseOf } from '../core/backoff'
import { type Clock, type Timers, iso, systemTimers } from '../core/clock'
import type { Log } from '../core/log'
import { troubleOf } from './outage-cause'
import type { Reply } from './reply'
import type { V12Client } from './v12'

type State = ConnectionView['state']

export interface ConnectionParts {
  clock: Clock
  onChange: (change: { now: State; before: State }) => void
  /** A reply shows the service at work (null), or the trouble that keeps it from it. */
  onTrouble?: (trouble: OutageCause | null) => void
  /** The service answers again after trouble of any length: it's worth checking whether it accepts reports too. */
  onAnswering: () => void
  /** The service answers again after an outage of so many ms: reports that could not be sent may be sent now. 0 if
   * only this station's sign-in was wrong. */
  onRecovery: (outageMs: number) => void
  log: Log
  timers?: Timers
}

/**
 * The shortest trouble that counts as an outage, and the shortest time between two recoveries, in ms: a service that
 * answers every other request must not cancel the pauses between attempts.
 */
const shortestOutage = 2_000
const betweenRecoveries = 20_000

/** A request that waits longer than this, in ms, or is answered later, shows a slow connection. */
const slowAfter = 2_500

/** Connectivity derived from requests, regardless of what the operating system reports. */
export function createConnection(parts: ConnectionParts) {
  const { clock, onChange, onTrouble, onAnswering, onRecovery, log, timers = systemTimers } = parts
  let state: State = 'unknown'
  let since = clock.now()
  let recoveredAt = Number.NEGATIVE_INFINITY
  /** Start of the current trouble of any kind; null while online. */
  let troubledSince: number | null = null

  const change = (now: State) => {
    const before = state
    state = now
    since = clock.now()
    const troubled = troubledSince
    troubledSince = isAnswering(now) ? null : (troubledSince ?? since)
    onChange({ now, before })
    if (!isAnswering(now) || troubled === null) return
    onAnswering()
    const wasOutage = before.startsWith('credentials') || !isWithin(since - troubled, shortestOutage)
    if (!wasOutage || isWithin(since - recoveredAt, betweenRecoveries)) return
    recoveredAt = since
    onRecovery(before.startsWith('credentials') ? 0 : Math.max(since - troubled, 0))
  }

  const show = (next: State) => {
    if (next === state) return
    try {
      change(next)
    } catch (cause) {
      // A listener may fail (a full disk); the reply must not be lost because of it.
      log.error('a change of the connection was not taken in', { next, cause })
    }
  }
  let answeredAt = Number.NEGATIVE_INFINITY
  let busyAt = Number.NEGATIVE_INFINITY
  const note = (reply: Reply, isLate = false) => {
    answeredAt = timers.monotonic()
    if (reply.kind === 'answer' && reply.status === 429) busyAt = answeredAt
    const trouble = troubleOf(reply)
    if (trouble !== undefined) onTrouble?.(trouble)
    const next = stateShownBy(reply)
    if (next !== undefined) show(next === 'online' && isLate ? 'slow' : next)
  }

  return {
    view: (): ConnectionView => ({ state, since: iso(since) }),
    /** True if the last reply showed trouble; false before the first reply. */
    isOutOfReach: () => !isAnswering(state) && state !== 'unknown',
    /** True if the service answers, at once or late. */
    isAnswering: () => isAnswering(state),
    /** How long ago the last reply was, in ms; Infinity before the first. */
    quietMs: () => timers.monotonic() - answeredAt,
    /** How long ago the service last said that there were too many requests, in ms; Infinity if never. */
    busyMs: () => timers.monotonic() - busyAt,
    /** A reply; `isLate`: it took longer than a person takes for an answer. */
    note,
    /**
     * A request begins; call the returned function with its reply. "Connected" must not stay while nothing answers: after
     * seconds without a reply the connection is shown as slow. Uploads take long on any line.
     */
    asked(isUpload: boolean) {
      let isLate = false
      const cancel = isUpload
        ? undefined
        : timers.after(slowAfter, () => {
            isLate = true
            if (state === 'online' || state === 'unknown') show('slow')
          })
      return (reply: Reply | null) => {
        cancel?.()
        if (reply) note(reply, isLate)
      }
    },
  }
}

export type Connection = ReturnType<typeof createConnection>

/** A clock that was set back makes the duration negative, which says nothing about its real length. */
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
      // A page instead of JSON comes from something between the station and the service; an unusable body may come from
      // anything.
      return reply.status >= 500 || reply.body.kind === 'page' || reply.body.kind === 'unusable' ? 'failing' : 'online'
    default:
      return assertNever(reply)
  }
}

const isOneOf = (codes: readonly ErrorCode[], code: ErrorCode) => codes.includes(code)

/** The state shown by an error in getting a token. */
function stateOfError(code: ErrorCode): State | undefined {
  if (code === 'service/out-of-files') return 'out-of-files'
  if (isOneOf(outOfReach, code)) return 'unreachable'
  if (code === 'service/credentials-refused') return 'credentials-refused'
  // No credentials are stored, or the keychain doesn't return them.
  if (isOneOf(withoutSignIn, code)) return 'credentials-missing'
  if (code === 'service/failing' || code === 'service/busy' || code === 'service/unreadable') return 'failing'
  return undefined
}

/**
 * Pauses between probes during trouble: short enough to notice soon that the line is back, and random, so that the
 * stations of a store don't ask a failing service at the same moment.
 */
const pauses: Growth = { first: 2_000, factor: 1.5, longest: 10_000, jitter: 0.5 }
/** In ms. A probe without an answer by then is repeated with more patience: the service may be slow. */
const patience = 2_500
const longestPatience = 10_000
/** An idle station asks after this time without a reply, in ms: the line may have dropped unnoticed. */
const quietAfter = 10_000
/** So soon after a late answer, in ms: one that comes in time ends "slow". */
const slowAfterwards = 1_500
/** Pauses grow up to this probe of a slow service: its answers are a pause of their own. */
const mostSlow = 3
/** It asks nothing so long after "too many requests", in ms: ten thousand idle stations would be 900 requests a second. */
const restAfterBusy = 60_000
/** During trouble no probe is needed so soon after another reply, in ms: what is sent anyway shows the same. */
const justReplied = 1_000

/** The id of all zeros, which no item has: a working service answers "not found". */
const absentId = '2222222222222222222222'

/**
 * Asks the service for a harmless read during trouble and after silence, so that the status bar is right without a scan.
 * `isWatched`: whether a page shows the state; if not, an idle station asks nothing. `random`: [0, 1), for the jitter; it and
 * `timers` are a simulation's.
 */
export function createProbe(
  connection: Connection,
  client: Pick<V12Client, 'items'>,
  log: Log,
  isWatched: () => boolean,
  { random = Math.random, timers = systemTimers }: { random?: () => number; timers?: Timers } = {},
) {
  let cancel: (() => void) | undefined
  let isStopped = false
  let asked = 0

  let asking: Promise<AppError | null> | undefined
  /** An answer of any kind is one: the item doesn't exist. */
  const askOnce = async () => {
    const reply = await client.items.get(absentId, { expects: 'report' })
    return reply.ok || reply.error.code === 'service/not-found' ? null : reply.error
  }

  const next = () => {
    cancel?.()
    if (isStopped) return
    cancel = timers.after(pauseOf(pauses, Math.max(asked - 1, 0), random), () => void look())
  }
  const look = async (isUnsure = false) => {
    // Retry-After needs no handling here: reads already pause as long as an earlier answer asked.
    try {
      if (connection.isAnswering() && !isUnsure) {
        const isSlow = connection.view().state === 'slow'
        if (!isSlow) asked = 0
        // No probe is needed while requests are answered.
        const isIdle = isWatched() && connection.quietMs() >= quietAfter && connection.busyMs() >= restAfterBusy
        if (isIdle || (isSlow && connection.quietMs() >= slowAfterwards)) {
          if (isSlow) asked = Math.min(asked + 1, mostSlow)
          await client.items.get(absentId, { expects: 'report' })
        }
      } else if (isUnsure || connection.quietMs() >= justReplied) {
        asked += 1
        await client.items.get(absentId, { patience: Math.min(patience * asked, longestPatience), expects: 'report' })
      }
    } catch (cause) {
      log.error('the probe failed', { cause })
    }
    next()
  }

  return {
    start: () => void look(),
    /** Asks once for all who want an answer now, such as for the service's clock. Returns why there was none, or null. */
    ask: (): Promise<AppError | null> =>
      (asking ??= askOnce().finally(() => {
        asking = undefined
      })),
    /** Asks at once, even if the last state was online: used after the computer slept. */
    askNow: () => void look(true),
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}
