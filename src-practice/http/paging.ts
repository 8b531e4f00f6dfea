import type { Ctx } from './context'

/** Paged lists. Spec: Conventions, "Paged lists"; the page size is not shown. */

const pageSize = 50

/** Which page of a list is asked for, from 1; undefined for anything that is no page number. */
function pageNumber(c: Ctx): number | undefined {
  const asked = c.req.queries('page') ?? ['1']
  const [text] = asked
  return asked.length === 1 && text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** A list that can be read in parts, in an order that new entries do not disturb. */
export interface Listed<Entry> {
  count: number
  slice(limit: number, offset: number): Entry[]
}

/** A page that is not there: also the second of a list that fits the first. */
const invalidPage = (c: Ctx) => c.json({ detail: 'Invalid page.' }, 404)

/** Answers the page that was asked for, with the addresses of its neighbours. The first page may be empty. */
export function pageOf<Entry>(c: Ctx, origin: string, list: Listed<Entry>): Response {
  const page = pageNumber(c)
  const last = Math.max(1, Math.ceil(list.count / pageSize))
  if (page === undefined || page > last) return invalidPage(c)
  const address = (number: number) => `${origin}${c.req.path}?page=${number}`
  return c.json({
    count: list.count,
    next: page < last ? address(page + 1) : null,
    previous: page > 1 ? address(page - 1) : null,
    results: list.slice(pageSize, (page - 1) * pageSize),
  })
}
