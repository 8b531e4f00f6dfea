import { ok } from '../../src-shared/result'
import pLimit from 'p-limit'
import type { Verdicts } from '../counter/verdicts'
import { Collections, createLook } from '../collections/collections'
import type { HandlersOf } from '../ipc/handlers'
import type { Asking } from '../memory/find/asking'
import type { FindContext } from '../memory/find-context'
import { Find } from '../memory/find/find'
import { Search } from '../memory/search'
import { canChangeCases } from '../credentials/profile'
import type { Gates } from '../security/gates'
import type { CoreContext } from './context'
import type { LookupParts, Network } from './network'
import type { OutboxParts } from './outbox'

/** Details of items, cases and other things, and the changes of collections made from there. */
export function createFindParts(
  core: CoreContext,
  { serviceClock, v12, v15 }: Network,
  { seen, codes, lookup }: LookupParts,
  { outbox, reporting }: OutboxParts,
  gates: Gates,
  verdicts: Verdicts,
) {
  const collections = new Collections({
    look: createLook(v12.collections, seen),
    seen,
    outbox,
    reporting,
    canChangeCases: () => canChangeCases(core.profile),
  })
  const asking: Asking = { v12, v15, limit: pLimit(6), learn: (kind, url, id) => codes.learn(kind, url, id) }
  const context: FindContext = { ...core, asking, seen, codes, lookup, outbox, reporting, verdicts, serviceClock }
  const search = new Search(context)
  const find = new Find(context)
  const handlers: HandlersOf<'find' | 'collection'> = {
    'find.search': ({ text }) => search.find(text),
    'find.entity': (ref) => find.thing(ref),
    'find.recent': () => ok(find.recent()),
    'find.known': ({ tagId }) => ok(find.known(tagId)),
    'find.removed': ({ type }) => find.removed(type),

    'collection.remove': ({ collectionId, approval }) =>
      gates.pass(collections.gateOf('remove-collection', collectionId), approval, (because) =>
        collections.remove(collectionId, because),
      ),
    'collection.restore': ({ collectionId, approval }) =>
      gates.pass(collections.gateOf('restore-collection', collectionId), approval, (because) =>
        collections.restore(collectionId, because),
      ),
    'collection.removeItem': ({ collectionId, tagId, approval }) =>
      gates.pass(collections.gateOf('take-out', collectionId), approval, (because) =>
        collections.removeItem(collectionId, tagId, because),
      ),
    'collection.restoreItem': ({ collectionId, tagId, approval }) =>
      gates.pass(collections.gateOf('put-back', collectionId), approval, (because) =>
        collections.restoreItem(collectionId, tagId, because),
      ),
    'collection.addItems': ({ caseId, tagIds, approval }) =>
      gates.pass(collections.gateOf('add-items', caseId, tagIds.length), approval, (because) =>
        collections.addItems(caseId, tagIds, because),
      ),
    'collection.addCase': ({ approval, ...request }) =>
      gates.pass(collections.gateOf('add-case', request.caseId), approval, (because) =>
        collections.addCase(request, because),
      ),
  }
  return { handlers }
}
