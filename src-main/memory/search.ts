import { type AppError, isUnanswered } from '../../src-shared/errors'
import type { Matches, EntityKind, EntityLink } from '../../src-shared/ipc/contract/find'
import { type Result, ok } from '../../src-shared/result'
import { classify } from '../../src-shared/scan/classify'
import type { KnownPrefixes } from '../../src-shared/scan/known'
import type { Meaning } from '../../src-shared/scan/meaning'
import { isPackageByLengthOnly } from '../../src-shared/scan/packages'
import { caseName } from '../../src-shared/service/facts'
import { isStorable, searchable } from '../../src-shared/text'
import type { Clock } from '../core/clock'
import { looksPersonal } from '../scanner/scan-line'
import type { V15Client } from '../service/v15'
import { type Asking, judge } from './find/asking'
import { collectionLink, link } from './find/links'
import type { CaseInBrief, Memory } from './store'

interface SearchParts {
  asking: Asking
  catalogue: ReturnType<typeof createCatalogue>
  memory: Memory
  hasOrder: (orderId: string) => boolean
  known: () => KnownPrefixes
}

/** Finds the things that a text may mean. Errors: none; the matches say so if the service could not be asked. */
export function createSearch({ asking, catalogue, memory, hasOrder, known }: SearchParts) {
  const { v12, v15, limit } = asking

  /** A code that says what it is needs no question. */
  const certain = (kind: EntityKind, id: string): EntityLink => {
    const stored = eachOnce(memory.links(id)).find((one) => one.kind === kind)
    const name = kind === 'collection' ? memory.case(id)?.value.name : null
    return stored ?? link(kind, id, name)
  }

  /** A regulator numbers batches as it numbers packages: the known ones are offered beside the package. */
  const batchesNumbered = async (text: string): Promise<EntityLink[]> => {
    const wanted = searchable(text)
    const listed = await catalogue()
    const named = [...storedCandidates(memory, text), ...(listed.ok ? listed.value : [])]
    const isMeant = ({ link: { kind }, words }: Candidate) =>
      kind === 'batch' && words.some((word) => searchable(word ?? '') === wanted)
    return eachOnce(named.filter(isMeant).map((one) => one.link))
  }

  type Part = Pick<Matches, 'things' | 'unreachable'>

  /** An id doesn't say what it names: it is asked for as everything that it may be. */
  const byId = async (id: string): Promise<Part> => {
    const [item, itemV15, collection, collectionV15, product, productV15, batch, coa] = await Promise.all([
      limit(() => v12.items.get(id)),
      limit(() => v15.items.get(id)),
      limit(() => v12.collections.get(id)),
      limit(() => v15.collections.get(id)),
      limit(() => v12.products.get(id)),
      limit(() => v15.products.get(id)),
      limit(() => v15.batches.get(id)),
      limit(() => v15.digitalCoas.get(id)),
    ])
    const found: EntityLink[] = []
    if (item.ok || itemV15.ok) found.push(link('tag', id))
    for (const one of [collection, collectionV15]) if (one.ok) found.push(collectionLink(one.value))
    for (const one of [product, productV15]) if (one.ok) found.push(link('product', id, one.value.name, one.value.sku))
    if (batch.ok) found.push(link('batch', id, batch.value.name, batch.value.regulatory_id))
    if (coa.ok) found.push(link('coa', id, coa.value.testing_laboratory?.name))
    const asked = [item, itemV15, collection, collectionV15, product, productV15, batch, coa]
    return { things: eachOnce([...found, ...memory.links(id), ...storedCase(id)]), unreachable: silenceOf(asked) }
  }
  const storedCase = (id: string) => {
    const seen = memory.case(id)?.value
    return seen ? [collectionLink({ ...seen, uuid: seen.caseId })] : []
  }

  const byWords = async (text: string): Promise<Part> => {
    const own = storedCandidates(memory, text)
    // A text that may name a person is not sent to the service.
    if (!isStorable(text) || looksPersonal(text, false)) return { things: ranked(text, own), unreachable: null }
    const [collection, collectionV15, listed] = await Promise.all([
      limit(() => v12.collections.get(text)),
      limit(() => v15.collections.get(text)),
      catalogue(),
    ])
    const named = [collection, collectionV15].flatMap((one): Candidate[] =>
      one.ok ? [{ link: collectionLink(one.value), words: [one.value.identifier, one.value.name ?? null, text] }] : [],
    )
    return {
      things: ranked(text, [...named, ...own, ...(listed.ok ? listed.value : [])]),
      unreachable: silenceOf([collection, collectionV15, listed]),
    }
  }

  /** The matches of several texts, those of the first one first. */
  const byAnyWords = async (first: string, second: string | null): Promise<Part> => {
    const [one, other] = [await byWords(first), second === null ? null : await byWords(second)]
    return {
      things: eachOnce([...one.things, ...(other?.things ?? [])]),
      unreachable: one.unreachable ?? other?.unreachable ?? null,
    }
  }

  const mean = async (meaning: Meaning, text: string): Promise<Part> => {
    switch (meaning.kind) {
      case 'tag':
        return meaning.certain ? { things: [certain('tag', meaning.tagId)], unreachable: null } : byId(meaning.tagId)
      case 'case':
        return { things: [certain('collection', meaning.identifier)], unreachable: null }
      case 'package': {
        const { packageUid } = meaning
        const first = certain('package', packageUid)
        if (text.length !== packageUid.length || !isPackageByLengthOnly(packageUid))
          return { things: [first, ...(await batchesNumbered(packageUid))], unreachable: null }
        // Only its form is a package's: it may be what a brand calls its case.
        const { things, unreachable } = await byWords(text)
        return { things: eachOnce([first, ...things]), unreachable }
      }
      case 'gs1': {
        const printed = withoutPadding(meaning.gtin ?? meaning.text)
        // Digits alone may also be what a brand calls its case.
        return byAnyWords(printed, meaning.batch ?? (/^\d+$/.test(text) && text !== printed ? text : null))
      }
      case 'order':
      case 'action':
      case 'badge':
      case 'join':
        return { things: [], unreachable: null }
      case 'unknown': {
        const digits = /^\d{13,14}$/.test(text) ? withoutPadding(text) : text
        return byAnyWords(text, digits === text ? null : digits)
      }
    }
  }

  return async (text: string): Promise<Result<Matches, AppError>> => {
    const meaning = classify(text, 'other', { known: known() })
    // Any text may be an order's number, whatever else it looks like.
    const numbers = meaning.kind === 'order' ? [meaning.orderId, text] : [text]
    return ok({ ...(await mean(meaning, text)), orderId: numbers.find(hasOrder) ?? null })
  }
}

