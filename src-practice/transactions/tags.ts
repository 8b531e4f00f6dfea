import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import type { Refusal } from '../http/answers'
import { type Store, query } from '../store/query'

const Known = z.object({ uuid: z.string() })

/**
 * Reads a list of TagIDs: in short form, each once. Refused in this order: ids that are none, ids that nobody knows.
 * `wireId` writes those that the refusal names. Spec: Errors > Transaction errors.
 */
export function createTagListReader(store: Store, wireId = (id: string) => id) {
  const known = query(store, 'SELECT uuid FROM tag_ids WHERE uuid IN (SELECT value FROM json_each(?))', Known)

  return function readList(list: readonly unknown[]): Result<string[], Refusal> {
    const malformed = list.filter((item) => typeof item !== 'string' || parseId(item) === undefined)
    if (malformed.length > 0) return err({ body: { items: { 'Invalid TagIDs': malformed.map(asText) } } })
    const tagIds = [...new Set(list.map((item) => parseId(asText(item)) ?? ''))]
    const found = new Set(known.all(JSON.stringify(tagIds)).map(({ uuid }) => uuid))
    const unknown = tagIds.filter((tagId) => !found.has(tagId)).map(wireId)
    if (unknown.length === 0) return ok(tagIds)
    return err(unusable({ invalid: [], unknown, valid: tagIds.filter((one) => found.has(one)).map(wireId) }))
  }
}

/** Reads the `items` of a complete or return. Refused in this order: none at all, no list, what the list refuses. */
export function createTagReader(store: Store) {
  const readList = createTagListReader(store)

  return function readTags(items: unknown): Result<string[], Refusal> {
    if (items === undefined || items === null || (Array.isArray(items) && items.length === 0)) {
      return err({ body: ['items should be specified when transaction type is complete or return.'] })
    }
    const list = z.array(z.unknown()).safeParse(items)
    return list.success ? readList(list.data) : err({ body: { items: ['Expected a list of items.'] } })
  }
}

/** The body that sorts a request's TagIDs. */
export const unusable = (items: { invalid: string[]; unknown: string[]; valid: string[] }): Refusal => ({
  body: { items },
})

const asText = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item))
