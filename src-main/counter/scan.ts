import type { ClaimedBy } from '../../src-shared/claim'
import type { AppErrorOf, ResultOf } from '../../src-shared/errors'
import type { Approval } from '../../src-shared/gates'
import type { TagId } from '../../src-shared/ids'
import { assertNever } from '../../src-shared/result'
import { type Verdict, type VerdictKind, VerdictReasons } from '../../src-shared/verdict'
import { claimedBy } from '../hub/claims/known-claims'
import type { ClaimAnswer } from '../hub/port'
import type { ServiceCode } from '../service/reply'
import type { NotSaved } from '../database/saved'
import type { OpenItem } from './open-order-rows'
import type { NotAddedCode } from './rules'
import { type ItemAnswer, type VerdictRules, errorOf, isApprovalFor, isShownBy, judged } from './verdict'

/** An approval, and the reasons that it covers; left out: all. */
export type ScanApproval = Approval & { shown?: VerdictKind[] | undefined }

/** What a person wants of a scan. */
export interface ScanWish {
  tagId: TagId
  approval: ScanApproval | undefined
  /** The item is taken from the station that holds it. */
  isTakeover: boolean
}

/** What the service says of an item, or why it says nothing. */
export type ItemHeard = ResultOf<ItemAnswer, ServiceCode | 'scan/wrong-place'>

/** Why a scan puts nothing into the cart. */
export type NotTakenCode =
  | NotAddedCode
  | ServiceCode
  | NotSaved
  | 'scan/wrong-place'
  | 'checkout/cart-changed'
  | 'checkout/claimed'
  | 'checkout/not-claimed'
  | 'checkout/awaited'
type NotTaken = AppErrorOf<NotTakenCode>

/** The stage that a scan has reached: it says what the scan waits for. The table is in counter.md. */
export type ScanStage =
  /** For what this station knows. */
  | { is: 'begun' }
  /** For the service: the item came back here, and another station may have sold it since; or it is about to be taken over. */
  | { is: 'asking-first' }
  /** For the hub. The service is asked at the same time, once the scan is answered, or not at all: the line is in the cart, or it was asked first. */
  | { is: 'claiming'; shown: Verdict; service: 'asked' | 'later' | 'unasked' }
  /** Another station has the item: for the service, which may name its product. */
  | { is: 'held'; by: ClaimedBy }
  /** The line is saved with this verdict: for the service. */
  | { is: 'saved'; shown: Verdict }
  /** Answered: the item is in the cart. `isHeardLater`: what the service says of it is shown once it comes. */
  | { is: 'taken'; isHeardLater: boolean }
  /** Answered. `isShown`: the order has changed, and pages are told. */
  | { is: 'refused'; error: NotTaken; isShown: boolean }

/** An answer of the service, and the verdict by it; without a usable answer, by memory. */
export interface HeardAnswer {
  answer: ItemHeard
  verdict: Verdict
}

/** What this station knows, before anything is asked. */
interface MemoryEvent {
  of: 'memory'
  /** What speaks against the item by what this station did with it. */
  objection: AppErrorOf<NotAddedCode> | undefined
  /** Its line in the cart. */
  line: OpenItem | undefined
  verdict: Verdict
  isCached: boolean
  isOutOfReach: boolean
  /** False for a return, and for a station that works alone. */
  isClaimed: boolean
  /** What the service said, if it was asked first. */
  heard: HeardAnswer | undefined
  /** False if another order is in front since the scan began. */
  isSameOrder: boolean
}

interface HubEvent {
  of: 'hub'
  answer: ClaimAnswer
  /** By now: other scans were taken meanwhile. */
  objection: AppErrorOf<NotAddedCode> | undefined
  isInCart: boolean
  isSameOrder: boolean
  /** What the service said before the hub. */
  early: HeardAnswer | undefined
  /** Whether the store takes nothing that the hub has not granted. */
  refuses: boolean
  productName: string | null
}

export type ScanEvent =
  | MemoryEvent
  | HubEvent
  /** The service answers in time. `isInOrder`: the item is still in the order that it was scanned into. */
  | { of: 'service'; heard: HeardAnswer; isInOrder: boolean; productName: string | null }
  /** The service does not answer in time. */
  | { of: 'silence'; productName: string | null }
  /** The disk refused what was to be saved. */
  | { of: 'disk'; error: AppErrorOf<NotSaved> }

/** What a step saves, in one commit. */
export type Saving =
  /** A new line, with its claim. */
  | { what: 'line'; verdict: Verdict; permitted: string | null; claim: ClaimAnswer | undefined }
  | { what: 'claim'; claim: ClaimAnswer }
  | { what: 'verdict'; verdict: Verdict; permitted: string | null }
  | { what: 'removal' }
  /** Not worth a commit: what is shown is right. `isNews`: it was remembered, and the service says it now. */
  | { what: 'nothing'; isNews: boolean }

