import type { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import type { Page } from '../../src-shared/service/paging'
import { readAs } from './read'
import type { Reply } from './reply'

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
