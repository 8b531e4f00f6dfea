import { type AppError, isUnanswered, withoutSignIn } from '../../../src-shared/errors'
import { PackageUid, TagId, parseId } from '../../../src-shared/ids'
import type {
  RemovedCollectionLine,
  EntityKind,
  EntityLink,
  EntityRef,
  EntityView,
} from '../../../src-shared/ipc/contract/find'
import { type Result, err, ok } from '../../../src-shared/result'
import { isStorable } from '../../../src-shared/text'
import type { Verdict } from '../../../src-shared/verdict'
import type { History } from '../../day/history'
import type { Verdicts } from '../../counter/verdicts'
import { type Clock, type ServiceClock, iso } from '../../core/clock'
import type { Log } from '../../core/log'
import type { Reporting } from '../../outbox/reporting'
import type { ReadCase } from '../lookup'
import type { createSearch } from '../search'
import type { Cached, Memory } from '../store'
import type { AnyBody, Asked, AskedAnswer, Asking } from './asking'
import { askBatch, askCoa } from './batch'
import { askCollection, caseFromFacts, removedLines } from './collection'
import { type OwnOperations, asOf, watchedBy } from './own'
import { askPackage, packageFromFacts } from './package'
import { askProduct } from './product'
import { askTag, tagFromFacts } from './tag'

/** The length of the list of recent things. */
const mostRecent = 20

export type Find = ReturnType<typeof createFind>

/** Everything there is to know of anything: asked for now, else as it is remembered. See memory.md. */
export function createFind(parts: {
  asking: Asking
  listRemoved: (type: string | null) => ReturnType<Asking['v15']['collections']['listRemoved']>
  memory: Memory
  readCase: ReadCase
  search: ReturnType<typeof createSearch>
  ownOperations: OwnOperations
  view: Reporting['view']
  history: Pick<History, 'item'>
  /** Whether an item can be sold. */
  verdicts: Pick<Verdicts, 'before' | 'byAnswer' | 'complete'>
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Log
}) {
  const { asking, memory, clock, log } = parts

  const ask = ({ kind, id }: EntityRef): Promise<Asked> => {
    const via = memory.view(kind, id)?.via ?? null
    switch (kind) {
      case 'tag':
        return askTag(asking, TagId.parse(id))
      case 'collection':
        return askCollection(asking, id)
      case 'package':
        return askPackage(asking, PackageUid.parse(id), memory, parts.readCase)
      case 'product':
        return askProduct(asking, id)
      case 'batch':
        return askBatch(asking, id, via)
      case 'coa':
        return askCoa(asking, id, via)
    }
  }

  /** Remembering is a convenience: a full disk must not turn an answer into a failure. */
  const cache = (keep: () => void) => {
    try {
      keep()
    } catch (cause) {
      log.warn('what was found could not be kept', { cause })
    }
  }
  const keep = ({ body, missing, related, scanned }: AskedAnswer, askedAt: number) => {
    const answeredAt = clock.now()
    if (scanned?.caseFacts) memory.keepCase(scanned.caseFacts, askedAt, answeredAt)
    else if (scanned) memory.keepTag(scanned.tag, askedAt, answeredAt)
    for (const other of related?.bodies ?? []) {
      if (other.kind === body.kind && other.ref.id === body.ref.id) continue
      memory.keepView(viewOf(other, [], askedAt), askedAt, answeredAt, related?.via)
    }
    // The stored view may have the part that could not be read just now.
    if (isPatchy(missing) && memory.view(body.kind, body.ref.id)) return
    const isOfRelated = related !== undefined && related.bodies.includes(body)
    memory.keepView(viewOf(body, missing, askedAt), askedAt, answeredAt, isOfRelated ? related.via : undefined)
  }

  /** Adds what only the station knows, and notes that a person looked at it. */
  const show = (view: EntityView, verdict?: Verdict): EntityView => {
    cache(() => {
      memory.noteShown(view.kind, view.ref.id, clock.now())
    })
    const ownSale = (tagId: TagId) => {
      const own = parts.history.item(tagId)
      return own.kind === 'sold' ? { orderId: own.orderId, at: own.at } : undefined
    }
    const now = clock.now() + parts.serviceClock.offset()
    const shown = asOf(view, { now, ownSale, batchesOf: (productId) => memory.batchesOf(productId) })
    return {
      ...(shown.kind === 'tag'
        ? { ...shown, standing: verdict ?? parts.verdicts.before('sale', TagId.parse(shown.ref.id), null) }
        : shown),
      operations: parts.ownOperations(view).map(parts.view),
      watched: watchedBy(view),
    }
  }

  const stored = ({ kind, id }: EntityRef, unreachable: AppError): EntityView | undefined => {
    const kept = memory.view(kind, id)
    if (kept) return { ...kept.view, unreachable }
    const seen = seenBody(memory, kind, id)
    if (!seen) return undefined
    const view = viewOf(seen.value, [{ part: 'rest', reason: unreachable }], seen.seenAt)
    return { ...view, knowledge: { source: 'stored', knownAt: iso(seen.seenAt) }, unreachable }
  }

  return {
    search: parts.search,
    /** Errors: service/not-found if all accounts say so; otherwise those of a read, if nothing is remembered. */
    async thing(asked: EntityRef): Promise<Result<EntityView, AppError>> {
      const ref = readable(asked)
      if (!ref) return err({ code: 'service/not-found', id: asked.id })
      const askedAt = clock.now()
      const found = await ask(ref)
      if (found.ok) {
        cache(() => {
          memory.together(() => {
            keep(found.value, askedAt)
          })
        })
        const { body, missing, scanned } = found.value
        const verdict =
          scanned &&
          parts.verdicts.byAnswer(
            'sale',
            scanned.tag.tagId,
            ok(await parts.verdicts.complete(scanned.tag, askedAt)),
            null,
          )
        return ok(show(viewOf(body, missing, askedAt), verdict))
      }
      const { error } = found
      // Otherwise it stayed in the list of recent things, and came back as known when the service was out of reach.
      if (error.code === 'service/not-found') {
        cache(() => {
          memory.forgetView(ref.kind, ref.id, askedAt, clock.now())
        })
      }
      // A catalog that this account may not read says nothing about a thing known from a case.
      const view = isUnanswered(error) ? stored(ref, error) : undefined
      return view ? ok(show(view)) : err(error)
    },
    /** The things that were looked at last, newest first. */
    recent: () => memory.recent(mostRecent),
    /** What is remembered of an item, without asking; null if the station never saw it. */
    known: (tagId: TagId): EntityLink | null => memory.links(tagId).find(({ kind }) => kind === 'tag') ?? null,
    /** Removed collections of the caller's company, the last removed first. Errors: those of a read. */
    async removed(type: string | null): Promise<Result<RemovedCollectionLine[], AppError>> {
      if (type !== null && !isStorable(type)) return ok([])
      const all = await parts.listRemoved(type)
      return all.ok ? ok(removedLines(all.value)) : all
    },
  }
}

