import type { AppError } from '../../src-shared/errors'
import { TagId, isShortUuid } from '../../src-shared/ids'
import type { Matches, ThingKind, ThingLink } from '../../src-shared/ipc/find-view'
import { type Result, ok } from '../../src-shared/result'
import { classify } from '../../src-shared/scan/classify'
import type { Known } from '../../src-shared/scan/known'
import type { Meaning } from '../../src-shared/scan/meaning'
import { readPackageTag } from '../../src-shared/scan/packages'
import { isUnanswered } from '../../src-shared/unreachable'
import { isStorable, searchable } from '../../src-shared/text'
import type { SeenStore } from '../lookup/seen'
import { looksPersonal } from '../scanner/scan-line'
import type { Asking } from './ask'
import type { CatalogueNames } from './catalogue-names'
import type { FoundStore } from './found-store'
import { judge } from './gaps'
import { collectionLink, link } from './links'
import { type Candidate, mostMatches, ranked } from './ranking'
import type { StoredNames } from './stored-names'

/** What a text may mean. */
export type Search = (text: string) => Promise<Result<Matches, AppError>>

export interface SearchParts {
  asking: Asking
  catalogueNames: CatalogueNames
  storedNames: StoredNames
  store: Pick<FoundStore, 'get' | 'withId'>
  seen: Pick<SeenStore, 'case' | 'tag'>
  hasOrder: (orderId: string) => boolean
  known: () => Known
}

