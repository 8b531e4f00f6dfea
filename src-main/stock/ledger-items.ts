import { CaseId, TagId } from '../../src-shared/ids'
import type { CaseFacts, TagFacts } from '../../src-shared/service/facts'
import type { PackageCase } from '../../src-shared/service/imports'
import type { Memory } from '../memory/store'
import { caseKey, tagKey } from '../outbox/payload'
import type { KeptReport, LedgerRows, StockItem } from './ledger-rows'
import { type SaidPlace, type StockReport, shelfStatusOf } from './shelf-status'

/**
 * What a reading of a case said. `position`: the newest step of the journal before it was asked; `askedAt`: ms since 1970;
 * `askedMove`: the number that the ledger gave to the question. `imports`: since when items are in an inventory, in ms since 1970.
 */
export interface CaseReading {
  facts: CaseFacts
  /** Its case in the look-ups of its packages: undefined if none lists it, null if they could not be asked. */
  entry: PackageCase | undefined | null
  position: number
  askedAt: number
  askedMove: number
  imports?: ReadonlyMap<TagId, number>
}

/** What the items of a case are judged by. */
interface CaseReports {
  ofCase: readonly KeptReport[]
  position: number
}

/** Whether a report is about the packaged product of an item; one that names none is about the whole case. */
const isOfProduct = (product: string | null, { packagedProductId }: Pick<StockItem, 'packagedProductId'>) =>
  product === null || packagedProductId === null || product === packagedProductId

/** The reports about an item, oldest first, and whether the service knew each when its case was read at `position`. */
export function reportsOn(
  item: Pick<StockItem, 'packagedProductId'>,
  { ofCase, position }: CaseReports,
  ofTag: readonly KeptReport[],
): StockReport[] {
  return [...ofCase.filter(({ product }) => isOfProduct(product, item)), ...ofTag]
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ kind, state, accepted }) => ({
      ...{ kind, state },
      // What is only cached was asked before any report that counts.
      isKnown: position > 0 && state === 'accepted' && (accepted ?? 0) <= position,
    }))
}

/** Where the service shows an item. `own`: this dispensary. */
export function placeOf(facts: TagFacts, entry: CaseReading['entry'], own: string | null): SaidPlace {
  if (facts.isRemovedFromCase) return 'taken-out'
  if (facts.isImported !== true) return facts.isImportedElsewhere ? 'elsewhere' : 'not-imported'
  const holder = entry?.dispensary
  return holder && own !== null && holder.uuid !== own ? 'elsewhere' : 'here'
}

/** The items of the ledger: looked at again after each report, and taken in with their cases. Call inside transactions. */
export class LedgerItems {
  readonly #rows: LedgerRows
  readonly #seen: Pick<Memory, 'case' | 'caseOf' | 'package'>
  readonly #ownDispensaryId: string | null
  #newest: number

  constructor(rows: LedgerRows, seen: Pick<Memory, 'case' | 'caseOf' | 'package'>, ownDispensaryId: string | null) {
    this.#rows = rows
    this.#seen = seen
    this.#ownDispensaryId = ownDispensaryId
    this.#newest = rows.newestMove()
  }

  /** The newest change: what changes from now on has a higher number. */
  get newestMove(): number {
    return this.#newest
  }

  nextMove(): number {
    return ++this.#newest
  }

  /** Looks again at the items that a report noted. */
  workKey({ key, change }: { key: string; change: number }): void {
    const [kind, id] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
    const tagId = kind === 'tag' ? TagId.safeParse(id).data : undefined
    const caseId = kind === 'case' ? CaseId.safeParse(id).data : undefined
    if (tagId !== undefined) this.#workTag(tagId)
    if (caseId !== undefined) this.#workCase(caseId)
    this.#rows.settleDue(key, change)
  }

  /** An item as it stands now, every report included; undefined if it is not in the ledger. */
  item(tagId: TagId): StockItem | undefined {
    const dueTag = this.#rows.dueKey(tagKey(tagId))
    if (dueTag) this.workKey(dueTag)
    let item = this.#rows.item(tagId)
    const caseId = item?.caseId ?? this.#seen.caseOf(tagId)
    const dueCase = caseId === undefined ? undefined : this.#rows.dueKey(caseKey(caseId))
    if (dueCase) this.workKey(dueCase)
    if (!item && caseId !== undefined) {
      const known = this.#rows.case(caseId)
      if (known && known.askedAt === null) this.#recall(caseId)
    }
    if (dueCase || !item) item = this.#rows.item(tagId)
    return item
  }

