import { type ResultOf, isUnanswered } from '../../src-shared/errors'
import { type CaseId, CaseId as CaseIdSchema, type PackageUid, type TagId } from '../../src-shared/ids'
import type { Knowledge } from '../../src-shared/ipc/contract/receiving'
import { type Result, err, ok } from '../../src-shared/result'
import type { Collection } from '../../src-shared/service/collections'
import {
  type CaseFacts,
  type CoaFacts,
  type TagFacts,
  caseFacts,
  instant,
  pictureOf,
} from '../../src-shared/service/facts'
import type { Item } from '../../src-shared/service/items'
import type { PackageCases } from '../../src-shared/service/imports'
import type { Product } from '../../src-shared/service/products'
import { iso } from '../core/clock'
import type { RoomContext } from '../core/context'
import { createGroupCommit } from '../database/group-commit'
import type { KnownCodes } from '../scanner/known-codes'
import type { ServiceCode, ServiceError } from '../service/reply'
import type { V12Client } from '../service/v12'
import type { Cached } from './memory-rows'
import { type CaseInBrief, type Memory, inBrief } from './store'

/** An answer of the service, or what is cached of an earlier one. */
export interface LookedUp<T> {
  value: T
  knowledge: Knowledge
  /** Why the service could not be asked; null if it was. */
  unreachable: ServiceError | null
}

/** Asks the service, caches its answer, and falls back on the cache when the service doesn't answer. */
export interface Lookup {
  /** By CaseID or by the identifier on its label. `scan/wrong-place`: it is a TagID. */
  case(idOrIdentifier: string): Promise<ResultOf<LookedUp<CaseFacts>, ServiceCode | 'scan/wrong-place'>>
  package(packageUid: PackageUid): Promise<Result<LookedUp<PackageCases>, ServiceError>>
  /** Always asks. `scan/wrong-place`: the id is a case's. */
  tag(tagId: TagId): Promise<ResultOf<TagFacts, ServiceCode | 'scan/wrong-place'>>
  /** What is cached of an item, without asking. */
  cached(tagId: TagId): TagFacts | undefined
}

/** What is cached, with when the service was asked. */
export interface Recall {
  /** What is cached of an item, without asking. */
  cachedTag(tagId: TagId): Cached<TagFacts> | undefined
  /** What is cached of the certificates of an item: with the item itself, otherwise with its case. Without asking. */
  cachedCoa(tagId: TagId): CoaFacts | undefined
  /** What is cached of a package, without asking. */
  cachedPackage(packageUid: PackageUid): Cached<PackageCases> | undefined
}

/**
 * Reads a case by its id, whatever is remembered of it, and remembers the answer. `collection`: the same case asked about as a
 * collection, which tells what is sold.
 */
export type ReadCase = (
  caseId: string,
  collection?: Promise<Result<Collection, ServiceError>>,
) => Promise<Result<CaseFacts, ServiceError>>

