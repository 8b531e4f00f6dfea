import { type AppError, isUnanswered, withoutSignIn } from '../../../src-shared/errors'
import { TagId } from '../../../src-shared/ids'
import type { RemovedCollectionLine, EntityLink, EntityRef, EntityView } from '../../../src-shared/ipc/contract/find'
import { type Result, err, ok } from '../../../src-shared/result'
import { isStorable } from '../../../src-shared/text'
import type { Verdict } from '../../../src-shared/verdict'
import { History } from '../../day/history'
import { iso, nowByService } from '../../core/clock'
import type { Memory } from '../store'
import type { FindContext } from '../find-context'
import type { AnyBody, Asked, AskedAnswer } from './asking'
import { removedLines } from './collection'
import { asOf, rulesOf, watchedBy } from './entities'
import { OwnOperations } from './own'

/** The length of the list of recent things. */
const mostRecent = 20

/** Everything there is to know of anything: asked for now, else as it is remembered. See memory.md. */
export class Find {
  readonly #context: FindContext
  readonly #history: History
  readonly #ownOperations: OwnOperations

  constructor(context: FindContext) {
    this.#context = context
    this.#history = new History(context.outbox)
    this.#ownOperations = new OwnOperations(context.db, context.outbox.read)
  }

  /** Not found if all accounts say so; another error of a read only if nothing is remembered. */
  async thing(asked: EntityRef): Promise<Result<EntityView, AppError>> {
    const { clock } = this.#context
    const ref = readable(asked)
    if (!ref) return err({ code: 'service/not-found', id: asked.id })
    const askedAt = clock.now()
    const found = await this.#ask(ref)
    return found.ok ? ok(await this.#answered(found.value, askedAt)) : this.#failed(ref, found.error, askedAt)
  }

  /** The things that were looked at last, newest first. */
  recent(): EntityLink[] {
    return this.#context.seen.views.recent(mostRecent)
  }

  /** What is remembered of an item, without asking; null if the station never saw it. */
  known(tagId: TagId): EntityLink | null {
    return this.#context.seen.links(tagId).find(({ kind }) => kind === 'tag') ?? null
  }

  /** Removed collections of the caller's company, the last removed first. */
  async removed(type: string | null): Promise<Result<RemovedCollectionLine[], AppError>> {
    if (type !== null && !isStorable(type)) return ok([])
    const { collections } = this.#context.asking.v15
    const all = await (type === null ? collections.listRemoved() : collections.listRemovedOfType(type))
    return all.ok ? ok(removedLines(all.value)) : all
  }

  #ask({ kind, id }: EntityRef): Promise<Asked> {
    const { asking, seen: memory, lookup } = this.#context
    const { readCase } = lookup
    return rulesOf(kind).ask({ asking, memory, readCase }, id, memory.views.find(kind, id)?.via ?? null)
  }

