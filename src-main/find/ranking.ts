import type { ThingLink } from '../../src-shared/ipc/find-view'
import { searchable } from '../../src-shared/text'

/** Things that a text may mean, the best first. */

/** A thing, and every text by which it may be looked for. */
export interface Candidate {
  link: ThingLink
  words: readonly (string | null)[]
}

/** As many as a list shows. */
export const mostMatches = 50

/** Those that fit, each thing once; of equals, those that were named first. */
export function ranked(text: string, candidates: readonly Candidate[]): ThingLink[] {
  const wanted = searchable(text)
  const parts = wanted.split(/\s+/).filter((part) => part !== '')
  if (parts.length === 0) return []
  const best = new Map<string, { link: ThingLink; rank: number }>()
  for (const { link, words } of candidates) {
    const rank = Math.min(...words.map((word) => rankOf(wanted, parts, searchable(word ?? ''))))
    if (rank === none) continue
    const key = `${link.kind} ${link.id}`
    const known = best.get(key)
    // Whoever comes later may know its name all the same.
    const richer = known && known.link.name !== null ? known.link : link
    best.set(key, { link: richer, rank: Math.min(rank, known?.rank ?? none) })
  }
  return [...best.values()]
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostMatches)
    .map((one) => one.link)
}

const none = 9

/** All of it, its beginning, the beginning of a word, anywhere; last, all words of it in any order. */
function rankOf(wanted: string, parts: readonly string[], word: string): number {
  if (word === '') return none
  if (word === wanted) return 0
  if (word.startsWith(wanted)) return 1
  const at = word.indexOf(wanted)
  if (at > 0) return /[\p{L}\p{N}]/u.test(word.charAt(at - 1)) ? 3 : 2
  return parts.length > 1 && parts.every((part) => word.includes(part)) ? 4 : none
}
