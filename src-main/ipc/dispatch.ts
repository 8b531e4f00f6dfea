import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { Answer } from '../../src-shared/ipc/client'
import { type CallName, type CallOutput, callTable, isCallName } from '../../src-shared/ipc/contract'
import { type Result, err, ok } from '../../src-shared/result'
import type { Log } from '../log'
import type { Handlers } from './handlers'

export interface DispatchParts<Sender> {
  handlers: Handlers
  /** Whether a call may come from there: each host knows its own senders. */
  isTrusted: (sender: Sender) => boolean
  log: Log
}

export type Dispatch<Sender> = (sender: Sender, call: unknown, input: unknown) => Promise<Answer>

/**
 * Answers one call: checks who asks, parses the input, calls the handler, parses what it gives. Never rejects: an
 * exception becomes `app/unexpected` with a reference to the log, so that nothing of it reaches the screen.
 */
export function createDispatch<Sender>({ handlers, isTrusted, log }: DispatchParts<Sender>): Dispatch<Sender> {
  return async (sender, call, input) => {
    if (!isTrusted(sender)) return err({ code: 'ipc/forbidden-sender' })
    if (typeof call !== 'string' || !isCallName(call)) {
      return err({ code: 'ipc/unknown-call', call: String(call).slice(0, 100) })
    }
    try {
      return await answer(handlers, call, input)
    } catch (cause) {
      const reference = randomUUID().slice(0, 8)
      log.error('a call failed', { call, reference, cause })
      return err({ code: 'app/unexpected', reference })
    }
  }
}

async function answer<Name extends CallName>(
  handlers: Handlers,
  name: Name,
  input: unknown,
): Promise<Result<CallOutput<Name>, AppError>> {
  const request = callTable[name].input.safeParse(input)
  if (!request.success) return err({ code: 'ipc/invalid-input', issues: issuesOf(request.error) })
  const result = await handlers[name](request.data)
  return result.ok ? ok(callTable[name].output.parse(result.value)) : result
}

const issuesOf = (error: z.ZodError) =>
  error.issues.slice(0, 20).map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
