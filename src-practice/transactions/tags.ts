import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import type { Refusal } from '../http/answers'
import { type Store, query } from '../store/query'

const Known = z.object({ uuid: z.string() })

/**
 * Reads the `items` of a complete or return: TagIDs in short form, each once. Refused in this order: none at all, no
 * list, ids that are none, ids that nobody knows. Spec: Errors > Transaction errors.
 */
export function createTagReader(store: Store) {
  const known = query(store, 'SELECT uuid FROM tag_ids WHERE uuid IN (SELECT value FROM json_each(?))', Known)

  return function readTags(items: unknown): Result<string[], Refusal> {
    if (items === undefined || items === null || (Array.isArray(items) && items.length === 0)) {
      return err({ body: ['items should be specified when transaction type is complete or return.'] })
    }
    const list = z.array(z.unknown()).safeParse(items)
    if (!list.success) return err({ body: { items: ['Expected a list of items.'] } })
    const malformed = list.data.filter((item) => typeof item !== 'string' || parseId(item) === undefined)
    if (malformed.length > 0) return err({ body: { items: { 'Invalid TagIDs': malformed.map(asText) } } })
    const tagIds = [...new Set(list.data.map((item) => parseId(asText(item)) ?? ''))]
    const found = new Set(known.all(JSON.stringify(tagIds)).map(({ uuid }) => uuid))
    const unknown = tagIds.filter((tagId) => !found.has(tagId))
    if (unknown.length > 0)
      return err(unusable({ invalid: [], unknown, valid: tagIds.filter((one) => found.has(one)) }))
    return ok(tagIds)
  }
}

/** The body that sorts a request's TagIDs. */
export const unusable = (items: { invalid: string[]; unknown: string[]; valid: string[] }): Refusal => ({
  body: { items },
})

const asText = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item))