/** A product's barcode is padded to 13 or 14 digits; catalogues have it as it is printed. */
const withoutPadding = (digits: string) => digits.replace(/^0+/, '')

const keyOf = ({ kind, id }: EntityLink) => `${kind} ${id}`

/** Each thing once, by the first link that has a name. */
function eachOnce(links: readonly EntityLink[]): EntityLink[] {
  const once = new Map<string, EntityLink>()
  for (const one of links) {
    const known = once.get(keyOf(one))
    once.set(keyOf(one), known && known.name !== null ? known : one)
  }
  return [...once.values()].slice(0, mostMatches)
}

/** Why the service could not be asked; null if one question was answered. */
function silenceOf(asked: readonly Result<unknown, AppError>[]): AppError | null {
  const failures = asked.flatMap((one) => (one.ok || !isUnanswered(one.error) ? [] : [one.error]))
  return failures.length < asked.length ? null : (judge(failures) ?? null)
}

/** A thing, and every text by which it may be looked for. */
interface Candidate {
  link: EntityLink
  words: readonly (string | null)[]
}

/** The length of a list of matches. */
const mostMatches = 50

/** The candidates that match, best first, each thing once; equal ones in the order given. */
export function ranked(text: string, candidates: readonly Candidate[]): EntityLink[] {
  const wanted = searchable(text)
  const parts = wanted.split(/\s+/).filter((part) => part !== '')
  if (parts.length === 0) return []
  const best = new Map<string, { link: EntityLink; rank: number }>()
  for (const { link, words } of candidates) {
    const rank = Math.min(...words.map((word) => rankOf(wanted, parts, searchable(word ?? ''))))
    if (rank === none) continue
    const known = best.get(keyOf(link))
    // A later candidate may have the name that an earlier one lacks.
    const richer = known && known.link.name !== null ? known.link : link
    best.set(keyOf(link), { link: richer, rank: Math.min(rank, known?.rank ?? none) })
  }
  return [...best.values()]
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostMatches)
    .map((one) => one.link)
}

