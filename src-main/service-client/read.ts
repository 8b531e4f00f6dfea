import type { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { type Result, assertNever, err, ok } from '../../src-shared/result'
import { refusalOf } from './refusal'
import type { Reply } from './reply'

/** A reply that carries no usable answer, as an error. `id` is what was asked for. */
export function errorOfReply(reply: Reply, id: string): AppError {
  switch (reply.kind) {
    case 'not-asked':
      return reply.error
    case 'no-answer':
      return { code: 'service/unreachable' }
    case 'answer':
      return errorOfStatus(reply, id)
    default:
      return assertNever(reply)
  }
}

function errorOfStatus(reply: Extract<Reply, { kind: 'answer' }>, id: string): AppError {
  const { status } = reply
  if (status === 401) return { code: 'service/credentials-refused' }
  if (status === 403) return { code: 'service/forbidden' }
  if (status === 404) return { code: 'service/not-found', id }
  if (status === 429 || status === 503) return { code: 'service/busy' }
  if (status >= 500) return { code: 'service/failing', status }
  if (status >= 400) return refusalOf(status, reply.body)
  // A redirect, or a success whose body is missing or of another kind.
  return { code: 'service/unreadable', path: null }
}

/** The answer to a read, parsed; a wrong shape is reported with the path of its first wrong field. */
export function readAs<T>(schema: z.ZodType<T>, reply: Reply, id: string): Result<T, AppError> {
  if (reply.kind !== 'answer' || reply.status !== 200 || reply.body.kind !== 'json') return err(errorOfReply(reply, id))
  const parsed = schema.safeParse(reply.body.value)
  if (parsed.success) return ok(parsed.data)
  return err({ code: 'service/unreadable', path: parsed.error.issues[0]?.path.join('.') ?? null })
}
