import { type AppError, type AppErrorOf, type ResultOf, namedTags } from '../../src-shared/errors'
import type { Gate, GateQuestion } from '../../src-shared/gates'
import { type CaseId, CaseId as CaseIdSchema, type ShortUuid, type TagId } from '../../src-shared/ids'
import type { CallRequest } from '../../src-shared/ipc/contract'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { err, ok, type Result } from '../../src-shared/result'
import type { Collection } from '../../src-shared/service/collections'
import { isRemovedOf } from '../../src-shared/service/facts'
import type { Memory } from '../memory/store'
import type { NotActed } from '../outbox/actions'
import { isPassing } from '../outbox/evidence'
import { isFinished, type Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import {
  collectionKey,
  collectionOf,
  type CollectionPayload,
  type MembersPayload,
  type Payload,
  tagsOf,
  type WholePayload,
} from '../outbox/payload'
import type { Reporting } from '../outbox/reporting'
import type { ServiceError } from '../service/reply'
import type { V12Client } from '../service/v12'

/** Why what was read of a collection speaks against a change of it. */
type Objection = Extract<AppError, { code: `collection/${string}` | 'service/origin-collection' }>
type Reported = Promise<Result<OperationView, Objection | ServiceError | AppErrorOf<NotActed>>>

interface CollectionContext {
  look: Look
  seen: Pick<Memory, 'tag' | 'case' | 'caseInBrief'>
  outbox: Outbox
  reporting: Pick<Reporting, 'report'>
  canChangeCases: () => boolean
}

/**
 * Changes of collections. Each reads the collection first and refuses at once what is certainly wrong; if the service
 * can't be asked, the change is saved anyway and the service decides. Each waits up to 2 s for its outcome. Spec: States
 * and transitions; Errors.
 */
export class Collections {
  readonly #context: CollectionContext
  readonly #save: ReturnType<typeof createSaving>

  constructor(context: CollectionContext) {
    this.#context = context
    this.#save = createSaving(context.outbox)
  }

  /** The gate that a change of a collection passes; null if this station can't change any. */
  gateOf(gate: Gate, collectionId: ShortUuid | CaseId, count = 1): GateQuestion | null {
    return this.#context.canChangeCases() ? { gate, count, name: this.#nameOf(collectionId) } : null
  }

  /** `because`, here and below: the reason with which the gate let it pass. */
  remove(collectionId: ShortUuid, because?: string) {
    return this.#whole('remove-collection', collectionId, because)
  }

  restore(collectionId: ShortUuid, because?: string) {
    return this.#whole('restore-collection', collectionId, because)
  }

  removeItem(collectionId: ShortUuid, tagId: TagId, because?: string) {
    return this.#item('remove-item', collectionId, tagId, because, ({ inside }) =>
      inside.has(tagId) ? null : { code: 'collection/not-in-it', tagId },
    )
  }

  restoreItem(collectionId: ShortUuid, tagId: TagId, because?: string) {
    return this.#item('restore-item', collectionId, tagId, because, ({ inside, ever }) => {
      if (inside.has(tagId)) return { code: 'collection/is-in-it', tagId }
      return ever.has(tagId) ? null : { code: 'collection/not-in-it', tagId }
    })
  }

  /** `collection/is-in-it`: all are. */
  addItems(caseId: CaseId, tagIds: TagId[], because?: string) {
    const names = new Set(tagIds.map((tagId) => this.#productOf(tagId)).filter((name) => name !== null))
    const productName = names.size === 0 ? null : [...names].join(', ')
    return this.#change(
      caseId,
      ({ shown }, isQuiet) => {
        // An undo must not remove items that were inside before.
        const added = tagIds.filter((tagId) => !(isQuiet && shown?.inside.has(tagId)))
        const unseen = shown && isQuiet ? {} : { isUnseen: true as const }
        return { kind: 'add-items', caseId, tagIds: [...new Set(added)], productName, ...unseen }
      },
      (looked) => {
        const [first] = tagIds
        const areIn = looked.shown !== undefined && tagIds.every((tagId) => looked.shown?.inside.has(tagId))
        if (areIn && first !== undefined) return { code: 'collection/is-in-it', tagId: first }
        return this.#isRemoved(looked, caseId)
      },
      because,
    )
  }

  async addCase(
    { regulatorIdentifier, caseId, packagedProductId }: Omit<CallRequest<'collection.addCase'>, 'approval'>,
    because?: string,
  ): Reported {
    if (!this.#context.canChangeCases()) return err({ code: 'collection/no-account' })
    const target = await this.#context.look(regulatorIdentifier)
    if (!target.ok) return target
    const products = this.#context.seen.caseInBrief(caseId)?.value.packagedProducts ?? []
    const named = products.filter((one) => packagedProductId === null || one.packagedProductId === packagedProductId)
    const productName = named.length === 0 ? null : named.map((one) => one.productName).join(', ')
    return this.#change(
      caseId,
      () => ({ kind: 'add-case', caseId, regulatorIdentifier, packagedProductId, productName }),
      (looked) =>
        this.#isRemoved(target.value, regulatorIdentifier) ??
        this.#isRemoved(looked, caseId) ??
        objectionToProduct(looked, regulatorIdentifier, packagedProductId),
      because,
    )
  }

  /** While this station has reports under way, the collection's current state doesn't justify a refusal. */
  #isSettled(collectionId: string) {
    return !this.#context.outbox.read
      .byKey(collectionKey(collectionId))
      .some(({ state }) => state === 'queued' || state === 'sending' || state === 'unknown')
  }

  /**
   * Reads the collection, checks the objections, and saves the change. `make` is told whether the collection will still be as it
   * was read when this is sent (`isSettled`). `never`: objections that apply even while reports are under way.
   */
  async #change(
    collectionId: string,
    make: (looked: Looked, isSettled: boolean) => CollectionPayload,
    objection: (looked: Looked) => Objection | null,
    because: string | undefined,
    never: (looked: Looked) => Objection | null = () => null,
  ): Reported {
    if (!this.#context.canChangeCases()) return err({ code: 'collection/no-account' })
    const looked = await this.#context.look(collectionId)
    if (!looked.ok) return looked
    const isQuiet = this.#isSettled(collectionId)
    const no = never(looked.value) ?? (isQuiet ? objection(looked.value) : null)
    return no ? err(no) : this.#context.reporting.report(this.#save(make(looked.value, isQuiet), because))
  }

  #isRemoved({ shown, identifier }: Looked, collectionId: string): Objection | null {
    return shown?.isRemoved === true ? { code: 'collection/is-removed', identifier: identifier ?? collectionId } : null
  }

  #whole(kind: WholePayload['kind'], collectionId: ShortUuid, because: string | undefined): Reported {
    return this.#change(
      collectionId,
      ({ shown: _, ...known }) => ({ kind, collectionId, ...known }),
      (looked) => {
        if (kind === 'remove-collection') return this.#isRemoved(looked, collectionId)
        const { shown, identifier } = looked
        return shown?.isRemoved === false
          ? { code: 'collection/not-removed', identifier: identifier ?? collectionId }
          : null
      },
      because,
      ({ collectionType }) => (collectionType === 'origin' ? { code: 'service/origin-collection' } : null),
    )
  }

  /** What a person knows it by; null if it was never read. */
  #nameOf(collectionId: string) {
    const known = this.#context.seen.case(collectionId)?.value
    return known ? (known.name ?? known.identifier) : null
  }

  #productOf(tagId: TagId) {
    return this.#context.seen.tag(tagId)?.value.productName ?? null
  }

  #item(
    kind: Exclude<MembersPayload['kind'], 'add-items'>,
    collectionId: ShortUuid,
    tagId: TagId,
    because: string | undefined,
    objection: (shown: NonNullable<Looked['shown']>) => Objection | null,
  ): Reported {
    return this.#change(
      collectionId,
      ({ collectionType, collectionName }) => {
        const ofItem = { tagId, productName: this.#productOf(tagId) }
        if (collectionType === 'case') {
          const ofCase = { ...ofItem, caseId: CaseIdSchema.parse(collectionId) }
          return kind === 'remove-item' ? { kind, ...ofCase } : { kind, ...ofCase }
        }
        const ofOther = { ...ofItem, collectionId, collectionType, collectionName }
        return kind === 'remove-item' ? { kind, ...ofOther } : { kind, ...ofOther }
      },
      (looked) => this.#isRemoved(looked, collectionId) ?? (looked.shown ? objection(looked.shown) : null),
      because,
    )
  }
}

