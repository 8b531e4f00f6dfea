import type { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { type Result, assertNever, err, ok } from '../../src-shared/result'
import type { Page } from '../../src-shared/service/paging'
import { type Reply, refusalOf } from './reply'
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

/**
 * The entries of a paged list, in order. A page is asked for when its first entry is; breaking off asks no more. The list
 * ends with an error when a page can't be had, when `next` leads to another origin (`service/foreign-host`: the token
 * stays here) or back to a page that was seen, or beyond the thousandth (`service/unreadable`, path `next`). Spec: Conventions, "Paged lists".
 */
export async function* follow<T>(
  ask: (url: string) => Promise<Reply>,
  schema: z.ZodType<Page<T>>,
  first: string,
): AsyncGenerator<Result<T, AppError>, void> {
  const seen = new Set<string>()
  let url: string | undefined = first
  while (url !== undefined) {
    seen.add(url)
    const page: Result<Page<T>, AppError> = readAs(schema, await ask(url), '')
    if (!page.ok) {
      yield page
      return
    }
    for (const entry of page.value.results) yield ok(entry)
    const next: Result<string | undefined, AppError> = nextOf(page.value, url, seen)
    if (!next.ok) {
      yield next
      return
    }
    url = next.value
  }
}

/** A list that is longer leads on forever. */
const mostPages = 1_000
/** In characters. */
const longestAddress = 8_192

/** The address of the page after this one; undefined after the last. */
function nextOf<T>(page: Page<T>, url: string, seen: Set<string>): Result<string | undefined, AppError> {
  if (page.next == null) return ok(undefined)
  const next = addressOf(page.next, url)
  if (next === undefined || seen.has(next) || seen.size >= mostPages)
    return err({ code: 'service/unreadable', path: 'next' })
  if (new URL(next).origin !== new URL(url).origin) return err({ code: 'service/foreign-host' })
  // A page with nothing on it that promises more would lead on forever.
  return page.results.length === 0 ? err({ code: 'service/unreadable', path: 'results' }) : ok(next)
}

/** `next` as a whole address, without the user and the fragment that it has no business to hold. */
function addressOf(next: string, current: string): string | undefined {
  if (next.length > longestAddress || !URL.canParse(next, current)) return undefined
  const { origin, pathname, search } = new URL(next, current)
  return origin === 'null' ? undefined : `${origin}${pathname}${search}`
}