export function createSearch(parts: SearchParts): Search {
  const { asking, store, seen } = parts
  const { v12, v15, turns } = asking

  /** A code that says what it is: nobody needs to be asked to choose it. */
  const certain = (kind: ThingKind, id: string): Matches => {
    const known = store.withId(id).find((one) => one.kind === kind)
    const name = kind === 'tag' ? nameOfTag(id) : kind === 'collection' ? seen.case(id)?.value.name : null
    return { things: [known ?? link(kind, id, name)], orderId: null, silence: null }
  }
  const nameOfTag = (id: string) => storedTags(id)[0]?.name
  const storedTags = (id: string): ThingLink[] => {
    const tag = rememberedTag(seen, id)
    return tag ? [link('tag', id, tag.productName, tag.brandName)] : []
  }

  /** A regulator numbers batches as it numbers packages: those that are known are offered beside the package. */
  const batchesNumbered = async (text: string): Promise<ThingLink[]> => {
    const wanted = searchable(text)
    const catalogue = await parts.catalogueNames()
    const named = [...parts.storedNames(text), ...(catalogue.ok ? catalogue.value : [])]
    const isMeant = ({ link: { kind }, words }: Candidate) =>
      kind === 'batch' && words.some((word) => searchable(word ?? '') === wanted)
    return eachOnce(named.filter(isMeant).map((one) => one.link))
  }

  /** An id says nothing of what it names: everybody who may know it is asked. */
  const byId = async (id: string): Promise<Pick<Matches, 'things' | 'silence'>> => {
    const [item, itemV15, collection, collectionV15, product, productV15, batch, coa] = await Promise.all([
      turns(() => v12.items.get(id)),
      turns(() => v15.items.get(id)),
      turns(() => v12.collections.get(id)),
      turns(() => v15.collections.get(id)),
      turns(() => v12.products.get(id)),
      turns(() => v15.products.get(id)),
      turns(() => v15.batches.get(id)),
      turns(() => v15.digitalCoas.get(id)),
    ])
    const found: ThingLink[] = []
    if (item.ok || itemV15.ok) found.push(storedTags(id)[0] ?? link('tag', id))
    for (const one of [collection, collectionV15]) if (one.ok) found.push(collectionLink(one.value))
    for (const one of [product, productV15]) if (one.ok) found.push(link('product', id, one.value.name, one.value.sku))
    if (batch.ok) found.push(link('batch', id, batch.value.name, batch.value.regulatory_id))
    if (coa.ok) found.push(link('coa', id, coa.value.testing_laboratory?.name))
    const asked = [item, itemV15, collection, collectionV15, product, productV15, batch, coa]
    const remembered = [...store.withId(id), ...storedTags(id), ...storedCase(seen, id)]
    return { things: eachOnce([...found, ...remembered]), silence: silenceOf(asked) }
  }

  const byWords = async (text: string): Promise<Pick<Matches, 'things' | 'silence'>> => {
    const own = parts.storedNames(text)
    // What may name a person is nobody's to know.
    if (!isStorable(text) || looksPersonal(text, false)) return { things: ranked(text, own), silence: null }
    const [collection, collectionV15, catalogue] = await Promise.all([
      turns(() => v12.collections.get(text)),
      turns(() => v15.collections.get(text)),
      parts.catalogueNames(),
    ])
    const named = [collection, collectionV15].flatMap((one): Candidate[] =>
      one.ok ? [{ link: collectionLink(one.value), words: [one.value.identifier, one.value.name ?? null, text] }] : [],
    )
    const listed = catalogue.ok ? catalogue.value : []
    return {
      things: ranked(text, [...named, ...own, ...listed]),
      silence: silenceOf([collection, collectionV15, catalogue]),
    }
  }

  const mean = async (meaning: Meaning, text: string): Promise<Matches> => {
    switch (meaning.kind) {
      case 'tag': {
        if (meaning.certain) return certain('tag', meaning.tagId)
        return { ...(await byId(meaning.tagId)), orderId: null }
      }
      case 'case':
        return certain('collection', meaning.identifier)
      case 'package': {
        if (text.length !== meaning.packageUid.length || readPackageTag(meaning.packageUid)) {
          const matches = certain('package', meaning.packageUid)
          return { ...matches, things: [...matches.things, ...(await batchesNumbered(text))] }
        }
        // Only the shape of a package: it may be what a brand calls its case.
        const { things, silence } = await byWords(text)
        const first = certain('package', meaning.packageUid).things
        return { things: eachOnce([...first, ...things]), orderId: null, silence }
      }
      case 'order':
        return { things: [], orderId: parts.hasOrder(meaning.orderId) ? meaning.orderId : null, silence: null }
      case 'gs1': {
        const digits = withoutPadding(meaning.gtin ?? meaning.text)
        const [product, batch] = [await byWords(digits), meaning.batch === null ? null : await byWords(meaning.batch)]
        return {
          things: eachOnce([...product.things, ...(batch?.things ?? [])]),
          orderId: null,
          silence: product.silence ?? batch?.silence ?? null,
        }
      }
      case 'action':
      case 'badge':
        return { things: [], orderId: null, silence: null }
      case 'unknown': {
        const digits = /^\d{13,14}$/.test(text) ? withoutPadding(text) : text
        const [asRead, asBarcode] = [await byWords(text), digits === text ? null : await byWords(digits)]
        return {
          things: eachOnce([...asRead.things, ...(asBarcode?.things ?? [])]),
          orderId: null,
          silence: asRead.silence ?? asBarcode?.silence ?? null,
        }
      }
    }
  }

  return async (text) => {
    const meant = await mean(classify(text, 'other', { known: parts.known() }), text)
    // Whatever it looks like, it may be the number of an order.
    return ok({ ...meant, orderId: meant.orderId ?? (parts.hasOrder(text) ? text : null) })
  }
}

/** A barcode of a product is padded to 13 or 14 digits; a catalogue has it as it is printed. */
const withoutPadding = (digits: string) => digits.replace(/^0+/, '')

const rememberedTag = (seen: Pick<SeenStore, 'tag'>, id: string) =>
  isShortUuid(id) ? seen.tag(TagId.parse(id))?.value : undefined

const storedCase = (seen: Pick<SeenStore, 'case'>, id: string): ThingLink[] => {
  const found = seen.case(id)?.value
  return found ? [collectionLink({ uuid: found.caseId, identifier: found.identifier, name: found.name })] : []
}

function eachOnce(links: readonly ThingLink[]): ThingLink[] {
  const once = new Map<string, ThingLink>()
  for (const one of links) {
    const key = `${one.kind} ${one.id}`
    const known = once.get(key)
    once.set(key, known && known.name !== null ? known : one)
  }
  return [...once.values()].slice(0, mostMatches)
}

/** Why nobody could be asked; null as soon as one answered. */
function silenceOf(asked: readonly Result<unknown, AppError>[]): AppError | null {
  const failures = asked.flatMap((one) => (one.ok || !isUnanswered(one.error) ? [] : [one.error]))
  return failures.length < asked.length ? null : (judge(failures) ?? null)
}
