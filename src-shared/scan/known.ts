import { z } from 'zod'
import { toUuid } from '../ids'

/** Prefixes of this station's own barcodes, set in Settings; empty for none. The number follows the prefix. */
export const ScanPrefixes = z.object({
  order: z.string().trim().max(20).default(''),
  badge: z.string().trim().max(20).default(''),
})
export type ScanPrefixes = z.infer<typeof ScanPrefixes>

/** What a station knows about codes besides their form. */
export const KnownPrefixes = z.object({
  /** The part before the id in addresses of items and cases, learnt from answers of the service. */
  tagPrefixes: z.array(z.string()).default([]),
  casePrefixes: z.array(z.string()).default([]),
  scanPrefixes: ScanPrefixes.prefault({}),
})
export type KnownPrefixes = z.infer<typeof KnownPrefixes>

export const nothingKnown: KnownPrefixes = KnownPrefixes.parse({})

const beginsAnAddress = /^https?:\/\/[^/?#\s]+[/?#]/i
const canFollow = /^\/?(?:[?#&].*)?$/s

/**
 * The prefix of a printed address: `https://tag.example/` from a `tagid_url` and its TagID, in short or long form, or from a
 * `collection_url` and its identifier. Undefined if the address doesn't end with the id.
 */
export function learn(url: string, id: string): string | undefined {
  if (id === '') return undefined
  const long = toUuid(id)
  for (const form of [id, encodeId(id), long, long?.toUpperCase()]) {
    const start = form === undefined ? -1 : url.lastIndexOf(form)
    const prefix = url.slice(0, Math.max(start, 0))
    // A prefix without a complete host would match every address.
    if (beginsAnAddress.test(prefix) && canFollow.test(url.slice(start + (form?.length ?? 0)))) return prefix
  }
  return undefined
}

/** Percent-encoded; undefined for a lone surrogate. */
function encodeId(id: string): string | undefined {
  try {
    return encodeURIComponent(id)
  } catch {
    return undefined
  }
}