/** What an answer of the service changes about a line that is saved. */
export type FoundSaving = Extract<Saving, { what: 'verdict' | 'nothing' }>

export interface ScanStep {
  stage: ScanStage
  saving?: Saving
}

/** What a scan does with what comes. Pure. */
export function onScan(
  { wish, stage }: { wish: ScanWish; stage: ScanStage },
  event: ScanEvent,
  rules: VerdictRules,
): ScanStep {
  // A line that is saved already stays: pages must show it.
  if (event.of === 'disk') return refused(event.error, stage.is === 'saved')
  switch (stage.is) {
    case 'begun':
    case 'asking-first':
      if (event.of === 'memory') return onMemory(wish, event, stage.is === 'begun', rules)
      break
    case 'claiming':
      if (event.of === 'hub') return onHub(wish, stage, event)
      break
    case 'held':
      if (event.of === 'service' || event.of === 'silence') return heldThere(wish, stage.by, event.productName)
      break
    case 'saved':
      if (event.of === 'silence') return taken(undefined, true)
      if (event.of === 'service') return onService(wish, stage.shown, event, rules)
      break
    case 'taken':
    case 'refused':
      break
    default:
      return assertNever(stage)
  }
  throw new Error(`a scan that is ${stage.is} can't go on with ${event.of}`)
}

const taken = (saving?: Saving, isHeardLater = false): ScanStep => ({
  stage: { is: 'taken', isHeardLater },
  ...(saving && { saving }),
})
const refused = (error: NotTaken, isShown = false): ScanStep => ({ stage: { is: 'refused', error, isShown } })
const heldThere = ({ tagId }: ScanWish, by: ClaimedBy, productName: string | null): ScanStep =>
  refused({ code: 'checkout/claimed', tagId, productName, by })

/** The line that is saved: an approval stays with it only if it was needed. */
const lineOf = ({ approval }: ScanWish, verdict: Verdict, claim?: ClaimAnswer): Saving => ({
  what: 'line',
  verdict,
  permitted: permittedBy(approval, verdict),
  claim,
})
const permittedBy = (approval: ScanApproval | undefined, { level }: Verdict) =>
  level === 'pin' ? (approval?.reason ?? null) : null

function onMemory(wish: ScanWish, event: MemoryEvent, isFirst: boolean, rules: VerdictRules): ScanStep {
  const { objection, verdict, isOutOfReach, isClaimed, heard } = event
  // A person approved a takeover for the order that was in front; another scan may have put the item there meanwhile.
  if (wish.isTakeover && !event.isSameOrder) return refused({ code: 'checkout/cart-changed' })
  // The other order keeps an item that the service refuses, also if another scan has put it into this order meanwhile.
  const refusal = wish.isTakeover && heard ? refusalBy(wish, heard) : undefined
  if (refusal) return refused(refusal)
  const inCart = isFirst || wish.isTakeover ? onLineInCart(wish, event, rules) : undefined
  if (inCart) return inCart
  // What came back here may have been sold again by another station: only the service knows.
  const isOfService = objection?.code === 'checkout/already-returned' && !isOutOfReach
  if (isOfService && isFirst) return { stage: { is: 'asking-first' } }
  if (objection) return refused(objection)
  // The other station's order loses the item at once: nothing is taken over that is refused then.
  if (wish.isTakeover && isClaimed && !isOutOfReach && isFirst) return { stage: { is: 'asking-first' } }
  // Without the service, memory decides.
  const isFinal = event.isCached && isOutOfReach
  const against = heard ? refusalBy(wish, heard) : isFinal ? objectionTo(wish, verdict) : undefined
  if (against) return refused(against)
  if (isClaimed && heard?.answer.ok) return { stage: { is: 'claiming', shown: heard.verdict, service: 'unasked' } }
  if (isClaimed) return { stage: { is: 'claiming', shown: verdict, service: isFinal ? 'later' : 'asked' } }
  const saving = lineOf(wish, verdict)
  return isFinal ? taken(saving, true) : { stage: { is: 'saved', shown: verdict }, saving }
}

/** An approval for a line whose verdict came late, or a takeover of one; undefined for any other scan. */
function onLineInCart(
  { tagId, approval, isTakeover }: ScanWish,
  { line, verdict, isClaimed }: MemoryEvent,
  rules: VerdictRules,
): ScanStep | undefined {
  if (!line) return undefined
  if (isTakeover) {
    if (!isClaimed) return refused({ code: 'checkout/duplicate', tagId })
    return { stage: { is: 'claiming', shown: verdict, service: 'unasked' } }
  }
  const shown = judged(line.found, rules)
  if (!approval || line.permitted !== null || shown.level !== 'pin') return undefined
  const against = objectionTo({ tagId, approval }, shown)
  if (against) return refused(against)
  return taken({ what: 'verdict', verdict: shown, permitted: approval.reason ?? null })
}

