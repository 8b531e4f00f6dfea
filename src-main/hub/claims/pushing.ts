import type { TagId } from '../../../src-shared/ids'
import { singleFlight } from '../../core/async'
import type { ClaimAnswer } from '../port'
import type { ClaimNotices } from './claim-notices'
import type { ClaimsContext } from './claims-context'
import type { DirtyKey } from '../../sharing/dirty-keys'
import type { KnownClaims } from './known-claims'
import type { Truth } from './truth'

interface DirtyTruth extends Pick<DirtyKey, 'key' | 'change'> {
  truth: Truth
}
type Answers = ReadonlyMap<TagId, ClaimAnswer>

/** So many keys are pushed at a time. */
const atOnce = 200

/**
 * Pushes to the hub what it should hold of the dirty keys, read from the store each time: it is kept nowhere else. What could not
 * be pushed stays noted.
 */
export class ClaimsPushing {
  readonly #context: ClaimsContext
  readonly #notices: ClaimNotices
  readonly #known: KnownClaims
  readonly #pushing: ReturnType<typeof singleFlight>
  /** Whether the hub waits for this station to announce what it holds. */
  #isAwaited = false

  constructor(context: ClaimsContext, notices: ClaimNotices, known: KnownClaims) {
    this.#context = context
    this.#notices = notices
    this.#known = known
    this.#pushing = singleFlight(
      () => this.#pushAll(),
      (cause) => {
        context.log.error('the hub could not be told', { cause })
      },
    )
  }

  ask(): void {
    this.#pushing.ask()
  }

  stop(): Promise<void> {
    return this.#pushing.stop()
  }

  awaitedAtHub(isAwaited: boolean): void {
    this.#isAwaited = isAwaited
  }

  async #pushAll(): Promise<void> {
    const { dirty, hub } = this.#context
    /** Keys without an answer: they are asked for with the next change, and hold up no other one. */
    const unanswered = new Set<string>()
    for (;;) {
      const batch = this.#batch(unanswered)
      this.#notices.showEnded()
      if (batch.length === 0) {
        if (unanswered.size > 0) return
        if (dirty.noteOlder()) continue
        if (this.#isAwaited && (await hub.claims.announced())) this.#isAwaited = false
        return
      }
      const answers = await this.#pushBatch(batch)
      if (!answers) return
      for (const { key, truth } of batch)
        if (truth.of === 'claim' && (answers.get(truth.wish.tagId)?.kind ?? 'offline') === 'offline')
          unanswered.add(key)
    }
  }

  #batch(unanswered: ReadonlySet<string>): DirtyTruth[] {
    const { rows, dirty } = this.#context
    return dirty
      .first(atOnce + this.#known.taking.size + unanswered.size)
      .filter(({ key }) => !unanswered.has(key))
      .map(({ key, change }) => ({ key, change, truth: rows.truthOf(key) }))
      .filter(({ truth }) => truth.of !== 'free' || !this.#known.taking.has(truth.tagId))
  }

  /** Pushes a batch, saves the answers and shows what changed; undefined if the hub didn't answer. */
  async #pushBatch(batch: DirtyTruth[]): Promise<Answers | undefined> {
    const { db, events, loseHeld } = this.#context
    const answers = await this.#push(batch.map(({ truth }) => truth))
    if (!answers) return undefined
    // Whether a person took it over is known from that person's notice; or its order, by the order.
    if ([...answers.values()].some(({ kind }) => kind === 'held')) {
      if (await this.#notices.read()) this.ask()
      await loseHeld()
    }
    const collisions = this.#collisions(batch, answers)
    // Pushed before it is saved here: pushed again after a crash, it is still one notice.
    if (collisions.length > 0 && !(await this.#notices.push(collisions))) return undefined
    const changed = db.transaction(() => this.#settle(batch, answers)).immediate()
    if (changed.length > 0) {
      const isGrave = changed.some((tagId) => answers.get(tagId)?.kind === 'held')
      events.emit('claims.changed', { tagIds: changed, isGrave })
    }
    if (collisions.length > 0) this.#notices.changed()
    return answers
  }

  /** Pushes all of these to the hub; undefined if it didn't answer. */
  async #push(truths: Truth[]): Promise<Answers | undefined> {
    const { claims } = this.#context.hub
    const wishes = truths.flatMap((one) => (one.of === 'claim' ? [one.wish] : []))
    const releases = truths.flatMap((one) =>
      one.of === 'release' ? [one.release] : one.of === 'claim' ? (one.before ?? []) : [],
    )
    const free = truths.flatMap((one) => {
      if (one.of !== 'free' && one.of !== 'release') return []
      const { known, upTo } = one.own
      return { tagId: one.of === 'free' ? one.tagId : one.release.tagId, revision: known ?? 0, upTo }
    })
    // A void notes when its items came back, so before they are freed: by their keys, orders are pushed before items.
    for (const one of truths)
      if (one.of === 'order' && !(await claims.releasedOrder(one.orderId, one.at))) return undefined
    if (free.length > 0 && !(await claims.free(free))) return undefined
    if (releases.length > 0 && !(await claims.released(releases))) return undefined
    if (wishes.length === 0) return new Map()
    const answers = await claims.announce(wishes)
    if (!answers) for (const { tagId } of wishes) this.#known.asked.add(tagId)
    return answers
  }

  /** What the other stations have to be told of. */
  #collisions(batch: DirtyTruth[], answers: Answers) {
    const { dirty } = this.#context
    return batch.flatMap((one) => {
      if (one.truth.of !== 'claim' || dirty.hasChanged(one)) return []
      const { tagId, orderId } = one.truth.wish
      const by = this.#notices.collisionIn(one.truth.wish, answers.get(tagId))
      if (!by) return []
      const notice = { tagId, revision: by.revision, what: 'collided' as const, orderId, because: null }
      return { to: by.stationId, notice }
    })
  }

  /** Saves what the hub answered, and that it was told. What has changed meanwhile stays noted. Returns changed marks. */
  #settle(batch: DirtyTruth[], answers: Answers): TagId[] {
    const { dirty } = this.#context
    const changed: TagId[] = []
    for (const one of batch) {
      const { truth } = one
      if (truth.of === 'claim') {
        const answer = answers.get(truth.wish.tagId)
        if (!answer || answer.kind === 'offline') continue
        // The line may have left meanwhile: asked again, the hub says the same of one that is still there.
        if (answer.kind === 'held' && dirty.hasChanged(one)) continue
        if (this.#keepAnswer(truth, answer)) changed.push(truth.wish.tagId)
      } else if (truth.of === 'release') this.#known.forget(truth.release.tagId, truth.own.known)
      else if (truth.of === 'free') this.#known.forget(truth.tagId, truth.own.known)
      dirty.settle(one)
    }
    return changed
  }

  /** Returns whether the item's mark is another one now. */
  #keepAnswer({ wish }: Extract<Truth, { of: 'claim' }>, answer: Exclude<ClaimAnswer, { kind: 'offline' }>): boolean {
    const { clock } = this.#context
    const { tagId, kind, own } = wish
    const by = this.#notices.collisionIn(wish, answer)
    if (by) this.#notices.keep({ ...by, what: 'collided', because: null, at: clock.now() }, true)
    if (kind === 'sale' && answer.kind === 'granted') this.#notices.granted(tagId, answer.revision)
    if (answer.kind === 'over' || (kind === 'sale' && answer.kind === 'granted')) {
      this.#known.forget(tagId, own?.known)
      return false
    }
    const isChanged = this.#known.keepAnswer(tagId, answer)
    // Of a sale, it is compared again and again: the other station's sale may be withdrawn.
    return kind !== 'sale' && isChanged
  }
}
