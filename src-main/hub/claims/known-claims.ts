import type { ClaimMark, ClaimedBy } from '../../../src-shared/claim'
import type { TagId } from '../../../src-shared/ids'
import { iso } from '../../core/clock'
import type { ClaimAnswer, ClaimHolder, HeldClaim } from '../port'
import type { ClaimNotices } from './claim-notices'
import { itemOf, knownUpTo } from './claim-rows'
import type { ClaimsContext } from './claims-context'

/** The station that holds an item, as a screen names it. */
export const claimedBy = ({ stationName, stationId, orderId, since, kind, revision }: ClaimHolder): ClaimedBy => ({
  station: stationName,
  stationId,
  orderId,
  since: iso(since),
  isSold: kind === 'sale',
  revision,
})

/** What this station knows of its claims: each by its revision, so that an answer that comes late undoes nothing newer. */
export class KnownClaims {
  readonly #context: ClaimsContext
  readonly #notices: ClaimNotices
  /** Items that are being claimed for a scan, whose line is not saved yet, and by how many scans. */
  readonly #taking = new Map<TagId, number>()
  /**
   * Items that were asked for without an answer, also in an announcement: what the hub may have granted then is given back. What
   * was noted before the start may have been asked for.
   */
  readonly asked: Set<TagId>
  /** The stations that the hub doesn't know all of, as it said last: what it grants is not checked with them. */
  #awaited: string[] = []
  /**
   * Claims from before the start, and those that the hub didn't have when it was compared: people take items over from a
   * station that is off or offline. Until the hub confirms them, they count as not checked.
   */
  readonly #unsure = new Set<TagId>()

  constructor(context: ClaimsContext, notices: ClaimNotices) {
    this.#context = context
    this.#notices = notices
    this.asked = new Set([...context.dirty.keys()].flatMap((key) => itemOf(key) ?? []))
    for (const { tagId, revision } of context.rows.claims()) {
      if (revision !== null) this.#unsure.add(tagId)
    }
  }

  get taking(): ReadonlyMap<TagId, number> {
    return this.#taking
  }

  awaits(stations: string[]): void {
    this.#awaited = stations
  }

  /** Until `unprotect`, these items' claims are not given back as ones without a line. */
  protect(tagIds: TagId[]): void {
    for (const tagId of tagIds) this.#taking.set(tagId, (this.#taking.get(tagId) ?? 0) + 1)
  }

  unprotect(tagIds: TagId[]): void {
    for (const tagId of tagIds) {
      const others = (this.#taking.get(tagId) ?? 1) - 1
      if (others > 0) this.#taking.set(tagId, others)
      else this.#taking.delete(tagId)
    }
  }

  /** Saves what the hub answered of an item in an open sale. Returns whether the item's mark is another one now. */
  keepAnswer(tagId: TagId, answer: Extract<ClaimAnswer, { kind: 'granted' | 'held' }>): boolean {
    const { rows } = this.#context
    const before = rows.claim(tagId)
    const revision = answer.kind === 'granted' ? answer.revision : answer.by.revision
    // Granted again, by a scan, since this was asked.
    if (before?.revision != null && before.revision > revision) return false
    const wasUnsure = before?.revision != null && this.#isUnsure(tagId, before.revision)
    this.#unsure.delete(tagId)
    if (answer.kind === 'granted') {
      rows.putGranted(tagId, revision)
      this.#notices.granted(tagId, revision)
      const isUnsure = this.#isGrantedAlone(tagId, answer.awaited)
      return wasUnsure !== isUnsure || before?.revision == null
    }
    const heldBy = claimedBy(answer.by)
    rows.putHeld(tagId, heldBy)
    return JSON.stringify(before?.heldBy) !== JSON.stringify(heldBy)
  }

  /** Saves the claim that a scan was granted. */
  keepGranted(tagId: TagId, revision: number): void {
    if (!this.#isGrantedAlone(tagId, this.#awaited)) this.#unsure.delete(tagId)
    this.#context.rows.putGranted(tagId, revision)
    this.#notices.granted(tagId, revision)
  }

  /** A claim whose scan got no line, or was the second of the same item. */
  keepWithoutLine({ tagId, revision }: Pick<HeldClaim, 'tagId' | 'revision'>): void {
    const { rows, dirty, log } = this.#context
    if ((rows.claim(tagId)?.revision ?? 0) >= revision) return
    try {
      rows.putGranted(tagId, revision)
      dirty.noteItem(tagId)
    } catch (cause) {
      // The next comparison finds it.
      log.warn('a claim could not be given back', { cause })
    }
  }

  /** An item that is in no open sale, unless it was granted to one since: then that counts. */
  forget(tagId: TagId, known: number | null = null): void {
    const { rows } = this.#context
    if (knownUpTo(rows.claim(tagId)) === known) rows.delete(tagId)
  }

  /** May be another station's by now. What was known stays, so that a takeover isn't announced once more as a collision. */
  doubt(tagId: TagId): void {
    if (this.#context.rows.claim(tagId)?.revision != null) this.#unsure.add(tagId)
  }

  /** Counts every claim as not checked. Returns those that counted as checked. */
  doubtAll(): TagId[] {
    const isSure = ({ tagId, revision }: { tagId: TagId; revision: number | null }) =>
      revision !== null && !this.#isUnsure(tagId, revision)
    const doubted = this.#context.rows.claims().filter(isSure)
    for (const { tagId } of doubted) this.#unsure.add(tagId)
    return doubted.map(({ tagId }) => tagId)
  }

  /** Those of these claims, which the hub confirmed, that count as checked only now. */
  newlySure(confirmed: TagId[]): TagId[] {
    return this.#awaited.length > 0 ? [] : confirmed.filter((tagId) => this.#unsure.has(tagId))
  }

  /** `sure`: the hub confirmed these claims. `lost`: it doesn't have those. */
  compared(sure: TagId[], lost: TagId[]): void {
    for (const tagId of sure) this.#unsure.delete(tagId)
    for (const tagId of lost) this.#unsure.add(tagId)
  }

  /** Items that other stations hold. */
  held(): TagId[] {
    return this.#context.rows.claims().flatMap(({ tagId, heldBy }) => (heldBy ? [tagId] : []))
  }

  /** What a screen says of the claim of an item in a sale; null if the hub has granted it. */
  markOf(tagId: TagId): ClaimMark | null {
    const known = this.#context.rows.claim(tagId)
    if (known?.revision != null) {
      if (!this.#isUnsure(tagId, known.revision)) return null
      return this.#awaited.length > 0 ? { kind: 'unchecked', awaited: this.#awaited } : { kind: 'unchecked' }
    }
    return known?.heldBy ? { kind: 'held', by: known.heldBy, isRefused: this.#refusesHeld() } : { kind: 'unchecked' }
  }

  /** Also of what a hub granted that has lost it. */
  #isUnsure(tagId: TagId, revision: number): boolean {
    return revision === 0 || this.#unsure.has(tagId)
  }

  /** Whether an item that another station holds can't be sold: always while the hub answers. */
  #refusesHeld(): boolean {
    const { situation, policy } = this.#context.hub.view()
    return situation === 'online' || policy === 'refuse'
  }

  /** Notes which stations the hub doesn't know all of. Returns whether a claim that it granted counts as not checked therefore. */
  #isGrantedAlone(tagId: TagId, without: string[] = []): boolean {
    this.#awaited = without
    if (without.length > 0) this.#unsure.add(tagId)
    return without.length > 0
  }
}
