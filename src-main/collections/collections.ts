import type { AppError } from '../../src-shared/errors'
import { type CaseId, CaseId as CaseIdSchema, type ShortUuid, type TagId } from '../../src-shared/ids'
import type { CallRequest } from '../../src-shared/ipc/contract'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, err } from '../../src-shared/result'
import type { SeenStore } from '../lookup/seen'
import type { Outbox } from '../outbox/outbox'
import { type CollectionPayload, type MembersPayload, type WholePayload, collectionKey } from '../outbox/payload'
import type { Reporting } from '../outbox/reporting'
import { type Look, type Looked, objectionToProduct } from './look'
import { createSaving } from './saving'

/**
 * Changes of collections. Each looks before it saves: what is certainly wrong is refused at once; where nobody can be
 * asked it is saved all the same, and the service has the last word. Each waits up to 2 s for its outcome.
 * Errors of all: collection/no-account, service/not-found, store/not-saved. Spec: States and transitions; Errors.
 */
export interface Collections {
  /** Errors also: service/origin-collection, collection/is-removed. */
  remove(collectionId: ShortUuid): Reported
  /** Errors also: service/origin-collection, collection/not-removed. */
  restore(collectionId: ShortUuid): Reported
  /** Errors also: collection/is-removed, collection/not-in-it. */
  removeItem(collectionId: ShortUuid, tagId: TagId): Reported
  /** Errors also: collection/is-removed, collection/not-in-it, collection/is-in-it. */
  restoreItem(collectionId: ShortUuid, tagId: TagId): Reported
  /** Errors also: collection/is-removed, collection/is-in-it (when all are). */
  addItems(caseId: CaseId, tagIds: TagId[]): Reported
  /** Errors also: collection/is-removed, collection/choose-product, collection/product-not-in-case. */
  addCase(request: CallRequest<'collection.addCase'>): Reported
}

type Reported = Promise<Result<OperationView, AppError>>

export interface CollectionParts {
  look: Look
  seen: Pick<SeenStore, 'tag' | 'caseInBrief'>
  outbox: Outbox
  reporting: Pick<Reporting, 'report'>
  canChangeCases: () => boolean
}

export function createCollections({ look, seen, outbox, reporting, canChangeCases }: CollectionParts): Collections {
  const save = createSaving(outbox)

  /** Reports of ours that are under way may make true what is not yet: then what it is now is no objection. */
  const isSettled = (collectionId: string) =>
    !outbox.read
      .byKey(collectionKey(collectionId))
      .some(({ state }) => state === 'queued' || state === 'sending' || state === 'unknown')

  /** Looks, asks what speaks against it as it is, and saves what is made of it. */
  const change = async (
    collectionId: string,
    /** `isSettled`: what was seen is what will be when this is sent. */
    make: (looked: Looked, isSettled: boolean) => CollectionPayload,
    objection: (looked: Looked) => AppError | null,
    /** What speaks against it however it stands. */
    never: (looked: Looked) => AppError | null = () => null,
  ): Reported => {
    if (!canChangeCases()) return err({ code: 'collection/no-account' })
    const looked = await look(collectionId)
    if (!looked.ok) return looked
    const isQuiet = isSettled(collectionId)
    const no = never(looked.value) ?? (isQuiet ? objection(looked.value) : null)
    return no ? err(no) : reporting.report(save(make(looked.value, isQuiet)))
  }

  const isRemoved = ({ shown, identifier }: Looked, collectionId: string): AppError | null =>
    shown?.isRemoved === true ? { code: 'collection/is-removed', identifier: identifier ?? collectionId } : null

  const whole = (kind: WholePayload['kind'], collectionId: ShortUuid): Reported =>
    change(
      collectionId,
      ({ shown: _, ...known }) => ({ kind, collectionId, ...known }),
      (looked) => {
        if (kind === 'remove-collection') return isRemoved(looked, collectionId)
        const { shown, identifier } = looked
        return shown?.isRemoved === false
          ? { code: 'collection/not-removed', identifier: identifier ?? collectionId }
          : null
      },
      ({ collectionType }) => (collectionType === 'origin' ? { code: 'service/origin-collection' } : null),
    )

  const productOf = (tagId: TagId) => seen.tag(tagId)?.value.productName ?? null

  const item = (
    kind: Exclude<MembersPayload['kind'], 'add-items'>,
    collectionId: ShortUuid,
    tagId: TagId,
    objection: (shown: NonNullable<Looked['shown']>) => AppError | null,
  ): Reported =>
    change(
      collectionId,
      ({ collectionType, collectionName }) => {
        const ofItem = { tagId, productName: productOf(tagId) }
        if (collectionType === 'case') {
          const ofCase = { ...ofItem, caseId: CaseIdSchema.parse(collectionId) }
          return kind === 'remove-item' ? { kind, ...ofCase } : { kind, ...ofCase }
        }
        const ofOther = { ...ofItem, collectionId, collectionType, collectionName }
        return kind === 'remove-item' ? { kind, ...ofOther } : { kind, ...ofOther }
      },
      (looked) => isRemoved(looked, collectionId) ?? (looked.shown ? objection(looked.shown) : null),
    )

  return {
    remove: (collectionId) => whole('remove-collection', collectionId),
    restore: (collectionId) => whole('restore-collection', collectionId),
    removeItem: (collectionId, tagId) =>
      item('remove-item', collectionId, tagId, ({ inside }) =>
        inside.has(tagId) ? null : { code: 'collection/not-in-it', tagId },
      ),
    restoreItem: (collectionId, tagId) =>
      item('restore-item', collectionId, tagId, ({ inside, ever }) => {
        if (inside.has(tagId)) return { code: 'collection/is-in-it', tagId }
        return ever.has(tagId) ? null : { code: 'collection/not-in-it', tagId }
      }),
    addItems(caseId, tagIds) {
      const names = new Set(tagIds.map(productOf).filter((name) => name !== null))
      const productName = names.size === 0 ? null : [...names].join(', ')
      return change(
        caseId,
        ({ shown }, isQuiet) => {
          // What is inside already is not ours to take out when this is undone.
          const added = tagIds.filter((tagId) => !(isQuiet && shown?.inside.has(tagId)))
          const unseen = shown && isQuiet ? {} : { isUnseen: true as const }
          return { kind: 'add-items', caseId, tagIds: [...new Set(added)], productName, ...unseen }
        },
        (looked) => {
          const [first] = tagIds
          const areIn = looked.shown !== undefined && tagIds.every((tagId) => looked.shown?.inside.has(tagId))
          if (areIn && first !== undefined) return { code: 'collection/is-in-it', tagId: first }
          return isRemoved(looked, caseId)
        },
      )
    },
    async addCase({ regulatorIdentifier, caseId, packagedProductId }) {
      if (!canChangeCases()) return err({ code: 'collection/no-account' })
      const target = await look(regulatorIdentifier)
      if (!target.ok) return target
      const products = seen.caseInBrief(caseId)?.value.packagedProducts ?? []
      const named = products.filter((one) => packagedProductId === null || one.packagedProductId === packagedProductId)
      const productName = named.length === 0 ? null : named.map((one) => one.productName).join(', ')
      return change(
        caseId,
        () => ({ kind: 'add-case', caseId, regulatorIdentifier, packagedProductId, productName }),
        (looked) =>
          isRemoved(target.value, regulatorIdentifier) ??
          isRemoved(looked, caseId) ??
          objectionToProduct(looked, regulatorIdentifier, packagedProductId),
      )
    },
  }
}