  /** Takes in what a case holds. `isWhole`: it was read with what is sold; otherwise it is only cached. */
  learn(reading: CaseReading, isWhole: boolean): void {
    const { facts, position, askedAt, askedMove } = reading
    const { caseId, identifier } = facts
    const move = this.nextMove()
    const names = [...new Set(facts.packagedProducts.map(({ productName }) => productName))]
    const name = names.length === 0 ? null : names.join(', ')
    this.#rows.keepCase({ caseId, identifier }, name, position, isWhole ? { at: askedAt, move: askedMove } : null)
    const reports = { ofCase: this.#rows.ofCase(caseId), position }
    const before = new Map(this.#rows.itemsOf(caseId).map((item) => [item.tagId, item]))
    for (const tag of facts.tags) {
      const known = before.get(tag.tagId) ?? this.#rows.item(tag.tagId)
      before.delete(tag.tagId)
      this.#learnItem(this.#itemOf(tag, reading, isWhole, { known, move }), { reports, known, move })
    }
    // What the case no longer holds was taken out of it.
    for (const gone of before.values()) {
      this.#rows.setSaid(gone.tagId, 'taken-out')
      this.#look({ ...gone, said: { ...gone.said, place: 'taken-out' } }, reports, move, false)
    }
  }

  /** An item as a reading says, before its reports are looked at. */
  #itemOf(
    tag: TagFacts,
    { facts, entry, imports }: CaseReading,
    isWhole: boolean,
    { known, move }: { known: StockItem | undefined; move: number },
  ): StockItem {
    return {
      ...{ tagId: tag.tagId, caseId: facts.caseId, productId: tag.productId },
      ...{ packagedProductId: tag.packagedProductId ?? null, productName: tag.productName, brandName: tag.brandName },
      said: { place: placeOf(tag, entry, this.#ownDispensaryId), isSold: isWhole ? tag.soldOn !== null : null },
      ...{ standing: known?.standing ?? 'not-imported', moved: known?.moved ?? move, reported: known?.reported ?? 0 },
      ...{ taught: known?.taught ?? move, importedAt: imports?.get(tag.tagId) ?? known?.importedAt ?? null },
    }
  }

  #learnItem(
    item: StockItem,
    { reports, known, move }: { reports: CaseReports; known: StockItem | undefined; move: number },
  ): void {
    const standing = shelfStatusOf(item.said, reportsOn(item, reports, this.#rows.ofTag(item.tagId)))
    if (known?.standing === standing) this.#rows.keepItem({ ...item, standing })
    // One that was sold was in the inventory already.
    else
      this.#rows.keepItem({ ...item, standing, moved: move, taught: known?.standing === 'sold' ? item.taught : move })
  }

  /** Looks at an item again. `isMoved`: a report concerns it, even if it stands as before. */
  #look(item: StockItem, reports: CaseReports, move: number, isMoved: boolean): void {
    const standing = shelfStatusOf(item.said, reportsOn(item, reports, this.#rows.ofTag(item.tagId)))
    if (!isMoved && standing === item.standing) return
    this.#rows.setStanding({ tagId: item.tagId, standing, moved: move, reported: isMoved ? move : item.reported })
  }

  /** Takes in what is cached of a case that was never read as a whole. Returns false if that is nothing. */
  #recall(caseId: CaseId): boolean {
    const facts = this.#seen.case(caseId)
    if (!facts) return false
    const own = this.#rows.packageOf(caseId)
    const uids = [...(own === undefined ? [] : [own]), ...facts.value.packageUids]
    const known = uids.flatMap((uid) => this.#seen.package(uid)?.value ?? [])
    const entry = known.flatMap((one) => one.case_ids[caseId] ?? [])[0]
    this.learn({ facts: facts.value, entry, position: 0, askedAt: facts.seenAt, askedMove: 0 }, false)
    return true
  }

  #workCase(caseId: CaseId): void {
    const ofCase = this.#rows.ofCase(caseId)
    const isRecalled = this.#rows.case(caseId)?.askedAt == null && this.#recall(caseId)
    // Imported without being read: a refresh reads it. Another collection than a case has no imports.
    if (!isRecalled && ofCase.some(({ kind }) => kind === 'import')) this.#rows.addCase(caseId)
    const reports = { ofCase, position: this.#rows.case(caseId)?.position ?? 0 }
    const move = this.nextMove()
    for (const item of this.#rows.itemsOf(caseId)) this.#look(item, reports, move, true)
  }

  #workTag(tagId: TagId): void {
    const item = this.#rows.item(tagId) ?? this.#recalledItem(tagId)
    if (!item) return
    const reports = {
      ofCase: this.#rows.ofCase(item.caseId),
      position: this.#rows.case(item.caseId)?.position ?? 0,
    }
    this.#look(item, reports, this.nextMove(), true)
  }

  #recalledItem(tagId: TagId): StockItem | undefined {
    const caseId = this.#seen.caseOf(tagId)
    if (caseId === undefined || this.#rows.case(caseId)?.askedAt || !this.#recall(caseId)) return undefined
    return this.#rows.item(tagId)
  }
}