/** `codes` receive every address that the service prints on a label, with the id it stands for. */
export function createLookup(
  { db, clock, log }: Pick<RoomContext, 'db' | 'clock' | 'log'>,
  client: Pick<V12Client, 'cases' | 'collections' | 'items' | 'packageUids' | 'products'>,
  seen: Memory,
  codes: Pick<KnownCodes, 'learn'>,
): Lookup & Recall & { readCase: ReadCase } {
  const commitInGroup = createGroupCommit(db)
  /**
   * Caching is a convenience: a full disk must not turn an answer into a failure. Answers that arrive together, as those
   * of a delivery's lanes do, are kept in one commit.
   */
  const cache = async (keep: () => void) => {
    try {
      await commitInGroup(keep)
    } catch (cause) {
      log.warn('what was looked up could not be remembered', { cause })
    }
  }
  const asked = <T>(value: T, askedAt: number): Result<LookedUp<T>, never> =>
    ok({ value, knowledge: { source: 'now', knownAt: iso(askedAt) }, unreachable: null })
  const orCached = <T>(error: ServiceError, cached: Cached<T> | undefined): Result<LookedUp<T>, ServiceError> =>
    isUnanswered(error) && cached ? ok({ ...recall(cached), unreachable: error }) : err(error)

  const askCase = async (idOrIdentifier: string, alsoAsked?: Promise<Result<Collection, ServiceError>>) => {
    const askedAt = clock.now()
    const [detail, collection] = await Promise.all([client.cases.get(idOrIdentifier), alsoAsked])
    if (!detail.ok) return detail
    codes.learn('case', detail.value.collection_url, detail.value.identifier)
    const facts = caseFacts(detail.value, collection?.ok ? collection.value : undefined)
    await cache(() => {
      seen.keepCase(facts, askedAt, clock.now())
    })
    return ok(facts)
  }

  const askTag = async (tagId: TagId): Promise<Result<TagFacts, ServiceError>> => {
    const askedAt = clock.now()
    const item = await client.items.get(tagId)
    if (!item.ok) return item
    codes.learn('tag', item.value.tagid_url, tagId)
    const caseId = caseOfItem(item.value)
    if (caseId !== undefined) {
      // Side by side: the detail tells what it is, the collection whether it was sold.
      const facts = await askCase(caseId, client.collections.get(caseId))
      const found = facts.ok ? facts.value.tags.find((tag) => tag.tagId === tagId) : undefined
      if (found) return ok(found)
    }
    const product = item.value.product_uuid == null ? undefined : await client.products.get(item.value.product_uuid)
    const facts = looseFacts(item.value, product?.ok ? product.value : undefined)
    await cache(() => {
      seen.keepTag(facts, askedAt, clock.now())
    })
    return ok(facts)
  }

  return {
    async case(idOrIdentifier) {
      const askedAt = clock.now()
      const facts = await askCase(idOrIdentifier)
      if (facts.ok) return asked(facts.value, askedAt)
      if (facts.error.code === 'service/not-found' && (await client.items.get(idOrIdentifier)).ok) {
        return err({ code: 'scan/wrong-place', found: 'tag', expected: 'case' })
      }
      return orCached(facts.error, seen.case(idOrIdentifier))
    },
    readCase: (caseId, collection) => askCase(caseId, collection),
    async package(packageUid) {
      const askedAt = clock.now()
      const cases = await client.packageUids.cases(packageUid)
      if (!cases.ok) return orCached(cases.error, seen.package(packageUid))
      await cache(() => {
        seen.keepPackage(packageUid, cases.value, askedAt, clock.now())
      })
      return asked(cases.value, askedAt)
    },
    async tag(tagId) {
      const facts = await askTag(tagId)
      if (facts.ok || facts.error.code !== 'service/not-found') return facts
      // An id alone doesn't say what it names: it may be a case's.
      const asCase = await client.cases.get(tagId)
      return asCase.ok ? err({ code: 'scan/wrong-place', found: 'case', expected: 'tag' }) : facts
    },
    cached: (tagId) => seen.tag(tagId)?.value,
    cachedTag: (tagId) => seen.tag(tagId),
    cachedCoa: (tagId) => seen.coaOf(tagId),
    cachedPackage: (packageUid) => seen.package(packageUid),
  }
}

/** The facts of an item whose case could not be read, or that is in none. */
export function looseFacts(item: Item, product: Product | undefined): TagFacts {
  const caseId = caseOfItem(item)
  const wasInCase = [...item.collections, ...(item.removed_collections ?? [])].some(
    (entry) => entry.collection_type === 'case',
  )
  return {
    tagId: item.uuid,
    caseId: caseId ?? null,
    productId: item.product_uuid ?? null,
    productName: product?.name ?? null,
    brandName: null,
    pictureUrl: pictureOf(product?.images),
    // An item without a case can't have been imported with one.
    isImported: caseId === undefined ? false : null,
    soldOn: null,
    ...(caseId === undefined && wasInCase && { isRemovedFromCase: true }),
    ...(product?.published_on === undefined ? {} : { isPublished: product.published_on !== null }),
  }
}

/** What is cached, marked as such. */
export const recall = <T>({ value, seenAt }: Cached<T>): LookedUp<T> => ({
  value,
  knowledge: { source: 'stored', knownAt: iso(seenAt) },
  unreachable: null,
})

/** A case without its items. */
export const briefOf = (known: LookedUp<CaseFacts>): LookedUp<CaseInBrief> => ({
  ...known,
  value: inBrief(known.value),
})

/** The case that holds an item now: the newest one that it was not taken out of. */
export function caseOfItem(item: Item): CaseId | undefined {
  const cases = item.collections.filter((entry) => entry.collection_type === 'case' && entry.removed_on == null)
  const newest = cases.toSorted((a, b) => instant(b.added_on) - instant(a.added_on))[0]
  return newest && CaseIdSchema.parse(newest.uuid)
}
