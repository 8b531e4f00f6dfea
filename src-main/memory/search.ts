import { type AppError, isUnanswered } from '../../src-shared/errors'
import type { PackageUid } from '../../src-shared/ids'
import type { Matches, EntityKind, EntityLink } from '../../src-shared/ipc/contract/find'
import { type Result, ok } from '../../src-shared/result'
import { classify } from '../../src-shared/scan/classify'
import type { Meaning } from '../../src-shared/scan/meaning'
import { isPackageByLengthOnly } from '../../src-shared/scan/packages'
import { caseName } from '../../src-shared/service/facts'
import { isStorable, searchable } from '../../src-shared/text'
import { looksPersonal } from '../scanner/scan-line'
import { orderKey } from '../outbox/payload'
import { type Candidate, Catalogue } from './catalogue'
import type { FindContext } from './find-context'
import { judge } from './find/asking'
import { collectionLink, link } from './find/links'
import type { CaseInBrief, Memory } from './store'

type FoundThings = Pick<Matches, 'things' | 'unreachable'>

/** Finds the things that a text may mean. The matches say so if the service could not be asked. */
export class Search {
  readonly #context: FindContext
  readonly #catalogue: Catalogue

  constructor(context: FindContext) {
    this.#context = context
    this.#catalogue = new Catalogue(context.asking.v15, context.clock)
  }

  async find(text: string): Promise<Result<Matches, never>> {
    const { codes, outbox } = this.#context
    const hasOrder = (orderId: string) => outbox.read.byKey(orderKey(orderId)).length > 0
    const meaning = classify(text, 'other', { known: codes.known() })
    // Any text may be an order's number, whatever else it looks like.
    const numbers = meaning.kind === 'order' ? [meaning.orderId, text] : [text]
    return ok({ ...(await this.#mean(meaning, text)), orderId: numbers.find(hasOrder) ?? null })
  }

  async #mean(meaning: Meaning, text: string): Promise<FoundThings> {
    switch (meaning.kind) {
      case 'tag':
        return meaning.certain ? found(this.#certain('tag', meaning.tagId)) : this.#byId(meaning.tagId)
      case 'case':
        return found(this.#certain('collection', meaning.identifier))
      case 'package':
        return this.#byPackage(meaning.packageUid, text)
      case 'gs1': {
        const printed = withoutPadding(meaning.gtin ?? meaning.text)
        // Digits alone may also be what a brand calls its case.
        return this.#byAnyWords(printed, meaning.batch ?? (/^\d+$/.test(text) && text !== printed ? text : null))
      }
      case 'order':
      case 'action':
      case 'badge':
      case 'join':
        return found()
      case 'unknown': {
        const digits = /^\d{13,14}$/.test(text) ? withoutPadding(text) : text
        return this.#byAnyWords(text, digits === text ? null : digits)
      }
    }
  }

  /** A code that says what it is needs no question. */
  #certain(kind: EntityKind, id: string): EntityLink {
    const { seen: memory } = this.#context
    const stored = eachOnce(memory.links(id)).find((one) => one.kind === kind)
    const name = kind === 'collection' ? memory.case(id)?.value.name : null
    return stored ?? link(kind, id, name)
  }

  async #byPackage(packageUid: PackageUid, text: string): Promise<FoundThings> {
    const first = this.#certain('package', packageUid)
    if (text.length !== packageUid.length || !isPackageByLengthOnly(packageUid))
      return found(first, ...(await this.#batchesNumbered(packageUid)))
    // Only its form is a package's: it may be what a brand calls its case.
    const { things, unreachable } = await this.#byWords(text)
    return { things: eachOnce([first, ...things]), unreachable }
  }

  /** A regulator numbers batches as it numbers packages: the known ones are offered beside the package. */
  async #batchesNumbered(text: string): Promise<EntityLink[]> {
    const { seen: memory } = this.#context
    const catalogue = this.#catalogue
    const wanted = searchable(text)
    const listed = await catalogue.candidates()
    const named = [...storedCandidates(memory, text), ...(listed.ok ? listed.value : [])]
    const isMeant = ({ link: { kind }, words }: Candidate) =>
      kind === 'batch' && words.some((word) => searchable(word ?? '') === wanted)
    return eachOnce(named.filter(isMeant).map((one) => one.link))
  }

  /** An id doesn't say what it names: it is asked for as everything that it may be. */
  async #byId(id: string): Promise<FoundThings> {
    const { v12, v15, limit } = this.#context.asking
    const { seen: memory } = this.#context
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
    const named: EntityLink[] = []
    if (item.ok || itemV15.ok) named.push(link('tag', id))
    for (const one of [collection, collectionV15]) if (one.ok) named.push(collectionLink(one.value))
    for (const one of [product, productV15]) if (one.ok) named.push(link('product', id, one.value.name, one.value.sku))
    if (batch.ok) named.push(link('batch', id, batch.value.name, batch.value.regulatory_id))
    if (coa.ok) named.push(link('coa', id, coa.value.testing_laboratory?.name))
    const asked = [item, itemV15, collection, collectionV15, product, productV15, batch, coa]
    return {
      things: eachOnce([...named, ...memory.links(id), ...storedCase(memory, id)]),
      unreachable: silenceOf(asked),
    }
  }

  async #byWords(text: string): Promise<FoundThings> {
    const { v12, v15, limit } = this.#context.asking
    const own = storedCandidates(this.#context.seen, text)
    // A text that may name a person is not sent to the service.
    if (!isStorable(text) || looksPersonal(text, false)) return { things: ranked(text, own), unreachable: null }
    const [collection, collectionV15, listed] = await Promise.all([
      limit(() => v12.collections.get(text)),
      limit(() => v15.collections.get(text)),
      this.#catalogue.candidates(),
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
  async #byAnyWords(first: string, second: string | null): Promise<FoundThings> {
    const [one, other] = [await this.#byWords(first), second === null ? null : await this.#byWords(second)]
    return {
      things: eachOnce([...one.things, ...(other?.things ?? [])]),
      unreachable: one.unreachable ?? other?.unreachable ?? null,
    }
  }
}

const found = (...things: EntityLink[]): FoundThings => ({ things, unreachable: null })

function storedCase(memory: Memory, id: string): EntityLink[] {
  const seen = memory.case(id)?.value
  return seen ? [collectionLink({ ...seen, uuid: seen.caseId })] : []
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
    ...memory.views.withWords(longest, mostOfAKind * 4),
    ...memory.casesWith(longest, mostOfAKind * 4).flatMap(ofCase),
    ...memory.packagesWith(longest, mostOfAKind).map(ofPackage),
  ]
}
