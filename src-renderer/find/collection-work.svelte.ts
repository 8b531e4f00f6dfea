import { SvelteMap } from 'svelte/reactivity'
import { TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { CollectionThing, ThingLink } from '../../src-shared/ipc/find-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { namedTags } from '../../src-shared/named-tags'
import type { Meaning } from '../../src-shared/scan/meaning'
import type { z } from 'zod'
import type { Outcome } from '../scan/strip.svelte'
import { Reports, collectionOf } from './reports.svelte'

export type CollectionView = z.infer<typeof CollectionThing>
type PackagedProductId = CollectionView['packagedProducts'][number]['packagedProductId']

/** Main takes no more in one report. */
const mostItems = 500
/** Spec: the identifier in the path of add-case. */
const longestIdentifier = 255

/** What a person does to a collection that is open: scans go here while a mode is on. */
export class CollectionWork {
  mode = $state<'add-items' | 'add-case' | null>(null)
  /** Items to be added, the last scan first. */
  scanned = $state.raw<readonly TagId[]>([])
  /** What this station remembers of them; one that it never saw is known by its code alone. */
  readonly known = new SvelteMap<TagId, ThingLink>()
  /** Of them, those that the service has refused. */
  refused = $state.raw<readonly TagId[]>([])
  /** Of the package that the case is to be added to. */
  regulatorId = $state('')
  packagedProductId = $state.raw<PackagedProductId | null>(null)
  isAskingToRemove = $state(false)
  /** Whether what was scanned is to be dropped. */
  isAskingToLeave = $state(false)
  readonly reports: Reports

  readonly #client: Client
  readonly #view: () => CollectionView | null
  #then: () => void = () => undefined
  /** What was reported last: refused, it is there to be put right. */
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

  /** Leaves the mode, after asking where that drops what was scanned. */
  askToLeave(): void {
    if (!this.asksToDrop()) this.leave()
  }

  /** Whether leaving drops what was scanned, and a person is asked; `then` is done once they have agreed. */
  asksToDrop(then: () => void = () => undefined): boolean {
    const isKept = this.reports.isBusy('add-items') || this.#isRefused
    const isLost = this.scanned.some((tagId) => !isKept || !this.#reported.includes(tagId))
    if (isLost) this.#then = then
    this.isAskingToLeave = isLost
    return isLost
  }

  /** What a person who was asked agrees to. */
  drop(): void {
    this.leave()
    this.#then()
  }

  /** Leaves the mode; what was scanned in it is dropped. */
  leave(): void {
    this.isAskingToLeave = false
    this.mode = null
    this.scanned = []
    this.refused = []
    this.regulatorId = ''
    this.packagedProductId = null
  }

  /** Takes a scan while a mode is on; null when none is. */
  scan(meaning: Meaning): Outcome | null {
    // Whoever scans on keeps the list.
    this.isAskingToLeave = false
    if (this.mode === 'add-items') {
      return meaning.kind === 'tag' ? this.#scanItem(meaning.tagId) : attention('find.work.item-wanted')
    }
    if (this.mode === 'add-case') {
      const text = meaning.kind === 'package' ? meaning.packageUid : meaning.kind === 'unknown' ? meaning.text : ''
      return this.#scanPackage(text)
    }
    return null
  }

  #scanItem(tagId: TagId): Outcome {
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

  #scanPackage(text: string): Outcome {
    if (text === '' || text.length > longestIdentifier) return attention('find.work.package-wanted')
    this.regulatorId = text
    return { tone: 'good', what: { key: 'find.work.package-read', values: { regulatorId: text } } }
  }

  #counted(): Outcome {
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

  /** Whether the items of the last report were refused, and are not being put right yet. */
  get mayPutRight(): boolean {
    return this.#isRefused && this.#reported.length > 0 && this.mode === null && this.#view()?.isRemoved === false
  }

  /** The list that was refused, once more: what the service named is marked. */
  putRight(): void {
    if (!this.mayPutRight) return
    this.mode = 'add-items'
    this.scanned = this.#reported
    this.refused = namedTags(this.reports.of('add-items')?.operation?.reason ?? null).flatMap((text) => {
      const tagId = TagId.safeParse(text)
      return tagId.success ? [tagId.data] : []
    })
  }

  /** What the mode is for. */
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
      const regulatorIdentifier = this.regulatorId.trim()
      const saved = await this.reports.run('add-case', () =>
        this.#client.call('collection.addCase', { regulatorIdentifier, caseId, packagedProductId }),
      )
      if (saved) this.#sentTo(regulatorIdentifier)
    }
  }

  /** Unless another package was scanned meanwhile, or something else begun. */
  #sentTo(regulatorIdentifier: string): void {
    if (this.mode === 'add-case' && this.regulatorId.trim() === regulatorIdentifier) this.leave()
  }

  /** What was scanned while these were being saved stays, and so does what was begun meanwhile. */
  #sent(tagIds: readonly TagId[]): void {
    const rest = this.scanned.filter((one) => !tagIds.includes(one))
    if (rest.length === this.scanned.length) return
    this.scanned = rest
    if (this.mode === 'add-items' && rest.length === 0) this.leave()
  }

  /** The collection itself: its items stay what they are. */
  async remove(): Promise<void> {
    this.isAskingToRemove = false
    const collectionId = this.#view()?.collectionId
    if (collectionId !== undefined)
      await this.reports.run('collection', () => this.#client.call('collection.remove', { collectionId }))
  }

  async restore(): Promise<void> {
    const collectionId = this.#view()?.collectionId
    if (collectionId !== undefined)
      await this.reports.run('collection', () => this.#client.call('collection.restore', { collectionId }))
  }

  async takeOut(tagId: TagId): Promise<void> {
    const collectionId = this.#view()?.collectionId
    if (collectionId !== undefined)
      await this.reports.run(tagId, () => this.#client.call('collection.removeItem', { collectionId, tagId }))
  }

  async putBack(tagId: TagId): Promise<void> {
    const collectionId = this.#view()?.collectionId
    if (collectionId !== undefined)
      await this.reports.run(tagId, () => this.#client.call('collection.restoreItem', { collectionId, tagId }))
  }
}

const attention = (
  key:
    | 'find.work.item-wanted'
    | 'find.work.duplicate'
    | 'find.work.already-in'
    | 'find.work.full'
    | 'find.work.package-wanted',
): Outcome => ({ tone: 'attention', what: { key } })