/** A collection as it is before a change of it is saved. */
interface Looked {
  collectionType: string | null
  collectionName: string | null
  identifier: string | null
  itemCount: number
  /** What the service shows of it now; undefined if it could not be asked. */
  shown: { isRemoved: boolean; inside: ReadonlySet<TagId>; ever: ReadonlySet<TagId>; products: Products } | undefined
}

/** The packaged products of its items; `isWhole` is false if the service doesn't name that of every item. */
interface Products {
  ids: ReadonlySet<ShortUuid>
  isWhole: boolean
}

/**
 * Reads a collection, by its id or identifier. If the service doesn't answer, gives what is remembered of the case with
 * that id.
 */
type Look = (id: string) => Promise<Result<Looked, ServiceError>>

export const createLook =
  (collections: Pick<V12Client['collections'], 'get'>, seen: Pick<Memory, 'case'>): Look =>
  async (id) => {
    const collection = await collections.get(id)
    if (collection.ok) return ok(lookedAt(collection.value))
    const { error } = collection
    // An error in reading doesn't mean that a change will be refused: the service decides that.
    const isWord = error.code === 'service/not-found' || error.code === 'service/invalid-fields'
    if (isWord && !isPassing(error)) return collection
    const known = seen.case(id)?.value
    return ok({
      collectionType: known ? 'case' : null,
      collectionName: known?.name ?? null,
      identifier: known?.identifier ?? null,
      itemCount: known?.tags.length ?? 0,
      shown: undefined,
    })
  }

