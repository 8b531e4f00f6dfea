import type { Database } from 'better-sqlite3'
import type { TagId } from '../../../src-shared/ids'
import { singleFlight } from '../../core/async'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import { tagKey } from '../../outbox/payload'
import type { Settings } from '../../database/settings'
import { ComparedHub, seenSetting } from '../memory'
import type { ClaimsAtHub, Hub } from '../port'
import type { ClaimNotices } from './claim-notices'
import type { ClaimRows, KnownClaim } from './claim-rows'
import { type StrangeClaim, differences } from './differences'
import type { DirtyClaims } from './dirty-claims'
import type { KnownClaims } from './known-claims'
import type { ClaimsPushing } from './pushing'

interface ClaimsComparingParts {
  db: Database
  hub: Pick<Hub, 'claims'>
  settings: Pick<Settings, 'read' | 'write'>
  rows: ClaimRows
  dirty: DirtyClaims
  known: KnownClaims
  notices: ClaimNotices
  pushing: ClaimsPushing
  events: Pick<MainEvents, 'emit'>
  log: Pick<Log, 'warn' | 'error'>
  /** Whether the service has an item as sold; undefined without an answer. */
  isSold: (tagId: TagId) => Promise<boolean | undefined>
}

/** Compares what the hub holds in this station's name with what this station knows. */
export class ClaimsComparing {
  readonly #parts: ClaimsComparingParts
  readonly #comparing: ReturnType<typeof singleFlight>

  constructor(parts: ClaimsComparingParts) {
    this.#parts = parts
    this.#comparing = singleFlight(
      () => this.#compare(),
      (cause) => {
        parts.log.error('what the hub holds could not be compared', { cause })
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
    const { db, hub, settings, rows, known, pushing, notices, events } = this.#parts
    const before = rows.claimsByItem()
    const upTo = rows.newest()
    const own = await hub.claims.own(settings.read(seenSetting, ComparedHub)?.upTo ?? 0)
    if (!own) return
    known.awaits(own.awaited)
    pushing.awaitedAtHub(own.isAwaited)
    const { confirmed, lost, strange } = db.transaction(() => this.#noteDifferences(own, before, upTo)).immediate()
    const sure = known.newlySure(confirmed)
    await this.#settleStrange(strange)
    known.compared(sure, lost)
    if (sure.length + lost.length > 0) events.emit('claims.changed', { tagIds: [...sure, ...lost], isGrave: false })
    pushing.ask()
    if (await notices.read()) pushing.ask()
  }

  /** Notes what the hub has to be told of. `before`: the claims when it was asked. `upTo`: the newest report then. */
  #noteDifferences(own: ClaimsAtHub, before: ReadonlyMap<TagId, KnownClaim>, upTo: number) {
    const { settings, rows, dirty, known } = this.#parts
    const { hubId, newest, claims: held } = own
    const seen = settings.read(seenSetting, ComparedHub)
    // A hub that knows less than it did, or another one: it lost what this station pushed.
    if (seen?.hubId !== hubId || newest < seen.newest) dirty.noteSales()
    if (seen?.hubId !== hubId || seen.newest !== newest || seen.upTo !== upTo)
      settings.write(seenSetting, { hubId, newest, upTo })
    const found = differences({
      ...{ held, before, known: rows.claimsByItem(), lines: rows.lines() },
      ...{ taking: known.taking, asked: known.asked, reportOf: (tagId, orderId) => this.#reportOf(tagId, orderId) },
    })
    for (const { tagId, revision } of found.unlined) rows.putGranted(tagId, revision)
    for (const tagId of found.dirty) dirty.noteItem(tagId)
    return found
  }

  #reportOf(tagId: TagId, orderId: string | null) {
    const { rows, dirty } = this.#parts
    const truth = rows.truthOfItem(tagId)
    if (truth.of === 'claim' && truth.wish.kind === 'sale' && truth.wish.orderId === orderId) return 'counts'
    return dirty.has(tagKey(tagId)) || rows.wasMade(tagId, orderId) ? 'made' : 'none'
  }

  /**
   * What the hub holds in this station's name, and this station has no word of: it stopped between the hub's answer and its commit,
   * or another copy of its data was here. A sale is the other copy's; of the rest the service is asked first.
   */
  async #settleStrange(strange: StrangeClaim[]): Promise<void> {
    const { hub, rows, known, isSold, log } = this.#parts
    const others: StrangeClaim[] = []
    for (const one of strange) {
      const isSoldThere = one.kind === 'sale' ? true : await isSold(one.tagId)
      if (isSoldThere) others.push(one)
      // Scanned, or being scanned, meanwhile: the line and its claim count.
      else if (isSoldThere === false && !known.taking.has(one.tagId) && rows.claim(one.tagId) === undefined)
        known.keepWithoutLine(one)
    }
    if (others.length === 0) return
    log.warn('the store hub knows sales of this station that its data lacks', { count: others.length })
    await hub.claims.disown(others)
  }
}
