import type { AppError } from '../../src-shared/errors'
import { PackageUid, TagId, parseId } from '../../src-shared/ids'
import type { Matches, RemovedCollectionLine, ThingLink, ThingRef, ThingView } from '../../src-shared/ipc/find-view'
import { type Result, err, ok } from '../../src-shared/result'
import { isUnanswered, withoutSignIn } from '../../src-shared/unreachable'
import { isStorable } from '../../src-shared/text'
import { type Clock, type ServiceClock, iso } from '../clock'
import type { Log } from '../log'
import type { CaseReader } from '../lookup/lookup'
import type { SeenStore } from '../lookup/seen'
import type { Reporting } from '../outbox/reporting'
import type { History } from '../checkout/history'
import { asOf } from './as-of'
import type { Asking, Found, Told } from './ask'
import { askBatch, askCoa, askProduct } from './ask-catalogue'
import { askCollection } from './ask-collection'
import { askPackage } from './ask-package'
import { askTag } from './ask-tag'
import type { FoundStore } from './found-store'
import { link } from './links'
import type { OwnOperations } from './own-operations'
import { rememberedBody } from './remembered'
import { removedLines } from './removed'
import type { Search } from './search'

/** Everything there is to know of anything: asked for now, else as it is remembered. See find.md. */
export interface Find {
  /** Errors: none; what could not be asked is in the answer. */
  search: Search
  /** Errors: service/not-found when all who know say so; otherwise those of a read, when nothing is remembered. */
  thing(ref: ThingRef): Promise<Result<ThingView, AppError>>
  /** What was looked at lately, newest first. */
  recent(): ThingLink[]
  /** What is remembered of an item, without asking anybody; null when the station never saw it. */
  known(tagId: TagId): ThingLink | null
  /** Removed collections of the caller's company, the last removed first. Errors: those of a read. */
  removed(type: string | null): Promise<Result<RemovedCollectionLine[], AppError>>
}

export interface FindParts {
  asking: Asking
  listRemoved: (type: string | null) => ReturnType<Asking['v15']['collections']['listRemoved']>
  store: FoundStore
  seen: SeenStore
  readCase: CaseReader['readCase']
  search: (text: string) => Promise<Result<Matches, AppError>>
  ownOperations: OwnOperations
  view: Reporting['view']
  history: Pick<History, 'item'>
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Log
}

/** As many of the recent ones as are shown. */
const mostRecent = 20

export function createFind(parts: FindParts): Find {
  const { asking, store, seen, clock, log } = parts

  const ask = ({ kind, id }: ThingRef): Promise<Found> => {
    const via = store.get(kind, id)?.via ?? null
    switch (kind) {
      case 'tag':
        return askTag(asking, TagId.parse(id))
      case 'collection':
        return askCollection(asking, id)
      case 'package':
        return askPackage(asking, PackageUid.parse(id), {
          remembered: (caseId) => seen.case(caseId)?.value,
          read: parts.readCase,
        })
      case 'product':
        return askProduct(asking, id)
      case 'batch':
        return askBatch(asking, id, via)
      case 'coa':
        return askCoa(asking, id, via)
    }
  }

  /** Remembering is a convenience: a full disk must not turn an answer into a failure. */
  const remember = (keep: () => void) => {
    try {
      keep()
    } catch (cause) {
      log.warn('what was found could not be kept', { cause })
    }
  }
  const viewOf = (body: Told['body'], gaps: Told['gaps'], askedAt: number): ThingView => ({
    ...body,
    knowledge: { source: 'now', knownAt: iso(askedAt) },
    silence: null,
    gaps,
    operations: [],
  })
  const keep = ({ body, gaps, besides }: Told, askedAt: number) => {
    const answeredAt = clock.now()
    for (const other of besides?.bodies ?? []) {
      if (other.kind === body.kind && other.ref.id === body.ref.id) continue
      store.keep(viewOf(other, [], askedAt), askedAt, answeredAt, besides?.via)
    }
    // A part that was only out of reach for the moment: what is stored already has it.
    if (isPatchy(gaps) && store.get(body.kind, body.ref.id)) return
    const isByWay = besides !== undefined && besides.bodies.includes(body)
    store.keep(viewOf(body, gaps, askedAt), askedAt, answeredAt, isByWay ? besides.via : undefined)
  }

  /** Shown now: with what only the station knows of it. */
  const show = (view: ThingView): ThingView => {
    remember(() => {
      store.noteShown(view.kind, view.ref.id, clock.now())
    })
    const ownSale = (tagId: TagId) => {
      const own = parts.history.item(tagId)
      return own.kind === 'sold' ? { orderId: own.orderId, at: own.at } : undefined
    }
    return {
      ...asOf(view, {
        now: clock.now() + parts.serviceClock.offset(),
        ownSale,
        batchesOf: (productId) => store.batchesOf(productId),
      }),
      operations: parts.ownOperations(view).map(parts.view),
    }
  }

  const stored = ({ kind, id }: ThingRef, silence: AppError): ThingView | undefined => {
    const kept = store.get(kind, id)
    if (kept) return { ...kept.view, knowledge: { source: 'stored', knownAt: iso(kept.askedAt) }, silence }
    const remembered = rememberedBody(seen, kind, id)
    if (!remembered) return undefined
    const gaps: ThingView['gaps'] = [{ part: 'rest', reason: silence }]
    return {
      ...viewOf(remembered.value, gaps, remembered.seenAt),
      knowledge: { source: 'stored', knownAt: iso(remembered.seenAt) },
      silence,
    }
  }

  return {
    search: parts.search,
    async thing(asked) {
      const ref = readable(asked)
      if (!ref) return err({ code: 'service/not-found', id: asked.id })
      const askedAt = clock.now()
      const found = await ask(ref)
      if (found.ok) {
        remember(() => {
          store.together(() => {
            keep(found.value, askedAt)
          })
        })
        return ok(show(viewOf(found.value.body, found.value.gaps, askedAt)))
      }
      const { error } = found
      // Else it stood among what was looked at, and came back as known with the next dead line.
      if (error.code === 'service/not-found') {
        remember(() => {
          store.forget(ref.kind, ref.id, askedAt, clock.now())
        })
      }
      // A catalogue that our account may not see is no news of a thing that a case told us about.
      const view = isUnanswered(error) ? stored(ref, error) : undefined
      return view ? ok(show(view)) : err(error)
    },
    recent: () => store.recent(mostRecent),
    known(tagId) {
      const found = store.withId(tagId).find(({ kind }) => kind === 'tag')
      const tag = found ? undefined : seen.tag(tagId)?.value
      return found ?? (tag ? link('tag', tagId, tag.productName, tag.brandName) : null)
    },
    async removed(type) {
      if (type !== null && !isStorable(type)) return ok([])
      const all = await parts.listRemoved(type)
      return all.ok ? ok(removedLines(all.value)) : all
    },
  }
}

/** Whether a part is missing that the next look may bring; an account that is not there stays so. */
const isPatchy = (gaps: Told['gaps']) =>
  gaps.some(({ reason }) => isUnanswered(reason) && !withoutSignIn.some((code) => code === reason.code))

/** The thing as the service would name it; undefined for what can't be the name of any. */
function readable({ kind, id }: ThingRef): ThingRef | undefined {
  if (!isStorable(id)) return undefined
  if (kind === 'collection') return { kind, id: parseId(id) ?? id }
  if (kind === 'package') return PackageUid.safeParse(id).success ? { kind, id } : undefined
  const short = parseId(id)
  return short === undefined ? undefined : { kind, id: short }
}
