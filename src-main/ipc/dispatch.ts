import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { CallAnswer } from '../../src-shared/ipc/client'
import { type CallName, type CallOutput, type CallRequest, callTable, isCallName } from '../../src-shared/ipc/contract'
import { type Result, err, ok } from '../../src-shared/result'
import { type Signer, inHandOf } from '../core/hand'
import type { Log } from '../core/log'
import { isOutOfFiles } from '../core/open-files'
import { notingCommits } from '../database/saved'
import type { Handlers } from './handlers'
import { type RateLimit, createRateLimit, isTooLarge } from './limits'

/** Provides the handlers. Read at each call, because a station that reopens with another profile has other handlers. */
export interface Answering {
  readonly handlers: Partial<Handlers>
  readonly log: Log
  /** Waits while the station reopens; returns why a call is refused, if it is. Call it when the call arrives. */
  admit?(call: CallName): Promise<AppError | undefined>
  /** The people in whose names calls are made. Read at each call; undefined if nothing is open. */
  readonly hands?: Hands | undefined
}

/** The person in whose name a call is made, and what follows from that. */
export interface Hands {
  /** Who is signed in, once the call is admitted. */
  signer(): Signer | null
  /** Why the person can't make the call; undefined if they can. */
  objection<Name extends CallName>(call: Name, input: CallRequest<Name>): AppError | undefined
  /** Called in the hand of the person after a call that was answered. */
  done<Name extends CallName>(call: Name, input: CallRequest<Name>): void
  /** Called after a call that saved something: the person is there. */
  stepped(): void
}

export type Dispatch<Sender> = (sender: Sender, call: unknown, input: unknown) => Promise<CallAnswer>

/**
 * Answers one call: checks the sender, parses the input, calls the handler and parses its answer. Never rejects: an
 * exception becomes `app/unexpected` with a reference to the log, so that none of its text reaches the screen. An
 * exception after a commit becomes `app/saved-unseen`; without one, for want of open files, `store/out-of-files`.
 */
export function createDispatch<Sender>({
  station,
  isTrusted,
  rateLimit = createRateLimit(),
}: {
  station: Answering
  /** If omitted, a limit above what the app's page ever needs. */
  rateLimit?: RateLimit
  /** Whether the sender may make calls; each host knows its own senders. */
  isTrusted: (sender: Sender) => boolean
}): Dispatch<Sender> {
  return async (sender, call, input) => {
    if (!isTrusted(sender)) return err({ code: 'ipc/forbidden-sender' })
    if (typeof call !== 'string' || !isCallName(call)) {
      // Not String(), which throws for some values.
      return err({ code: 'ipc/unknown-call', call: typeof call === 'string' ? call.slice(0, 100) : typeof call })
    }
    if (!rateLimit.take(call)) return err({ code: 'ipc/too-many' })
    if (isTooLarge(input)) return err({ code: 'ipc/too-large' })
    const commits = { hasAny: false }
    try {
      const objection = await station.admit?.(call)
      if (objection) return err(objection)
      return await inHandOf(station.hands?.signer() ?? null, () =>
        notingCommits(commits, () => answer(station, call, input)),
      )
    } catch (cause) {
      const reference = randomUUID().slice(0, 8)
      station.log.error('a call failed', { call, reference, isSaved: commits.hasAny, cause })
      if (!commits.hasAny && isOutOfFiles(cause)) return err({ code: 'store/out-of-files' })
      // After a commit, "not done" would be wrong, and the person would do it again.
      return err({ code: commits.hasAny && !ofStation.test(call) ? 'app/saved-unseen' : 'app/unexpected', reference })
    } finally {
      if (commits.hasAny) station.hands?.stepped()
    }
  }
}

/**
 * These calls only save settings, so a saved setting doesn't mean that the call succeeded: a connection that can't be
 * opened isn't in use.
 */
const ofStation = /^(?:station|profile|join|keep|security|support|update)\./

async function answer<Name extends CallName>(
  station: Pick<Answering, 'handlers' | 'hands'>,
  name: Name,
  input: unknown,
): Promise<Result<CallOutput<Name>, AppError>> {
  const request = callTable[name].input.safeParse(input)
  if (!request.success) return err({ code: 'ipc/invalid-input', issues: issuesOf(request.error) })
  const handlers: Partial<Handlers> = station.handlers
  const handler = handlers[name]
  if (!handler) return err({ code: 'ipc/unknown-call', call: name })
  const objection = station.hands?.objection(name, request.data)
  if (objection) return err(objection)
  const result = await handler(request.data)
  if (!result.ok) return result
  station.hands?.done(name, request.data)
  return ok(callTable[name].output.parse(result.value))
}

const issuesOf = (error: z.ZodError) =>
  error.issues.slice(0, 20).map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