const viewOf = (body: AnyBody, missing: AskedAnswer['missing'], askedAt: number): EntityView => ({
  ...(body.kind === 'tag' ? { ...body, standing: null } : body),
  knowledge: { source: 'now', knownAt: iso(askedAt) },
  unreachable: null,
  missing,
  operations: [],
  watched: watchedBy(body),
})

/** A thing that Find never showed, from the facts that scans left of it. */
function seenBody(memory: Memory, kind: EntityKind, id: string): Cached<AnyBody> | undefined {
  const as = <T>(seen: Cached<T> | undefined, body: (facts: T) => AnyBody) =>
    seen && { seenAt: seen.seenAt, value: body(seen.value) }
  switch (kind) {
    case 'tag':
      return as(memory.tag(TagId.parse(id)), tagFromFacts)
    case 'collection':
      return as(memory.case(id), caseFromFacts)
    case 'package':
      return as(memory.package(PackageUid.parse(id)), (cases) => packageFromFacts(memory, id, cases))
    case 'product':
    case 'batch':
    case 'coa':
      return undefined
  }
}

/** Whether a part is missing that the next question may bring; one for which we have no account stays missing. */
const isPatchy = (missing: AskedAnswer['missing']) =>
  missing.some(({ reason }) => isUnanswered(reason) && !withoutSignIn.some((code) => code === reason.code))

/** The thing as the service would name it; undefined for an id that no thing can have. */
function readable({ kind, id }: EntityRef): EntityRef | undefined {
  if (!isStorable(id)) return undefined
  if (kind === 'collection') return { kind, id: parseId(id) ?? id }
  if (kind === 'package') return PackageUid.safeParse(id).success ? { kind, id } : undefined
  const short = parseId(id)
  return short === undefined ? undefined : { kind, id: short }
}