function onHub(wish: ScanWish, { shown, service }: Extract<ScanStage, { is: 'claiming' }>, event: HubEvent): ScanStep {
  const { tagId, isTakeover } = wish
  const { answer, early, refuses } = event
  const isLine = isTakeover && event.isInCart
  if (event.objection && !isLine) return refused(event.objection)
  if (!event.isSameOrder) return refused({ code: 'checkout/cart-changed' })
  if (answer.kind === 'held') return heldByOther(wish, claimedBy(answer.by), event, service === 'asked')
  const isUnclaimed = answer.kind !== 'granted'
  if (isUnclaimed && (isTakeover || refuses)) return refused({ code: 'checkout/not-claimed', tagId })
  const stations = (!isUnclaimed && answer.awaited) || []
  if (stations.length > 0 && refuses && !isTakeover) return refused({ code: 'checkout/awaited', tagId, stations })
  if (isLine) {
    const saving: Saving = { what: 'claim', claim: answer }
    // Another scan put it there meanwhile: this one still waits for the service, which it has asked.
    return service === 'asked' ? { stage: { is: 'saved', shown }, saving } : taken(saving, service === 'later')
  }
  const against = early && refusalBy(wish, early)
  if (against) return refused(against)
  const saving = lineOf(wish, early?.verdict ?? shown, answer)
  if (early || service === 'unasked') return taken(saving)
  return service === 'later' ? taken(saving, true) : { stage: { is: 'saved', shown }, saving }
}

/** The hub may be quicker than the service, which names the product. */
const heldByOther = (
  wish: ScanWish,
  by: ClaimedBy,
  { productName, early }: HubEvent,
  isServiceAsked: boolean,
): ScanStep =>
  productName === null && isServiceAsked && !early ? { stage: { is: 'held', by } } : heldThere(wish, by, productName)

function onService(
  wish: ScanWish,
  shown: Verdict,
  { heard, isInOrder }: Extract<ScanEvent, { of: 'service' }>,
  rules: VerdictRules,
): ScanStep {
  // The item was removed, reported, or scanned into another order meanwhile.
  if (!isInOrder) return refused({ code: 'checkout/cart-changed' })
  const against = refusalBy(wish, heard)
  if (against) return { ...refused(against, true), saving: { what: 'removal' } }
  const { verdict } = heard
  if (isSame(verdict, shown, rules)) return taken({ what: 'nothing', isNews: isNews(verdict, shown) })
  return taken({ what: 'verdict', verdict, permitted: permittedBy(wish.approval, verdict) })
}

/**
 * What an answer changes that comes after its scan was answered, or because the service was asked again: what is saved, and
 * whether a person must see it. Undefined if there is no usable answer and the line says the same without one.
 */
export function onLateAnswer(
  { found, permitted }: OpenItem,
  { answer, verdict }: HeardAnswer,
  rules: VerdictRules,
): { saving: FoundSaving; isFlagged: boolean } | undefined {
  if (isSame(verdict, found, rules)) {
    const isFlagged = isNews(verdict, found)
    return answer.ok ? { saving: { what: 'nothing', isNews: isFlagged }, isFlagged } : undefined
  }
  const isPermitted = isApprovalFor(judgedNow(found, rules), verdict)
  return { saving: { what: 'verdict', verdict, permitted: isPermitted ? permitted : null }, isFlagged: true }
}

/** Why an item is not taken; undefined if it is. */
function objectionTo({ tagId, approval }: Pick<ScanWish, 'tagId' | 'approval'>, verdict: Verdict) {
  const { level } = verdict
  if (level !== 'refuse' && level !== 'pin') return undefined
  const isCovered = approval && (approval.shown === undefined || isShownBy(approval.shown, verdict))
  return level === 'pin' && isCovered ? undefined : errorOf(tagId, verdict)
}

/** Why an item is not taken that the service has just answered about; undefined if it is. */
function refusalBy(wish: ScanWish, { answer, verdict }: HeardAnswer): NotTaken | undefined {
  const isWrongCode = !answer.ok && verdict.kind === 'unknown' && verdict.level === 'refuse'
  return isWrongCode ? answer.error : objectionTo(wish, verdict)
}

const isFree = ({ kind }: VerdictReasons) => kind === 'sellable' || kind === 'returnable'
const isNews = (now: VerdictReasons, shown: VerdictReasons) => now.asOf === null && shown.asOf !== null
/** Parsed, so that both have the same fields in the same order. */
const judgedNow = (found: VerdictReasons, rules: VerdictRules) => judged(VerdictReasons.parse(found), rules)
/** True if there is nothing to write: a sellable item that the service confirms is not worth a commit. */
const isSame = (now: VerdictReasons, shown: VerdictReasons, rules: VerdictRules) =>
  (isFree(now) && now.kind === shown.kind && (now.asOf === null || shown.asOf !== null)) ||
  JSON.stringify(judgedNow(now, rules)) === JSON.stringify(judgedNow(shown, rules))