function lookedAt(collection: Collection): Looked {
  const { items, removed_items, collection_type, name, identifier } = collection
  const ids = items.map((item) => item.packaged_product_uuid).filter((one) => one != null)
  return {
    collectionType: collection_type,
    collectionName: name ?? null,
    identifier,
    itemCount: items.length,
    shown: {
      isRemoved: isRemovedOf(collection) === true,
      inside: new Set(items.map((item) => item.tag_id)),
      ever: new Set([...items, ...(removed_items ?? [])].map((item) => item.tag_id)),
      products: { ids: new Set(ids), isWhole: ids.length === items.length },
    },
  }
}

/** Why a case can't be added to a regulator collection as asked; null if only the service can tell. */
function objectionToProduct(
  { shown }: Looked,
  identifier: string,
  packagedProductId: ShortUuid | null,
): Objection | null {
  if (!shown || !shown.products.isWhole) return null
  const { ids } = shown.products
  if (packagedProductId === null) return ids.size > 1 ? { code: 'collection/choose-product', identifier } : null
  return ids.has(packagedProductId) ? null : { code: 'collection/product-not-in-case', identifier }
}

/**
 * Saves a change of a collection. The same change is not saved twice while it is under way. A refused one is corrected in
 * its place if the new one has all of its items; else it stays refused, and the new one is saved beside it.
 */

export const createSaving =
  (outbox: Outbox) =>
  (payload: CollectionPayload, because?: string): ResultOf<Operation, NotActed> => {
    const same = outbox.read
      .byKey(collectionKey(collectionOf(payload)))
      .findLast((one) => one.state !== 'cancelled' && concerns(one.payload, payload))
    if (!same?.payload || isFinished(same.state)) return outbox.enqueue(payload, { because })
    if (same.state === 'rejected' && isCorrected(same, payload)) return outbox.correct(same.id, payload, because)
    return same.state !== 'rejected' && isSame(same.payload, payload) ? ok(same) : outbox.enqueue(payload, { because })
  }

const whole = new Set<Payload['kind']>(['remove-collection', 'restore-collection'])
const ofItems = new Set<Payload['kind']>(['add-items', 'remove-item', 'restore-item'])

/** Whether an earlier report is about the same thing: the last such report counts. */
function concerns(earlier: Payload | null, payload: CollectionPayload): boolean {
  if (earlier === null) return false
  if (whole.has(payload.kind)) return whole.has(earlier.kind)
  if (payload.kind === 'add-case')
    return earlier.kind === 'add-case' && (isSameTarget(earlier, payload) || isSameProduct(earlier, payload))
  const tagIds = new Set(tagsOf(payload))
  return ofItems.has(earlier.kind) && tagsOf(earlier).some((tagId) => tagIds.has(tagId))
}

function isSame(earlier: Payload, payload: CollectionPayload): boolean {
  if (earlier.kind !== payload.kind) return false
  if (earlier.kind === 'add-case' && payload.kind === 'add-case' && !isSameTarget(earlier, payload)) return false
  const held = new Set(tagsOf(earlier))
  return tagsOf(payload).length === held.size && tagsOf(payload).every((tagId) => held.has(tagId))
}

/**
 * Whether it corrects what was refused: the same change of the same collection, with other items or another package. Items may be
 * left out only if the refusal named them: the others are still in no report.
 */
function isCorrected({ payload: earlier, reason }: Operation, payload: CollectionPayload): boolean {
  if (earlier?.kind !== payload.kind) return false
  if (payload.kind !== 'add-items') return payload.kind === 'add-case' || isSame(earlier, payload)
  const [sent, named] = [new Set(tagsOf(payload)), namedTags(reason)]
  return tagsOf(earlier).every((tagId) => sent.has(tagId) || named.includes(tagId))
}

type AddCase = Extract<Payload, { kind: 'add-case' }>
const isSameTarget = (a: AddCase, b: AddCase) => a.regulatorIdentifier === b.regulatorIdentifier
const isSameProduct = (a: AddCase, b: AddCase) => a.packagedProductId === b.packagedProductId
