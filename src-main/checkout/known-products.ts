import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { ShortUuid } from '../../src-shared/ids'
import { TagFacts } from '../../src-shared/service/facts'
import { parseStored } from '../store/settings'

/** What a line of a cart is drawn with. */
export type LineProduct = Pick<TagFacts, 'productName' | 'brandName' | 'pictureUrl'>

/** The products of lines, by the key of the line: for a line that has no items left to tell them. */
export interface KnownProducts {
  note(key: string, product: LineProduct): void
  of(key: string): LineProduct
}

export function createKnownProducts(db: Database): KnownProducts {
  const noted = new Map<string, LineProduct>()
  // Reads every item ever seen: asked once for a line that was left without items before a restart.
  const seen = db.prepare(`
    SELECT content AS facts FROM memory
    WHERE kind = 'tag' AND form = 'facts' AND json_valid(content) AND content ->> '$.productId' = ? ORDER BY asked_at DESC LIMIT 1`)
  const look = (key: string): LineProduct => {
    const unknown = { productName: null, brandName: null, pictureUrl: null }
    // A line of which only the name is known is called by it.
    if (!ShortUuid.safeParse(key).success) return { ...unknown, productName: key }
    const row = z.object({ facts: z.string() }).optional().parse(seen.get(key))
    const facts = row && parseStored(TagFacts, row.facts)
    return facts ? productOf(facts) : unknown
  }
  return {
    note: (key, product) => void noted.set(key, productOf(product)),
    of(key) {
      const known = noted.get(key) ?? look(key)
      noted.set(key, known)
      return known
    },
  }
}

const productOf = ({ productName, brandName, pictureUrl }: LineProduct): LineProduct => ({
  productName,
  brandName,
  pictureUrl,
})
