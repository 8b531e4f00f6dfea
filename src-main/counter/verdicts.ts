import { type AppError, type ResultOf, isUnanswered } from '../../src-shared/errors'
import type { CaseId, PackageUid, TagId } from '../../src-shared/ids'
import type { CartMode, CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import { type Result, ok } from '../../src-shared/result'
import type { TagFacts } from '../../src-shared/service/facts'
import type { PackageCase } from '../../src-shared/service/imports'
import type { Verdict } from '../../src-shared/verdict'
import { iso, nowByService } from '../core/clock'
import type { Operation } from '../outbox/operation'
import { caseKey } from '../outbox/payload'
import { isSameSecond, matchOf } from '../outbox/shown-time'
import { isSeenSince } from '../receiving/import/import-state'
import type { History } from '../day/history'
import type { ServiceCode } from '../service/reply'
import type { CounterContext } from './counter-context'
import type { OpenOrders } from './open-orders'
import { type ItemAnswer, type ItemKnowledge, verdictOf } from './verdict'

/**
 * A look-up that shows a package in our inventory is good for this long, in ms: its items are scanned one after the other.
 * Longer, and an item that a sister store has taken over meanwhile would still be called sellable.
 */
const entryIsFresh = 30_000
/** An item is rarely in more packages. */
const packagesAsked = 3

/** The verdict on items, from what this station did, what the service says, and what is remembered of it. */
export class Verdicts {
  readonly #context: CounterContext
  readonly #orders: OpenOrders
  readonly #rules: { view: () => CheckoutSettings }
  readonly #history: History

  constructor(context: CounterContext, orders: OpenOrders, rules: { view: () => CheckoutSettings }, history: History) {
    this.#context = context
    this.#orders = orders
    this.#rules = rules
    this.#history = history
  }

  /** By what is known before anything is asked. `forOrder`: the order that asks; null for none. Default: the current one. */
  before(mode: CartMode, tagId: TagId, forOrder?: number | null): Verdict {
    return this.#verdict(mode, tagId, this.#cachedAnswer(tagId), forOrder)
  }

  /** What speaks against an item by what this station did with it; undefined if nothing does. */
  own(mode: CartMode, tagId: TagId): Verdict | undefined {
    const found = this.looking(mode, tagId)
    return found.kind === 'looking' ? undefined : found
  }

  /** Whether the service showed a sale of an item that another station made after this one had it back. */
  soldAgain(tagId: TagId): boolean {
    const told = this.#cachedAnswer(tagId)
    return told !== undefined && isSoldElsewhere(told.facts.soldOn, this.#history.reportsOf(tagId))
  }

  /** While the service is being asked about an item of which nothing is remembered. */
  looking(mode: CartMode, tagId: TagId): Verdict {
    return this.#verdict(mode, tagId, 'looking')
  }

  /** Adds whose inventory the item is in, which may have to be asked. `askedAt`: when its facts were, ms since 1970. */
  async complete(facts: TagFacts, askedAt: number): Promise<ItemAnswer> {
    return { facts, entry: await this.#askEntry(facts, askedAt), asOf: null, askedAt }
  }

  /** Asks the service about an item. */
  async ask(tagId: TagId): Promise<ResultOf<ItemAnswer, ServiceCode | 'scan/wrong-place'>> {
    const askedAt = this.#context.clock.now()
    const facts = await this.#context.lookup.tag(tagId)
    return facts.ok ? ok(await this.complete(facts.value, askedAt)) : facts
  }

  /** By the service's answer; without a usable one, by memory. */
  byAnswer(mode: CartMode, tagId: TagId, answer: Result<ItemAnswer, AppError>, forOrder?: number | null): Verdict {
    const told = answer.ok ? answer.value : isNoItem(answer.error) ? 'no-item' : this.#cachedAnswer(tagId)
    return this.#verdict(mode, tagId, told, forOrder)
  }

  /** `forOrder`: the order that asks, which may hold the item; null for none. Default: the current one. */
  #verdict(
    mode: CartMode,
    tagId: TagId,
    told: ItemAnswer | 'looking' | 'no-item' | undefined,
    forOrder: number | null = this.#orders.front(mode).id,
  ): Verdict {
    const { isCounterfeit, ownDispensaryId } = this.#context
    const holder = this.#orders.holderOf(tagId)
    const isTold = typeof told === 'object'
    return verdictOf(
      {
        mode,
        openOrder: holder && holder.id !== forOrder ? holder : undefined,
        past: this.#history.item(tagId),
        told,
        isSoldElsewhere: isTold && isSoldElsewhere(told.facts.soldOn, this.#history.reportsOf(tagId)),
        ownImport: isTold ? this.#ownImport(told.facts, told.askedAt) : null,
        isCounterfeit: isTold && isCounterfeit(tagId),
        ownDispensaryId,
        now: nowByService(this.#context),
      },
      this.#rules.view(),
    )
  }

  #ownImport(facts: TagFacts, askedAt: number): ItemKnowledge['ownImport'] {
    const { caseId, isImported } = facts
    if (caseId === null) return null
    const imports = this.#context.outbox.read.byKey(caseKey(caseId)).filter((one) => isImportOf(one, facts))
    const last = imports.findLast((one) => one.state !== 'cancelled' && one.state !== 'rejected')
    if (!last) return null
    // The report may be unsent, or newer than the answer. Otherwise another till may have undone it since.
    const isOvertaken = last.state === 'accepted' && isSeenSince(last, askedAt, this.#context.outbox)
    const at = last.performedAt
    if (last.kind === 'import-removal') return isOvertaken ? null : { kind: 'removed', at }
    return isOvertaken && isImported === false ? null : { kind: 'imported', at }
  }

  #cachedAnswer(tagId: TagId): ItemAnswer | undefined {
    const seen = this.#context.lookup.cachedTag(tagId)
    if (!seen) return undefined
    const { value: facts, seenAt } = seen
    return { facts, entry: this.#cachedEntry(facts), asOf: iso(seenAt), askedAt: seenAt }
  }

  #cachedEntry({ caseId, packageUids = [] }: TagFacts): PackageCase | undefined | null {
    const seen = packageUids.flatMap((uid) => this.#context.lookup.cachedPackage(uid)?.value ?? [])
    const entries = seen.flatMap((one) => (caseId === null ? [] : (one.case_ids[caseId] ?? [])))
    return entries.find(({ dispensary }) => dispensary != null) ?? entries[0] ?? (seen.length > 0 ? undefined : null)
  }

  /** Asks whose inventory an item is in, only where that is in question. Never rejects. */
  async #askEntry(facts: TagFacts, askedAt: number): Promise<ItemAnswer['entry']> {
    const { caseId, packageUids = [], isImported, isImportedElsewhere } = facts
    const isInQuestion = isImported === true || isImportedElsewhere === true
    if (caseId === null || !isInQuestion || this.#context.ownDispensaryId === null) return undefined
    if (this.#ownImport(facts, askedAt) !== null) return undefined
    const fresh = this.#freshEntry(caseId, packageUids)
    if (fresh) return fresh
    let isAnswered = true
    for (const uid of packageUids.slice(0, packagesAsked)) {
      const answer = await this.#context.lookup.package(uid)
      if (!answer.ok || answer.value.unreachable) isAnswered = false
      const entry = answer.ok ? answer.value.value.case_ids[caseId] : undefined
      if (entry?.dispensary) return entry
    }
    return isAnswered && packageUids.length <= packagesAsked ? undefined : null
  }

  /** A look-up of the last seconds that shows it in our inventory. Another holder may have given it back meanwhile. */
  #freshEntry(caseId: CaseId, packageUids: readonly PackageUid[]): PackageCase | undefined {
    const { lookup, clock, ownDispensaryId } = this.#context
    const fresh = packageUids.flatMap((uid) => {
      const seen = lookup.cachedPackage(uid)
      const age = seen ? clock.now() - seen.seenAt : entryIsFresh
      return seen && age >= 0 && age < entryIsFresh ? (seen.value.case_ids[caseId] ?? []) : []
    })
    return fresh.find(({ is_imported, dispensary }) => is_imported && dispensary?.uuid === ownDispensaryId)
  }
}

/** Whether it imports, or takes back the import of, the packaged product of an item: a case may hold several. */
function isImportOf({ payload }: Operation, { packagedProductId, productName }: TagFacts): boolean {
  if (payload?.kind !== 'import' && payload?.kind !== 'import-removal') return false
  // Version 0.1 remembered of an item only the product's name.
  if (packagedProductId === undefined) {
    return payload.productName === null || productName === null || payload.productName === productName
  }
  return payload.packagedProductId === packagedProductId
}

/** True if the service has no such item, or the code is of another kind of thing. */
export const isNoItem = (error: AppError) =>
  !isUnanswered(error) && (error.code === 'service/not-found' || error.code === 'scan/wrong-place')

/**
 * Whether a sale that the service shows was made by another station: stations know of each other only through the
 * service. `soldOn`: when the item was sold, ISO 8601. `operations`: this station's with the item, oldest first.
 * Spec: Collection, `sold_at_dispensary_on`.
 */
function isSoldElsewhere(soldOn: string | null, operations: Operation[]): boolean {
  if (soldOn === null) return false
  const moment = Date.parse(soldOn)
  if (Number.isNaN(moment)) return false
  const standing = operations.filter(({ state }) => state !== 'cancelled')
  if (standing.some((one) => one.kind === 'complete' && isAt(moment, one.performedAt))) return false
  const undone = standing.filter(({ kind, state }) => kind !== 'complete' && state !== 'rejected')
  // The service can't show a return or void before it has it; a sale from before our return or void is undone.
  return undone.every(({ state, performedAt }) => state === 'accepted' && Date.parse(performedAt) < moment)
}

/** The same moment, to the second at least: some services keep no finer times. */
const isAt = (moment: number, performedAt: string) => isSameSecond(matchOf(moment, Date.parse(performedAt)))
