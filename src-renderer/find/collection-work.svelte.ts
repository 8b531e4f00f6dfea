import { SvelteMap } from 'svelte/reactivity'
import { type AppError, namedTags } from '../../src-shared/errors'
import { type ShortUuid, TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { CollectionEntity, EntityLink } from '../../src-shared/ipc/contract/find'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import type { Meaning } from '../../src-shared/scan/meaning'
import { packageUidOf } from '../../src-shared/scan/packages'
import type { z } from 'zod'
import type { ScanOutcome } from '../scan/strip.svelte'
import { Reports, collectionOf } from './reports.svelte'

export type CollectionView = z.infer<typeof CollectionEntity>
type PackagedProductId = CollectionView['packagedProducts'][number]['packagedProductId']

/** Main accepts no more items in one report. */
const mostItems = 500
/** Spec: the identifier in the path of add-case. */
const longestIdentifier = 255

/** What a person does to a collection that is open: scans go here while a mode is on. */
export class CollectionWork {
  mode = $state<'add-items' | 'add-case' | null>(null)
  /** Items to be added, the last scan first. */
  scanned = $state.raw<readonly TagId[]>([])
  /** What this station remembers of them; an item it has never seen is known by its code only. */
  readonly known = new SvelteMap<TagId, EntityLink>()
  /** The scanned items that the service has refused. */
  refused = $state.raw<readonly TagId[]>([])
  /** Identifier of the package that the case is to be added to. */
  regulatorId = $state('')
  packagedProductId = $state.raw<PackagedProductId | null>(null)
  /** A person is asked whether the scanned items are to be dropped. */
  isAskingToLeave = $state(false)
  readonly reports: Reports

  readonly #client: Client
  readonly #view: () => CollectionView | null
  #then: () => void = () => undefined
  /** The items of the last report: if they are refused, they can be corrected. */
  #reported = $state.raw<readonly TagId[]>([])

  constructor(client: Client, view: () => CollectionView | null, onChanged: () => void) {
    this.#client = client
    this.#view = view
    this.reports = new Reports({ client, onChanged, placeOf: (operation) => this.#placeOf(operation) })
  }

  #placeOf(operation: OperationView): string | null {
    const collectionId = collectionOf(operation)
    return collectionId !== null && collectionId === this.#view()?.collectionId ? 'collection' : null
  }

  get needsProduct(): boolean {
    return (this.#view()?.packagedProducts.length ?? 0) > 1
  }

  get canAddCase(): boolean {
    return this.regulatorId.trim() !== '' && (!this.needsProduct || this.packagedProductId !== null)
  }

  start(mode: 'add-items' | 'add-case'): void {
    this.mode = mode
  }

  /** Leaves the mode; asks first if that drops scanned items. */
  askToLeave(): void {
    if (!this.asksToDrop()) this.leave()
  }

  /** True if leaving drops scanned items and a person is asked first; `then` runs once they have agreed. */
  asksToDrop(then: () => void = () => undefined): boolean {
    const isKept = this.reports.isBusy('add-items') || this.#isRefused
    const isLost = this.scanned.some((tagId) => !isKept || !this.#reported.includes(tagId))
    if (isLost) this.#then = then
    this.isAskingToLeave = isLost
    return isLost
  }

  /** A person agreed to drop the scanned items. */
  drop(): void {
    this.leave()
    this.#then()
  }

  /** Leaves the mode and drops the scanned items. */
  leave(): void {
    this.isAskingToLeave = false
    this.mode = null
    this.scanned = []
    this.refused = []
    this.regulatorId = ''
    this.packagedProductId = null
  }

  /** Takes a scan while a mode is on; null otherwise. */
  scan(meaning: Meaning): ScanOutcome | null {
    // Another scan means that the list is kept.
    this.isAskingToLeave = false
    if (this.mode === 'add-items') {
      return meaning.kind === 'tag' ? this.#scanItem(meaning.tagId) : attention('find.work.item-wanted')
    }
    if (this.mode === 'add-case') {
      const text =
        meaning.kind === 'package'
          ? meaning.packageUid
          : meaning.kind === 'unknown' || meaning.kind === 'gs1'
            ? meaning.text
            : ''
      return this.#scanPackage(text)
    }
    return null
  }

  #scanItem(tagId: TagId): ScanOutcome {
    if (this.scanned.includes(tagId)) return attention('find.work.duplicate')
    if (this.#view()?.items.some((item) => item.tagId === tagId)) return attention('find.work.already-in')
    if (this.scanned.length >= mostItems) return attention('find.work.full')
    this.scanned = [tagId, ...this.scanned]
    void this.#recall(tagId)
    return {
      ...this.#counted(),
      undo: () => {
        this.takeOff(tagId)
        return Promise.resolve(this.#counted())
      },
    }
  }

  async #recall(tagId: TagId): Promise<void> {
    const answer = await this.#client.call('find.known', { tagId })
    if (answer.ok && answer.value) this.known.set(tagId, answer.value)
  }

  #scanPackage(text: string): ScanOutcome {
    if (text === '' || text.length > longestIdentifier) return attention('find.work.package-wanted')
    this.regulatorId = text
    return { tone: 'good', what: { key: 'find.work.package-read', values: { regulatorId: text } } }
  }

  #counted(): ScanOutcome {
    return { tone: 'good', what: { key: 'find.work.scanned', values: { count: this.scanned.length } } }
  }

  takeOff(tagId: TagId): void {
    this.scanned = this.scanned.filter((one) => one !== tagId)
    if (this.scanned.length === 0) this.isAskingToLeave = false
  }

  get #isRefused(): boolean {
    const operation = this.reports.of('add-items')?.operation
    return operation?.kind === 'add-items' && operation.state === 'rejected'
  }

  /** The items of the last report were refused and are not being corrected yet. */
  get mayPutRight(): boolean {
    return this.#isRefused && this.#reported.length > 0 && this.mode === null && this.#view()?.isRemoved === false
  }

  /** Opens the refused list again, with the items that the service named marked. */
  putRight(): void {
    if (!this.mayPutRight) return
    this.mode = 'add-items'
    this.scanned = this.#reported
    this.refused = namedTags(this.reports.of('add-items')?.operation?.reason ?? null).flatMap((text) => {
      const tagId = TagId.safeParse(text)
      return tagId.success ? [tagId.data] : []
    })
  }

  /** Reports what the mode collected. */
  async save(): Promise<void> {
    const view = this.#view()
    if (!view || view.caseId === null) return
    const { caseId } = view
    if (this.mode === 'add-items' && this.scanned.length > 0) {
      const tagIds = [...this.scanned]
      this.#reported = tagIds
      const saved = await this.reports.run('add-items', () =>
        this.#client.call('collection.addItems', { caseId, tagIds }),
      )
      if (saved) this.#sent(tagIds)
    } else if (this.mode === 'add-case' && this.canAddCase) {
      const { packagedProductId } = this
      const regulatorIdentifier = packageUidOf(this.regulatorId)
      const saved = await this.reports.run('add-case', () =>
        this.#client.call('collection.addCase', { regulatorIdentifier, caseId, packagedProductId }),
      )
      if (saved) this.#sentTo(regulatorIdentifier)
    }
  }

  /** Leaves the mode, unless another package was scanned meanwhile. */
  #sentTo(regulatorIdentifier: string): void {
    if (this.mode === 'add-case' && packageUidOf(this.regulatorId) === regulatorIdentifier) this.leave()
  }

  /** Removes the reported items from the list. Items scanned meanwhile stay. */
  #sent(tagIds: readonly TagId[]): void {
    const rest = this.scanned.filter((one) => !tagIds.includes(one))
    if (rest.length === this.scanned.length) return
    this.scanned = rest
    if (this.mode === 'add-items' && rest.length === 0) this.leave()
  }

  /** Items can be taken out and put back. */
  get canChangeItems(): boolean {
    return this.#view()?.isRemoved === false
  }

  /** Removes the collection itself; its items stay. */
  async remove(): Promise<void> {
    await this.#change('collection', (collectionId) => this.#client.call('collection.remove', { collectionId }))
  }

  async restore(): Promise<void> {
    await this.#change('collection', (collectionId) => this.#client.call('collection.restore', { collectionId }))
  }

  async takeOut(tagId: TagId): Promise<void> {
    await this.#change(tagId, (collectionId) => this.#client.call('collection.removeItem', { collectionId, tagId }))
  }

  async putBack(tagId: TagId): Promise<void> {
    await this.#change(tagId, (collectionId) => this.#client.call('collection.restoreItem', { collectionId, tagId }))
  }

  async #change(
    place: string,
    save: (collectionId: ShortUuid) => Promise<Result<OperationView, AppError>>,
  ): Promise<void> {
    const collectionId = this.#view()?.collectionId
    if (collectionId !== undefined) await this.reports.run(place, () => save(collectionId))
  }
}

const attention = (
  key:
    | 'find.work.item-wanted'
    | 'find.work.duplicate'
    | 'find.work.already-in'
    | 'find.work.full'
    | 'find.work.package-wanted',
): ScanOutcome => ({ tone: 'attention', what: { key } })
