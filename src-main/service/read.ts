import type { z } from 'zod'
import { type Result, assertNever, err, ok } from '../../src-shared/result'
import type { ListPage } from '../../src-shared/service/wire'
import { type Reply, type ServiceError, refusalOf } from './reply'
import { distrustOf } from './transport'

/** The error for a reply without a usable answer. `id`: the requested entity. */
export function errorOfReply(reply: Reply, id: string): ServiceError {
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

function errorOfStatus(reply: Extract<Reply, { kind: 'answer' }>, id: string): ServiceError {
  const { status } = reply
  if (status === 401) return { code: 'service/credentials-refused' }
  if (status === 403) {
    const refusal = refusalOf(status, reply.body)
    // Some older endpoints answer a failed validation with 403. Unlike a real 403, the caller can correct it.
    return refusal.code === 'service/invalid-fields' ? refusal : { code: 'service/forbidden' }
  }
  if (status === 404) return { code: 'service/not-found', id }
  // A 503 without Retry-After comes from gateways while the service is down; with Retry-After, the service itself asks
  // for a pause.
  if (status === 429 || (status === 503 && reply.retryAfterMs !== null)) return { code: 'service/busy' }
  if (status >= 500) return { code: 'service/failing', status }
  if (status >= 400) return refusalOf(status, reply.body)
  // A redirect, or a success without a body or with one of another kind.
  return { code: 'service/unreadable', path: null }
}

/** The parsed answer to a read. If the shape is wrong, the error has the path of the first wrong field. */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  reply: Reply,
  id: string,
): Result<z.output<Schema>, ServiceError> {
  if (reply.kind !== 'answer' || reply.status !== 200 || reply.body.kind !== 'json') return err(errorOfReply(reply, id))
  const parsed = schema.safeParse(reply.body.value)
  if (parsed.success) return ok(parsed.data)
  return err({ code: 'service/unreadable', path: pathOf(parsed.error) })
}

/**
 * The answer to a change: the changed entity, or null if the service only confirmed. Where the specification shows no
 * body (`isShown` false), any body but a web page counts as a confirmation.
 */
export function readWritten<Answer extends z.ZodType>(
  { answer, isShown }: { answer: Answer; isShown: boolean },
  reply: Reply,
  id: string,
): Result<z.output<Answer> | null, ServiceError> {
  if (reply.kind !== 'answer' || reply.status < 200 || reply.status > 299) return err(errorOfReply(reply, id))
  const { body } = reply
  if (body.kind === 'none') return ok(null)
  if (body.kind === 'page' || body.kind === 'unusable') return err(errorOfReply(reply, id))
  const parsed = body.kind === 'json' ? answer.safeParse(body.value) : undefined
  if (parsed?.success) return ok(parsed.data)
  if (!isShown) return ok(null)
  return err({ code: 'service/unreadable', path: parsed ? pathOf(parsed.error) : null })
}

/** The path of the first wrong field. */
export const pathOf = (error: z.ZodError): string | null =>
  error.issues[0]?.path.join('.').slice(0, longestPath) ?? null

/** In characters. The path contains names chosen by the service. */
const longestPath = 100

/** The errors in a request body by field, in the form the service uses. */
export function fieldsOf(error: z.ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const { path, message } of error.issues) (fields[path.join('.')] ??= []).push(message)
  return fields
}

/**
 * The entries of a paged list, in order. A page is requested when its first entry is read; a caller that stops reading
 * requests no more. The list ends with an error if a page can't be read, if `next` leads to another origin
 * (`service/foreign-host`: the token isn't sent there), or if `next` leads back to an earlier page or beyond the
 * thousandth (`service/unreadable`, path `next`). Spec: Conventions, "Paged lists".
 */
export async function* follow<T>(
  ask: (url: string) => Promise<Reply>,
  schema: z.ZodType<ListPage<T>>,
  first: string,
): AsyncGenerator<Result<T, ServiceError>, void> {
  const seen = new Set<string>()
  let url: string | undefined = first
  while (url !== undefined) {
    seen.add(url)
    const page: Result<ListPage<T>, ServiceError> = readAs(schema, await ask(url), '')
    if (!page.ok) {
      yield page
      return
    }
    for (const entry of page.value.results) yield ok(entry)
    const next: Result<string | undefined, ServiceError> = nextOf(page.value, url, seen)
    if (!next.ok) {
      yield next
      return
    }
    url = next.value
  }
}

/** A longer list is taken for an endless one. */
const mostPages = 1_000
/** In characters. */
const longestAddress = 8_192

/** The URL of the next page; undefined after the last. */
function nextOf<T>(page: ListPage<T>, url: string, seen: Set<string>): Result<string | undefined, ServiceError> {
  if (page.next == null) return ok(undefined)
  const next = addressOf(page.next, url)
  if (next === undefined || seen.has(next) || seen.size >= mostPages)
    return err({ code: 'service/unreadable', path: 'next' })
  if (new URL(next).origin !== new URL(url).origin) return err({ code: 'service/foreign-host' })
  // Empty pages with a `next` could go on forever.
  return page.results.length === 0 ? err({ code: 'service/unreadable', path: 'results' }) : ok(next)
}

/** `next` as an absolute URL, without user info or fragment. */
function addressOf(next: string, current: string): string | undefined {
  if (next.length > longestAddress || !URL.canParse(next, current)) return undefined
  const { origin, pathname, search } = new URL(next, current)
  return origin === 'null' ? undefined : `${origin}${pathname}${search}`
}
