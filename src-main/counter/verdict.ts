import type { AppErrorOf } from '../../src-shared/errors'
import { OrderId, type TagId } from '../../src-shared/ids'
import type { CartMode, CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import type { TagFacts } from '../../src-shared/service/facts'
import type { PackageCase } from '../../src-shared/service/imports'
import {
  Reason,
  type Verdict,
  type VerdictKind,
  type VerdictLevel,
  type VerdictReasons,
  VerdictRule,
  usualLevels,
} from '../../src-shared/verdict'
import { certificateFaults } from '../memory/certificate'
import { isPast } from '../core/clock'
import type { ItemHistory } from '../day/history'

/** The service's answer about an item, from now or remembered. */
export interface ItemAnswer {
  facts: TagFacts
  /** Its case in the look-ups of its packages: undefined if none lists it, null if they could not be asked. */
  entry: PackageCase | undefined | null
  /** ISO 8601, if it is remembered; null if it was asked now. */
  asOf: string | null
  /** When the service was asked, in ms since 1970. */
  askedAt: number
}

/** Everything that a verdict goes by. */
export interface ItemKnowledge {
  mode: CartMode
  /** Another order being filled that holds the item. */
  openOrder: { orderId: OrderId | null } | undefined
  /** What this station last did with it. */
  past: ItemHistory
  /** `looking`: being asked; `no-item`: the service has no such item; undefined: not asked, and nothing is remembered. */
  told: ItemAnswer | 'looking' | 'no-item' | undefined
  /** Whether the sale that the service shows was made by another till. */
  isSoldElsewhere: boolean
  /** What this station did with its case, or is about to; null if nothing, or if the service has said otherwise since. */
  ownImport: { kind: 'imported' | 'removed'; at: string } | null
  isCounterfeit: boolean
  ownDispensaryId: string | null
  /** By the service's clock, ms since 1970. */
  now: number
}

/** The settings that a level goes by. */
export type VerdictRules = Pick<CheckoutSettings, 'takesUnchecked' | 'levels'>

/** Reasons of one kind, without what the kind doesn't need. */
export const reasonsFor = (kind: VerdictKind, more: Partial<VerdictReasons> = {}): VerdictReasons => ({
  kind,
  asOf: null,
  orderId: null,
  at: null,
  dispensary: null,
  past: null,
  canImport: false,
  also: [],
  ...more,
})

/** The verdict on an item, by everything known of it. Pure. */
export function verdictOf(known: ItemKnowledge, rules: VerdictRules): Verdict {
  const [first = reasonsFor('sellable'), ...others] = allReasonsOf(known)
  return judged({ ...first, also: others.map((one) => Reason.parse(one)) }, rules)
}

const gravity: Record<VerdictLevel, number> = { ok: 0, warn: 1, pin: 2, refuse: 3 }

const reasonsIn = (found: VerdictReasons): Reason[] => [Reason.parse(found), ...found.also]
const kindsIn = (found: VerdictReasons) => reasonsIn(found).map(({ kind }) => kind)

/** A verdict: the reasons with their level by the rules of the counter. The first of its gravest reasons counts. */
export function judged(found: VerdictReasons, rules: VerdictRules): Verdict {
  const reasons = reasonsIn(found).map((reason) => ({ reason, level: levelOf(reason, rules) }))
  const gravest = Math.max(...reasons.map(({ level }) => gravity[level]))
  const [first, ...also] = reasons.filter(({ level }) => gravity[level] === gravest)
  if (!first) return { ...found, level: levelOf(found, rules) }
  return { ...first.reason, also: first.level === 'ok' ? [] : also.map(({ reason }) => reason), level: first.level }
}

/** True if an approval, or a confirmation, of `seen` also covers `now`: no graver, and for no other reason. */
export function covers(seen: Verdict, now: Verdict): boolean {
  if (gravity[now.level] !== gravity[seen.level]) return gravity[now.level] < gravity[seen.level]
  return now.level === 'ok' || kindsIn(now).every((kind) => kindsIn(seen).includes(kind))
}

/** True if a person who was shown these reasons was shown all of a verdict. */
export const isShownBy = (kinds: VerdictKind[], verdict: Verdict): boolean =>
  kindsIn(verdict).every((kind) => kinds.includes(kind))

/** True if an approval for `seen` counts for `now`: it was given for these reasons, at this level. */
export const isApprovalFor = (seen: Verdict, now: Verdict): boolean => seen.level === now.level && covers(seen, now)

/** What may have changed since it was asked: refused by memory alone, a manager may still know better. */
const passing: VerdictKind[] = ['sold', 'not-sold', 'sister-store', 'other-company', 'removed-from-case']

function levelOf({ kind, orderId, asOf }: Reason, { takesUnchecked, levels = {} }: VerdictRules): VerdictLevel {
  if (kind === 'sellable' || kind === 'returnable') return 'ok'
  if (kind === 'looking') return takesUnchecked ? 'ok' : 'warn'
  if (kind === 'unchecked' || kind === 'sale-unknown') return takesUnchecked ? 'warn' : 'refuse'
  const rule = VerdictRule.safeParse(kind)
  // A sale of our own and an open order are facts of this station: no setting makes them sellable.
  if (!rule.success || (kind === 'sold' && orderId !== null)) return 'refuse'
  const level = levels[rule.data] ?? usualLevels[rule.data]
  return level === 'refuse' && asOf !== null && passing.includes(kind) ? 'pin' : level
}

/** Everything that speaks for or against the item, never empty. What is certain comes first. */
function allReasonsOf(known: ItemKnowledge): VerdictReasons[] {
  const { mode, openOrder, past, told } = known
  const isSale = mode === 'sale'
  if (openOrder) return [reasonsFor('in-open-order', { orderId: openOrder.orderId })]
  if (isSale && past.kind === 'refused') return [reasonsFor('refused-order', { orderId: past.orderId })]
  if (isSale && past.kind === 'sold') return [reasonsFor('sold', { orderId: past.orderId, at: past.at })]
  if (told === 'looking') return [reasonsFor('looking')]
  if (told === 'no-item') return [reasonsFor('unknown')]
  if (!isSale) return [broughtBack(known, told)]
  if (told === undefined) return [reasonsFor('unchecked')]
  const against = reasonsOf({ ...known, told }).map((one) => ({ ...one, asOf: one.asOf ?? told.asOf }))
  if (against.length > 0) return against
  const asOf = laterOf(told.asOf, known.ownImport?.at)
  return [
    past.kind === 'returned' || past.kind === 'voided'
      ? reasonsFor('sellable', { asOf: laterOf(asOf, past.at), past: past.kind, orderId: past.orderId })
      : reasonsFor('sellable', { asOf }),
  ]
}

/** What this station did since a reading is known as of then; null for what was asked now. ISO 8601. */
const laterOf = (asOf: string | null, own: string | undefined): string | null =>
  asOf !== null && own !== undefined && Date.parse(own) > Date.parse(asOf) ? own : asOf

/** What is known of the sale of an item that is brought back. The service shows it only with the item's case. */
function broughtBack({ past, isSoldElsewhere }: ItemKnowledge, told: ItemAnswer | undefined): VerdictReasons {
  const asOf = told?.asOf ?? null
  if (past.kind === 'sold') {
    return reasonsFor('returnable', { asOf: laterOf(asOf, past.at), orderId: past.orderId, at: past.at })
  }
  const { soldOn = null, isSaleShown = false } = told?.facts ?? {}
  // What this station has back was sold once more, or the sale that is shown is the one that is undone.
  const isBack = (past.kind === 'returned' || past.kind === 'voided') && !isSoldElsewhere
  if (soldOn !== null && !isBack) return reasonsFor('returnable', { asOf, at: soldOn })
  return reasonsFor(isSaleShown || isBack ? 'not-sold' : 'sale-unknown', { asOf })
}

function reasonsOf(known: ItemKnowledge & { told: ItemAnswer }): VerdictReasons[] {
  const { facts } = known.told
  const { coa } = known.told.facts
  return [
    ...(known.isCounterfeit ? [reasonsFor('counterfeit')] : []),
    ...(known.isSoldElsewhere ? [reasonsFor('sold', { at: facts.soldOn })] : []),
    ...(facts.isRemovedFromCase ? [reasonsFor('removed-from-case')] : []),
    ...inventoryOf(known),
    ...(coa ? certificateFaults(coa, known.now) : []).map((fault) =>
      fault === 'failed'
        ? reasonsFor('certificate-failed')
        : reasonsFor('certificate-expired', { at: coa?.expiresOn ?? null }),
    ),
    ...(isPast(facts.useBy, known.now) ? [reasonsFor('past-use-by', { at: facts.useBy ?? null })] : []),
    ...(facts.isPublished === false ? [reasonsFor('product-unpublished')] : []),
  ]
}

/** The inventory that holds the item, if not ours. */
function inventoryOf({ told, ownImport, ownDispensaryId }: ItemKnowledge & { told: ItemAnswer }): VerdictReasons[] {
  const { facts, entry } = told
  if (ownImport?.kind === 'imported' || facts.isRemovedFromCase) return []
  if (ownImport?.kind === 'removed') {
    const asOf = laterOf(told.asOf, ownImport.at)
    return [reasonsFor('not-imported', { asOf, canImport: facts.caseId !== null })]
  }
  if (facts.isImported === null) return []
  const holder = entry?.is_imported === false ? null : entry?.dispensary
  if (holder && ownDispensaryId !== null && holder.uuid !== ownDispensaryId) {
    return [reasonsFor('sister-store', { dispensary: holder.name })]
  }
  if (facts.isImported) {
    // In an inventory of our company. Whose it is could not be asked.
    const isAskable = ownDispensaryId !== null && (facts.packageUids ?? []).length > 0
    return entry === null && isAskable ? [reasonsFor('unchecked')] : []
  }
  if (facts.isImportedElsewhere) return [reasonsFor('other-company')]
  return [reasonsFor('not-imported', { canImport: facts.caseId !== null })]
}

/**
 * True if the service will refuse the item, or this counter does: the person is asked before it is reported. An item that
 * was not checked has an error of its own.
 */
export const isDoubtful = ({ kind, level }: Verdict): boolean =>
  kind !== 'unchecked' &&
  kind !== 'sale-unknown' &&
  (level === 'pin' || level === 'refuse' || (level === 'warn' && refusedByService.includes(kind)))

const refusedByService: VerdictKind[] = [
  'sold',
  'sister-store',
  'other-company',
  'not-imported',
  'counterfeit',
  'unknown',
]

/** Why an item is not sold or taken back, by its verdict. */
export type UnfitCode =
  | 'checkout/in-open-order'
  | 'checkout/in-refused-order'
  | 'checkout/unchecked'
  | 'checkout/already-sold'
  | 'checkout/sold-elsewhere'
  | 'checkout/not-sellable'
  | 'service/not-found'

/** Why an item with this verdict is not taken. */
export function errorOf(tagId: TagId, verdict: Verdict): AppErrorOf<UnfitCode> {
  const { kind, level, orderId, at } = verdict
  const order = OrderId.safeParse(orderId).data ?? null
  if (kind === 'in-open-order') return { code: 'checkout/in-open-order', tagId, orderId: order }
  if (kind === 'refused-order') return { code: 'checkout/in-refused-order', tagId, orderId: order ?? '' }
  if (kind === 'unchecked' || kind === 'looking') return { code: 'checkout/unchecked', tagId }
  if (kind === 'sold' && order !== null) {
    return { code: 'checkout/already-sold', tagId, orderId: order, soldAt: at ?? '' }
  }
  if (kind === 'sold' && level === 'refuse') return { code: 'checkout/sold-elsewhere', tagId, soldOn: at ?? '' }
  if (kind === 'unknown' && level === 'refuse') return { code: 'service/not-found', id: tagId }
  return { code: 'checkout/not-sellable', tagId, verdict }
}
