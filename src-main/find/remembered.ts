import type { ThingKind } from '../../src-shared/ipc/find-view'

import { PackageUid, ShortUuid, TagId, parseId } from '../../src-shared/ids'
import type { CaseFacts, PackagedProductFacts, TagFacts } from '../../src-shared/service/facts'
import type { PackageCases } from '../../src-shared/service/package-uids'
import type { Seen, SeenStore } from '../lookup/seen'
import type { AnyBody, Body } from './body'
import { count, facts, id, text, when } from './facts'
import { link } from './links'
import { mostMembers } from './members'
import { packageBody } from './package-thing'

/**
 * What other screens have seen of a thing that was never looked up: cases, items and packages, as far as their facts go.
 * What they don't tell is for the caller to name.
 */
export function rememberedBody(seen: SeenStore, kind: ThingKind, of: string): Seen<AnyBody> | undefined {
  switch (kind) {
    case 'tag': {
      const found = seen.tag(TagId.parse(of))
      return found && { ...found, value: tagFromFacts(found.value) }
    }
    case 'collection': {
      const found = seen.case(parseId(of) ?? of)
      return found && { ...found, value: caseFromFacts(found.value) }
    }
    case 'package': {
      const found = seen.package(PackageUid.parse(of))
      return found && { ...found, value: packageFromSeen(seen, of, found.value) }
    }
    case 'product':
    case 'batch':
    case 'coa':
      return undefined
  }
}

function tagFromFacts(tag: TagFacts): Body<'tag'> {
  return {
    kind: 'tag',
    ref: { kind: 'tag', id: tag.tagId },
    name: tag.productName,
    facts: facts(id('id', tag.tagId), text('brand', tag.brandName), when('sold-on', tag.soldOn)),
    pictureUrl: tag.pictureUrl,
    product: tag.productId === null ? null : link('product', tag.productId, tag.productName, tag.brandName),
    batch: null,
    coas: [],
    holders:
      tag.caseId === null
        ? []
        : [
            {
              link: link('collection', tag.caseId),
              type: 'case',
              subType: null,
              company: null,
              addedOn: null,
              removedOn: null,
            },
          ],
    pastHolders: [],
    sale: tag.soldOn === null ? null : { orderId: null, at: tag.soldOn, by: 'service' },
  }
}

function caseFromFacts(one: CaseFacts): Body<'collection'> {
  return {
    kind: 'collection',
    ref: { kind: 'collection', id: one.caseId },
    name: one.name,
    collectionId: ShortUuid.parse(one.caseId),
    identifier: one.identifier,
    type: 'case',
    isRemoved: false,
    caseId: one.caseId,
    facts: facts(
      id('id', one.caseId),
      text('identifier', one.identifier === one.caseId ? null : one.identifier),
      text('type', 'case'),
      text('brand', one.packagedProducts[0]?.brandName),
      ...one.packageUids.map((packageUid) => text('package-uid', packageUid)),
      count('tag-count', one.tags.length),
      count('required-count', one.requiredCount),
    ),
    pictureUrl: one.packagedProducts.map(({ pictureUrl }) => pictureUrl).find((url) => url !== null) ?? null,
    packagedProducts: one.packagedProducts.map(packagedFromFacts),
    coas: [],
    cases: [],
    regulatorIds: [],
    items: one.tags.slice(0, mostMembers).map(({ tagId, productName, soldOn }) => ({
      tagId,
      productName,
      packageUid: null,
      addedOn: null,
      removedOn: null,
      importedOn: null,
      soldOn,
    })),
    itemCount: one.tags.length,
    removedItems: [],
    removedItemCount: 0,
  }
}

const packagedFromFacts = (one: PackagedProductFacts) => ({
  packagedProductId: one.packagedProductId,
  product: link('product', one.productId, one.productName, one.sku),
  // Only its name was kept: there is nothing to open.
  batch: null,
  regulatoryId: null,
  packagedOn: one.packagedOn,
  useBy: one.useBy,
})

const packageFromSeen = (seen: Pick<SeenStore, 'case'>, packageUid: string, cases: PackageCases): Body<'package'> => {
  const read = Object.keys(cases.case_ids).flatMap((caseId) => seen.case(caseId)?.value ?? [])
  return packageBody({ packageUid, cases, collection: undefined, read })
}
