import { ok } from '../../src-shared/result'
import { createHistory } from '../checkout/history'
import { createCollections } from '../collections/collections'
import { createLook } from '../collections/look'
import type { Asking } from '../find/ask'
import { createCatalogueNames } from '../find/catalogue-names'
import { createFind } from '../find/find'
import { createFoundStore } from '../find/found-store'
import { createOwnOperations } from '../find/own-operations'
import { createSearch } from '../find/search'
import { createStoredNames } from '../find/stored-names'
import type { HandlersOf } from '../ipc/handlers'
import { orderKey } from '../outbox/payload'
import { canChangeCases } from '../profile'
import { createTurns } from '../turns'
import type { Ground } from './ground'
import type { LookingUp } from './lookup'
import type { Network } from './network'
import type { Sending } from './outbox'

/** Whatever there is to know of a thing, and the changes to collections that start from it. */
export function joinFind(
  { db, profile, clock, log }: Ground,
  { serviceClock, v12, v15 }: Network,
  { seen, codes, lookup }: LookingUp,
  { outbox, reporting }: Sending,
) {
  const collections = createCollections({
    look: createLook({ client: v12, seen }),
    seen,
    outbox,
    reporting,
    canChangeCases: () => canChangeCases(profile),
  })
  const store = createFoundStore(db)
  const asking: Asking = {
    v12,
    v15,
    turns: createTurns(6),
    learn: (kind, url, id) => codes.learn(kind, url, id),
  }
  const search = createSearch({
    asking,
    catalogueNames: createCatalogueNames({ v15, clock }),
    storedNames: createStoredNames(db, store),
    store,
    seen,
    hasOrder: (orderId) => outbox.read.byKey(orderKey(orderId)).length > 0,
    known: () => codes.known(),
  })
  const find = createFind({
    asking,
    listRemoved: (type) => (type === null ? v15.collections.listRemoved() : v15.collections.listRemovedOfType(type)),
    store,
    seen,
    readCase: (caseId) => lookup.readCase(caseId),
    search,
    ownOperations: createOwnOperations(db, outbox.read),
    view: reporting.view,
    history: createHistory(outbox),
    clock,
    serviceClock,
    log,
  })
  const handlers: HandlersOf<'find' | 'collection'> = {
    'find.search': ({ text }) => find.search(text),
    'find.thing': (ref) => find.thing(ref),
    'find.recent': () => ok(find.recent()),
    'find.known': ({ tagId }) => ok(find.known(tagId)),
    'find.removed': ({ type }) => find.removed(type),

    'collection.remove': ({ collectionId }) => collections.remove(collectionId),
    'collection.restore': ({ collectionId }) => collections.restore(collectionId),
    'collection.removeItem': ({ collectionId, tagId }) => collections.removeItem(collectionId, tagId),
    'collection.restoreItem': ({ collectionId, tagId }) => collections.restoreItem(collectionId, tagId),
    'collection.addItems': ({ caseId, tagIds }) => collections.addItems(caseId, tagIds),
    'collection.addCase': (request) => collections.addCase(request),
  }
  return { handlers }
}