const none = 9

/** The whole word, its beginning, the beginning of a part, anywhere; last, all parts of the text in any order. */
function rankOf(wanted: string, parts: readonly string[], word: string): number {
  if (word === '') return none
  if (word === wanted) return 0
  if (word.startsWith(wanted)) return 1
  const at = word.indexOf(wanted)
  if (at > 0) return /[\p{L}\p{N}]/u.test(word.charAt(at - 1)) ? 3 : 2
  return parts.length > 1 && parts.every((part) => word.includes(part)) ? 4 : none
}

const mostOfAKind = 50

/** The stored things that may match: views that Find has shown, cases with their products and packages, packages. */
function storedCandidates(memory: Memory, text: string): Candidate[] {
  const [longest = ''] = text.split(/\s+/).toSorted((a, b) => b.length - a.length)
  const ofPackage = (uid: string): Candidate => ({ link: link('package', uid), words: [uid] })
  const ofCase = (one: CaseInBrief): Candidate[] => [
    ...one.packagedProducts.map(({ productId, productName, sku, brandName }) => ({
      link: link('product', productId, productName, sku ?? brandName),
      words: [productName, sku, brandName],
    })),
    {
      link: collectionLink({ uuid: one.caseId, name: caseName(one), identifier: one.identifier }),
      words: [
        one.name,
        one.identifier,
        ...one.packagedProducts.flatMap(({ productName, sku, batchName }) => [productName, sku, batchName]),
      ],
    },
    ...one.packageUids.map(ofPackage),
  ]
  return [
    ...memory.viewsWith(longest, mostOfAKind * 4),
    ...memory.casesWith(longest, mostOfAKind * 4).flatMap(ofCase),
    ...memory.packagesWith(longest, mostOfAKind).map(ofPackage),
  ]
}

/** How long the lists of the catalogue count as new, in ms. */
const freshFor = 60_000
/** Limits of what is read of each list: its length is not known before. */
const mostEntries = 500
const patience = 4_000

/** The products and batches of the caller's company, as its catalogue lists them. Spec: Products, Batches (v1.5). */
export function createCatalogue({ v15, clock }: { v15: Pick<V15Client, 'products' | 'batches'>; clock: Clock }) {
  let kept: { at: number; names: Promise<Result<Candidate[], AppError>> } | undefined

  /** The first entries of a list; an error counts only if it comes before all entries. */
  const beginningOf = async <T>(list: AsyncIterable<Result<T, AppError>>): Promise<Result<T[], AppError>> => {
    const until = clock.now() + patience
    const entries: T[] = []
    for await (const entry of list) {
      if (!entry.ok) return entries.length > 0 ? ok(entries) : entry
      entries.push(entry.value)
      if (entries.length >= mostEntries || clock.now() > until) break
    }
    return ok(entries)
  }

  const read = async (): Promise<Result<Candidate[], AppError>> => {
    const [products, batches] = await Promise.all([beginningOf(v15.products.list()), beginningOf(v15.batches.list())])
    if (!products.ok) return products
    if (!batches.ok) return batches
    return ok([
      ...products.value.map((one) => ({
        link: link('product', one.uuid, one.name, one.sku),
        words: [one.name, one.sku ?? null],
      })),
      ...batches.value.map((one) => ({
        link: link('batch', one.uuid, one.name, one.regulatory_id),
        words: [one.name, ...(one.regulatory_id ?? '').split(',')],
      })),
    ])
  }

  return async () => {
    const now = clock.now()
    // A clock that was set back makes the age meaningless: then the lists are read again.
    if (!kept || now - kept.at >= freshFor || now < kept.at) kept = { at: now, names: read() }
    const mine = kept
    const found = await mine.names
    // A failure is not kept: the next search asks again.
    if (!found.ok && kept === mine) kept = undefined
    return found
  }
}
