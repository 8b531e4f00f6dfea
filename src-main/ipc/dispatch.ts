import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { Answer } from '../../src-shared/ipc/client'
import { type CallName, type CallOutput, callTable, isCallName } from '../../src-shared/ipc/contract'
import { type Result, err, ok } from '../../src-shared/result'
import type { Log } from '../log'
import { notingCommits } from '../store/saved'
import type { Handlers } from './handlers'
import { type RateLimit, createRateLimit, isTooLarge } from './limits'

/** What answers. It is read at each call: a station opens anew with another profile, and has other handlers then. */
export interface Answering {
  readonly handlers: Partial<Handlers>
  readonly log: Log
  /** Waits while the station opens anew; why a call that could be answered is not. To be asked as the call comes. */
  admit?(call: CallName): Promise<AppError | undefined>
}

export interface DispatchParts<Sender> {
  station: Answering
  /** Left out, as much as a page of ours ever needs. */
  rateLimit?: RateLimit
  /** Whether a call may come from there: each host knows its own senders. */
  isTrusted: (sender: Sender) => boolean
}

export type Dispatch<Sender> = (sender: Sender, call: unknown, input: unknown) => Promise<Answer>

/**
 * Answers one call: checks who asks, parses the input, calls the handler, parses what it gives. Never rejects: an
 * exception becomes `app/unexpected` with a reference to the log, so that nothing of it reaches the screen; one that came
 * after a commit becomes `app/saved-unseen`.
 */
export function createDispatch<Sender>({
  station,
  isTrusted,
  rateLimit = createRateLimit(),
}: DispatchParts<Sender>): Dispatch<Sender> {
  return async (sender, call, input) => {
    if (!isTrusted(sender)) return err({ code: 'ipc/forbidden-sender' })
    if (typeof call !== 'string' || !isCallName(call)) {
      // Not String(): there are things that can't be made a text.
      return err({ code: 'ipc/unknown-call', call: typeof call === 'string' ? call.slice(0, 100) : typeof call })
    }
    if (!rateLimit.take(call)) return err({ code: 'ipc/too-many' })
    if (isTooLarge(input)) return err({ code: 'ipc/too-large' })
    const commits = { hasAny: false }
    try {
      const objection = await station.admit?.(call)
      return objection ? err(objection) : await notingCommits(commits, () => answer(station.handlers, call, input))
    } catch (cause) {
      const reference = randomUUID().slice(0, 8)
      station.log.error('a call failed', { call, reference, isSaved: commits.hasAny, cause })
      // "Not done" would be said of what is on the disk, and done a second time.
      return err({ code: commits.hasAny && !ofStation.test(call) ? 'app/saved-unseen' : 'app/unexpected', reference })
    }
  }
}

/** What these save is a choice, and only what is done with it counts: a connection that can't be opened is not in use. */
const ofStation = /^(?:station|connection|security|support|update)\./

async function answer<Name extends CallName>(
  handlers: Partial<Handlers>,
  name: Name,
  input: unknown,
): Promise<Result<CallOutput<Name>, AppError>> {
  const request = callTable[name].input.safeParse(input)
  if (!request.success) return err({ code: 'ipc/invalid-input', issues: issuesOf(request.error) })
  const handler = handlers[name]
  if (!handler) return err({ code: 'ipc/unknown-call', call: name })
  const result = await handler(request.data)
  return result.ok ? ok(callTable[name].output.parse(result.value)) : result
}

const issuesOf = (error: z.ZodError) =>
  error.issues.slice(0, 20).map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
