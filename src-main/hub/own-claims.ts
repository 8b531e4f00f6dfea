import type { ClaimMark } from '../../src-shared/claim'
import type { HubPolicy } from '../../src-shared/ipc/contract/hub'
import type { TagId } from '../../src-shared/ids'
import { ClaimNotices } from './claims/claim-notices'
import { ClaimRows } from './claims/claim-rows'
import type { ClaimsContext } from './claims/claims-context'
import { ClaimsComparing } from './claims/comparing'
import { DirtyClaims } from './claims/dirty-claims'
import { KnownClaims } from './claims/known-claims'
import { ClaimsPushing } from './claims/pushing'
import { tagKey } from '../outbox/payload'
import { ownFrom } from './memory'
import type { ClaimAnswer, ClaimHolder, ClaimWish } from './port'

/**
 * Keeps the hub in sync with this station's orders and sales. What the hub should hold is read from the store each time it is
 * pushed. Every claim is known by its revision, so that an answer that comes late undoes nothing newer.
 */
export class OwnClaims {
  readonly #context: ClaimsContext
  readonly #rows: ClaimRows
  readonly #dirty: DirtyClaims
  readonly #notices: ClaimNotices
  readonly #known: KnownClaims
  readonly #pushing: ClaimsPushing
  readonly #comparing: ClaimsComparing

  constructor(given: Omit<ClaimsContext, 'rows' | 'dirty'>) {
    const { db, settings, clock } = given
    const from = ownFrom(settings)
    const dirty = new DirtyClaims(db, from, () => clock.now())
    const rows = new ClaimRows(db, from)
    const context = { ...given, rows, dirty }
    const notices = new ClaimNotices(context)
    const known = new KnownClaims(context, notices)
    const pushing = new ClaimsPushing(context, notices, known)
    this.#context = context
    this.#dirty = dirty
    this.#rows = rows
    this.#notices = notices
    this.#known = known
    this.#pushing = pushing
    this.#comparing = new ClaimsComparing(context, notices, known, pushing)
  }

  /** Pushes to the hub what is noted. Call after a commit that changed orders or reports. Never rejects. */
  push(): void {
    this.#pushing.ask()
  }

  /** Compares with what the hub holds, after a start or an outage, and reads what other stations tell. Never rejects. */
  compare(): void {
    this.#comparing.ask()
  }

  /** Claims an item for a scan. `put` saves its line, and with `keep` its claim, in one commit. */
  take<T>(wish: ClaimWish, put: (answer: ClaimAnswer) => T): Promise<T> {
    const { claims } = this.#context.hub
    return this.#taken(wish.tagId, () => claims.take({ ...wish, own: this.#rows.ownBefore(wish.tagId) }), put)
  }

  /** Takes an item over from another station. `put` as for `take`. */
  takeOver<T>(
    wish: ClaimWish,
    from: Pick<ClaimHolder, 'stationId' | 'revision'>,
    because: string | null,
    put: (answer: ClaimAnswer) => T,
  ): Promise<T> {
    return this.#taken(wish.tagId, () => this.#context.hub.claims.takeOver(wish, from, because), put)
  }

  /**
   * Saves a granted claim, after its line and in the same transaction. `isInSync`: the hub knows the order as it is now. Throws
   * when the disk refuses.
   */
  keep(tagId: TagId, { revision, isInSync }: { revision: number; isInSync: boolean }): void {
    this.#known.keepGranted(tagId, revision)
    if (isInSync) this.#dirty.drop(tagKey(tagId))
    else this.#dirty.noteItem(tagId)
  }

  /** Items whose lines are saved soon: until `work` ends, their claims are not given back as ones without a line. */
  async protect<T>(tagIds: TagId[], work: () => Promise<T>): Promise<T> {
    this.#known.protect(tagIds)
    try {
      return await work()
    } finally {
      this.#known.unprotect(tagIds)
      this.push()
    }
  }

  /**
   * These items may be another station's by now: they are marked until the hub says. What was known of them stays, so that
   * a takeover isn't told once more as a collision. Throws when the disk refuses.
   */
  doubt(tagIds: TagId[]): void {
    for (const tagId of tagIds) {
      this.#known.doubt(tagId)
      this.#dirty.noteItem(tagId)
    }
  }

  /** A line that was scanned without an answer: what is known of an earlier line doesn't count. Throws when the disk refuses. */
  keepUnchecked(tagId: TagId): void {
    this.#rows.delete(tagId)
    this.#dirty.noteItem(tagId)
  }

  /**
   * Pushes the newest reports again, at each new connection: a hub that fell back by seconds lacks them. At the first one after a
   * start, those of seven days. Never rejects.
   */
  pushAgain(): void {
    try {
      this.#dirty.noteNewest()
    } catch (cause) {
      this.#context.log.warn('the newest reports could not be noted', { cause })
    }
    this.push()
  }

  /** Another process works as this station, and may let go of whatever this one holds: nothing counts as checked. */
  doubtAll(): void {
    this.#showMarks(this.#known.doubtAll())
  }

  /** What a screen says of the claim of an item in a sale; null if the hub has granted it. */
  markOf(tagId: TagId): ClaimMark | null {
    return this.#known.markOf(tagId)
  }

  /** Call when the situation has changed: what another station holds may be sold or refused now. */
  situationChanged(): void {
    this.#showMarks(this.#known.held())
  }

  /** What a scan does while the hub doesn't answer. */
  policy(): HubPolicy {
    return this.#context.hub.view().policy
  }

  /** Ends telling. Resolves when nothing is under way. */
  async stop(): Promise<void> {
    await this.#comparing.stop()
    await this.#pushing.stop()
  }

  /** Claims an item by `ask`. Until `put` returns, the claim is not given back as one without a line. */
  async #taken<T>(tagId: TagId, ask: () => Promise<ClaimAnswer>, put: (answer: ClaimAnswer) => T): Promise<T> {
    const known = this.#known
    known.protect([tagId])
    try {
      const answer = await ask()
      if (answer.kind === 'offline') known.asked.add(tagId)
      if (answer.kind === 'granted') known.awaits(answer.awaited ?? [])
      const done = put(answer)
      this.#notices.showEnded()
      if (answer.kind === 'granted') known.keepWithoutLine({ tagId, revision: answer.revision })
      return done
    } finally {
      known.unprotect([tagId])
      this.push()
    }
  }

  #showMarks(tagIds: TagId[]): void {
    if (tagIds.length > 0) this.#context.events.emit('claims.changed', { tagIds, isGrave: false })
  }
}
