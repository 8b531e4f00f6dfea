import type { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { type Result, assertNever, err, ok } from '../../src-shared/result'
import { refusalOf } from './refusal'
import type { Reply } from './reply'
import { distrustOf } from './transport'

/** A reply that carries no usable answer, as an error. `id` is what was asked for. */
export function errorOfReply(reply: Reply, id: string): AppError {
  switch (reply.kind) {
    case 'not-asked':
      return reply.error
    case 'no-answer':
      return distrustOf(reply.code) ?? { code: 'service/unreachable' }
    case 'answer':
      return errorOfStatus(reply, id)
    default:
      return assertNever(reply)
  }
}

function errorOfStatus(reply: Extract<Reply, { kind: 'answer' }>, id: string): AppError {
  const { status } = reply
  if (status === 401) return { code: 'service/credentials-refused' }
  if (status === 403) {
    const refusal = refusalOf(status, reply.body)
    // Some older endpoints answer a failed validation with 403: that one can be mended by who made the request.
    return refusal.code === 'service/invalid-fields' ? refusal : { code: 'service/forbidden' }
  }
  if (status === 404) return { code: 'service/not-found', id }
  // A bare 503 is said by gateways of a service that is down; with a time to wait the service itself asks for it.
  if (status === 429 || (status === 503 && reply.retryAfterMs !== null)) return { code: 'service/busy' }
  if (status >= 500) return { code: 'service/failing', status }
  if (status >= 400) return refusalOf(status, reply.body)
  // A redirect, or a success whose body is missing or of another kind.
  return { code: 'service/unreadable', path: null }
}

/** The answer to a read, parsed; a wrong shape is reported with the path of its first wrong field. */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  reply: Reply,
  id: string,
): Result<z.output<Schema>, AppError> {
  if (reply.kind !== 'answer' || reply.status !== 200 || reply.body.kind !== 'json') return err(errorOfReply(reply, id))
  const parsed = schema.safeParse(reply.body.value)
  if (parsed.success) return ok(parsed.data)
  return err({ code: 'service/unreadable', path: pathOf(parsed.error) })
}

/**
 * The answer to a change: what the service made of it, null when it said yes and no more. Where the specification shows
 * no body (`isShown` false) any body but a web page is a yes.
 */
export function readWritten<Answer extends z.ZodType>(
  { answer, isShown }: { answer: Answer; isShown: boolean },
  reply: Reply,
  id: string,
): Result<z.output<Answer> | null, AppError> {
  if (reply.kind !== 'answer' || reply.status < 200 || reply.status > 299) return err(errorOfReply(reply, id))
  const { body } = reply
  if (body.kind === 'none') return ok(null)
  if (body.kind === 'page' || body.kind === 'unusable') return err(errorOfReply(reply, id))
  const parsed = body.kind === 'json' ? answer.safeParse(body.value) : undefined
  if (parsed?.success) return ok(parsed.data)
  if (!isShown) return ok(null)
  return err({ code: 'service/unreadable', path: parsed ? pathOf(parsed.error) : null })
}

/** The path of the first field that is wrong. */
export const pathOf = (error: z.ZodError): string | null =>
  error.issues[0]?.path.join('.').slice(0, longestPath) ?? null

/** Names in it are the service's, characters. */
const longestPath = 100

/** What is wrong with a body of ours, by field, as the service would put it. */
export function fieldsOf(error: z.ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const { path, message } of error.issues) (fields[path.join('.')] ??= []).push(message)
  return fields
}