  async #answered(answer: AskedAnswer, askedAt: number): Promise<EntityView> {
    const { seen: memory, verdicts } = this.#context
    this.#cache(() => {
      memory.views.together(() => {
        this.#keep(answer, askedAt)
      })
    })
    const { body, missing, scanned } = answer
    const view = viewOf(body, missing, askedAt)
    if (!scanned) return this.#show(view)
    const complete = ok(await verdicts.complete(scanned.tag, askedAt))
    return this.#show(view, verdicts.byAnswer('sale', scanned.tag.tagId, complete, null))
  }

  #failed(ref: EntityRef, error: AppError, askedAt: number): Result<EntityView, AppError> {
    const { seen: memory, clock } = this.#context
    // Otherwise it stayed in the list of recent things, and came back as known when the service was out of reach.
    if (error.code === 'service/not-found') {
      this.#cache(() => {
        memory.views.forget(ref.kind, ref.id, askedAt, clock.now())
      })
    }
    // A catalog that this account may not read says nothing about a thing known from a case.
    const view = isUnanswered(error) ? storedView(memory, ref, error) : undefined
    return view ? ok(this.#show(view)) : err(error)
  }

  /** Remembering is a convenience: a full disk must not turn an answer into a failure. */
  #cache(keep: () => void): void {
    try {
      keep()
    } catch (cause) {
      this.#context.log.warn('what was found could not be kept', { cause })
    }
  }

  #keep({ body, missing, related, scanned }: AskedAnswer, askedAt: number): void {
    const { seen: memory, clock } = this.#context
    const answeredAt = clock.now()
    if (scanned?.caseFacts) memory.keepCase(scanned.caseFacts, askedAt, answeredAt)
    else if (scanned) memory.keepTag(scanned.tag, askedAt, answeredAt)
    for (const other of related?.bodies ?? []) {
      if (other.kind === body.kind && other.ref.id === body.ref.id) continue
      memory.views.keep(viewOf(other, [], askedAt), askedAt, answeredAt, related?.via)
    }
    // The stored view may have the part that could not be read just now.
    if (isPatchy(missing) && memory.views.find(body.kind, body.ref.id)) return
    const isOfRelated = related !== undefined && related.bodies.includes(body)
    memory.views.keep(viewOf(body, missing, askedAt), askedAt, answeredAt, isOfRelated ? related.via : undefined)
  }

  /** Adds what only the station knows, and notes that a person looked at it. */
  #show(view: EntityView, verdict?: Verdict): EntityView {
    const { seen: memory, clock, verdicts, reporting } = this.#context
    this.#cache(() => {
      memory.views.noteShown(view.kind, view.ref.id, clock.now())
    })
    const now = nowByService(this.#context)
    const shown = asOf(view, {
      now,
      ownSale: (tagId) => this.#ownSale(tagId),
      batchesOf: (productId) => memory.views.batchesOf(productId),
    })
    return {
      ...(shown.kind === 'tag'
        ? { ...shown, standing: verdict ?? verdicts.before('sale', TagId.parse(shown.ref.id), null) }
        : shown),
      operations: this.#ownOperations.of(view).map((one) => reporting.view(one)),
      watched: watchedBy(view),
    }
  }

  #ownSale(tagId: TagId): { orderId: string; at: string } | undefined {
    const own = this.#history.item(tagId)
    return own.kind === 'sold' ? { orderId: own.orderId, at: own.at } : undefined
  }
}

/** What is remembered of a thing while the service can't be asked. */
function storedView(memory: Memory, { kind, id }: EntityRef, unreachable: AppError): EntityView | undefined {
  const kept = memory.views.find(kind, id)
  if (kept) return { ...kept.view, unreachable }
  const seen = rulesOf(kind).fromFacts?.(memory, id)
  if (!seen) return undefined
  const view = viewOf(seen.value, [{ part: 'rest', reason: unreachable }], seen.seenAt)
  return { ...view, knowledge: { source: 'stored', knownAt: iso(seen.seenAt) }, unreachable }
}

const viewOf = (body: AnyBody, missing: AskedAnswer['missing'], askedAt: number): EntityView => ({
  ...(body.kind === 'tag' ? { ...body, standing: null } : body),
  knowledge: { source: 'now', knownAt: iso(askedAt) },
  unreachable: null,
  missing,
  operations: [],
  watched: watchedBy(body),
})

/** Whether a part is missing that the next question may bring; one for which we have no account stays missing. */
const isPatchy = (missing: AskedAnswer['missing']) =>
  missing.some(({ reason }) => isUnanswered(reason) && !withoutSignIn.some((code) => code === reason.code))

/** The thing as the service would name it; undefined for an id that no thing can have. */
function readable({ kind, id }: EntityRef): EntityRef | undefined {
  const read = isStorable(id) ? rulesOf(kind).readId(id) : undefined
  return read === undefined ? undefined : { kind, id: read }
}
