import { z } from 'zod'
import { toUuid } from '../ids'

/** What this station's own barcodes begin with, as set in Settings; empty for none. What follows is the number. */
export const ScanPrefixes = z.object({
  order: z.string().trim().max(20).default(''),
  badge: z.string().trim().max(20).default(''),
})
export type ScanPrefixes = z.infer<typeof ScanPrefixes>

/** What a station knows of the codes it reads, beside their form. */
export const Known = z.object({
  /** What stands before the id in the addresses of items and of cases: learnt from answers of the service. */
  tagPrefixes: z.array(z.string()).default([]),
  casePrefixes: z.array(z.string()).default([]),
  scanPrefixes: ScanPrefixes.prefault({}),
})
export type Known = z.infer<typeof Known>

export const nothingKnown: Known = Known.parse({})

const beginsAnAddress = /^https?:\/\/[^/?#\s]+[/?#]/i
const canFollow = /^\/?(?:[?#&].*)?$/s

/**
 * The prefix that a printed address teaches: `https://tag.example/` from a `tagid_url` and its TagID, in short or long
 * form, or from a `collection_url` and its identifier. Undefined when the id does not stand at the end of the address.
 */
export function learn(url: string, id: string): string | undefined {
  if (id === '') return undefined
  const long = toUuid(id)
  for (const form of [id, encodeId(id), long, long?.toUpperCase()]) {
    const start = form === undefined ? -1 : url.lastIndexOf(form)
    const prefix = url.slice(0, Math.max(start, 0))
    // A prefix without a host and an end to it would claim every address there is.
    if (beginsAnAddress.test(prefix) && canFollow.test(url.slice(start + (form?.length ?? 0)))) return prefix
  }
  return undefined
}

/** As it stands in an address; a lone surrogate has no such form. */
function encodeId(id: string): string | undefined {
  try {
    return encodeURIComponent(id)
  } catch {
    return undefined
  }
}
