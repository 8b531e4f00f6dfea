import type { TagId } from '../../../src-shared/ids'
import { singleFlight } from '../../core/async'
import { tagKey } from '../../outbox/payload'
import { ComparedHub, seenSetting } from '../memory'
import type { ClaimsAtHub } from '../port'
import type { ClaimNotices } from './claim-notices'
import { type KnownClaim, knownUpTo } from './claim-rows'
import type { ClaimsContext } from './claims-context'
import { type StrangeClaim, differences } from './differences'
import type { KnownClaims } from './known-claims'
import type { ClaimsPushing } from './pushing'

/** Compares what the hub holds in this station's name with what this station knows. */
export class ClaimsComparing {
  readonly #context: ClaimsContext
  readonly #notices: ClaimNotices
  readonly #known: KnownClaims
  readonly #pushing: ClaimsPushing
  readonly #comparing: ReturnType<typeof singleFlight>

  constructor(context: ClaimsContext, notices: ClaimNotices, known: KnownClaims, pushing: ClaimsPushing) {
    this.#context = context
    this.#notices = notices
    this.#known = known
    this.#pushing = pushing
    this.#comparing = singleFlight(
      () => this.#compare(),
      (cause) => {
        context.log.error('what the hub holds could not be compared', { cause })
      },
    )
  }

  ask(): void {
    this.#comparing.ask()
  }

  stop(): Promise<void> {
    return this.#comparing.stop()
  }

  async #compare(): Promise<void> {
    const { db, hub, settings, rows, events } = this.#context
    const before = rows.claimsByItem()
    const upTo = rows.newest()
    const own = await hub.claims.own(settings.read(seenSetting, ComparedHub)?.upTo ?? 0)
    if (!own) return
    this.#known.awaits(own.awaited)
    this.#pushing.awaitedAtHub(own.isAwaited)
    const { confirmed, lost, strange, voided } = db
      .transaction(() => this.#noteDifferences(own, before, upTo))
      .immediate()
    // They count as not checked from here on, also if nothing answers what is asked next.
    if (voided.length > 0) events.emit('claims.changed', { tagIds: voided, isGrave: false })
    const sure = this.#known.newlySure(confirmed)
    await this.#settleStrange(strange)
    this.#known.compared(sure, lost)
    if (sure.length + lost.length > 0) events.emit('claims.changed', { tagIds: [...sure, ...lost], isGrave: false })
    this.#pushing.ask()
    if (await this.#notices.read()) this.#pushing.ask()
  }

  /** Notes what the hub has to be told of. `before`: the claims when it was asked. `upTo`: the newest report then. */
  #noteDifferences(own: ClaimsAtHub, before: ReadonlyMap<TagId, KnownClaim>, upTo: number) {
    const { settings, rows, dirty } = this.#context
    const { hubId, newest, claims: held } = own
    const seen = settings.read(seenSetting, ComparedHub)
    const isAbove = (known: KnownClaim | undefined) => (knownUpTo(known) ?? 0) > newest
    const forgotten = [...before.values()].filter(isAbove)
    const voided: TagId[] = []
    // A hub that knows less than it did, or another one: it lost what this station pushed.
    if (seen?.hubId !== hubId || newest < seen.newest || forgotten.length > 0) dirty.noteSales()
    if (forgotten.length > 0) this.#notices.putOld(newest)
    for (const { tagId } of forgotten) {
      const now = rows.claim(tagId)
      // Asked for meanwhile, it is known by what the hub said then.
      if (!now || !isAbove(now) || knownUpTo(now) !== knownUpTo(before.get(tagId))) continue
      rows.putOld(now)
      dirty.noteItem(tagId)
      voided.push(tagId)
    }
    if (seen?.hubId !== hubId || seen.newest !== newest || seen.upTo !== upTo)
      settings.write(seenSetting, { hubId, newest, upTo })
    const found = differences({
      ...{ held, before, known: rows.claimsByItem(), lines: rows.lines() },
      ...{ taking: this.#known.taking, asked: this.#known.asked },
      reportOf: (tagId, orderId) => this.#reportOf(tagId, orderId),
      isSold: (tagId) => this.#soldIn(tagId) !== undefined,
    })
    for (const { tagId, revision } of found.unlined) rows.putGranted(tagId, revision)
    for (const tagId of found.dirty) dirty.noteItem(tagId)
    return { ...found, voided }
  }

  /** The sale of an item that counts here. */
  #soldIn(tagId: TagId) {
    const truth = this.#context.rows.truthOfItem(tagId)
    return truth.of === 'claim' && truth.wish.kind === 'sale' ? { orderId: truth.wish.orderId } : undefined
  }

  #reportOf(tagId: TagId, orderId: string | null) {
    const { rows, dirty } = this.#context
    if (this.#soldIn(tagId)?.orderId === orderId) return 'counts'
    return dirty.has(tagKey(tagId)) || rows.wasMade(tagId, orderId) ? 'made' : 'none'
  }

  /**
   * What the hub holds in this station's name, and this station has no word of: it stopped between the hub's answer and its commit,
   * or another copy of its data was here. A sale is the other copy's; of the rest the service is asked first.
   */
  async #settleStrange(strange: StrangeClaim[]): Promise<void> {
    const { hub, rows, isSold, log } = this.#context
    const others: StrangeClaim[] = []
    for (const one of strange) {
      const isSoldThere = one.kind === 'sale' ? true : await isSold(one.tagId)
      if (isSoldThere) others.push(one)
      // Scanned, or being scanned, meanwhile: the line and its claim count.
      else if (isSoldThere === false && !this.#known.taking.has(one.tagId) && rows.claim(one.tagId) === undefined)
        this.#known.keepWithoutLine(one)
    }
    if (others.length === 0) return
    log.warn('the store hub knows sales of this station that its data lacks', { count: others.length })
    await hub.claims.disown(others)
  }
}
