import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { addUp, saidProduct } from '../../../src-shared/csv/manifest-rows'
import type { AppError, ResultOf } from '../../../src-shared/errors'
import { type DeliveryId, ManifestId, type PackageUid, type ShortUuid } from '../../../src-shared/ids'
import {
  type ManifestHead,
  type ManifestPackage,
  type ManifestPart,
  type ManifestResult,
  type ManifestRow,
  type ManifestView,
  mostManifestLines,
} from '../../../src-shared/ipc/contract/manifest'
import { type Result, err, ok } from '../../../src-shared/result'
import { atOnceOf, inSlices } from '../../core/async'
import { isSameDay, iso } from '../../core/clock'
import { type NotSaved, saved } from '../../database/saved'
import type { CaseCounts } from '../../counting/cases/count'
import type { DeliveryRows } from '../delivery/delivery-rows'
import type { ReceivingContext } from '../receiving-context'
import { type Compared, type DeliveryContents, compareManifest, sameProductBy } from './manifest-compare'
import { createManifestContents } from './manifest-contents'
import { type StoredManifest, ManifestRows } from './manifest-rows'
import type { Pos } from './pos'

/** Shortest time between two announcements that nothing waits for, in ms: all of it is compared each time. */
const pause = 150

/** What was ordered or shipped, compared with what is in the delivery. Rules: receiving.md. */
export class Manifests {
  readonly #context: ReceivingContext
  readonly #rows: DeliveryRows
  readonly #pos: Pick<Pos, 'idsOf'>
  readonly #stored: ManifestRows
  readonly #contents: ReturnType<typeof createManifestContents>
  #deliveryId: DeliveryId | null
  /** What the pages know; undefined before the first announcement. */
  #told: { head: ManifestHead | null; packages: Map<PackageUid, ManifestPackage>; rest: unknown } | undefined
  #revision = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  readonly #noManifest = err({ code: 'receiving/no-manifest' } as const)
  /** Thousands of lines that never change. */
  #read: { seq: number; lines: ManifestRow[] } | undefined
  #telling: Promise<void> = Promise.resolve()
  #staged: { fileName: string; rows: ManifestRow[] } = { fileName: '', rows: [] }
  #keeping: Promise<void> = Promise.resolve()

  constructor(context: ReceivingContext, counts: Pick<CaseCounts, 'ofDelivery'>, pos: Pick<Pos, 'idsOf'>) {
    this.#context = context
    this.#rows = context.deliveries
    this.#pos = pos
    this.#stored = new ManifestRows(context.db)
    this.#contents = createManifestContents(context, counts, this.#stored)
    this.#deliveryId = this.#rows.open()?.id ?? null
    // Something in the delivery changed, it began, or it is over.
    context.events.on('receiving.changed', 'receiving/manifest/manifest.ts', ({ delivery, cases, dropped }) => {
      for (const { caseId } of cases) this.#contents.forget(caseId)
      for (const caseId of dropped.caseIds) this.#contents.forget(caseId)
      const before = this.#deliveryId
      this.#deliveryId = delivery?.id ?? null
      if (before !== this.#deliveryId) {
        this.#contents.clear()
        if (this.#deliveryId !== null) this.#dropResult(this.#deliveryId)
        if (before !== null) {
          this.#keeping = this.#keepResult(before).catch((cause: unknown) => {
            this.#context.log.error('the result of a manifest could not be made', { cause })
          })
        }
      }
      this.#tell()
    })
    // A count was finished or is gone on with.
    context.events.on('receiving.count', 'receiving/manifest/manifest.ts', () => {
      this.#contents.clear()
      this.#tell()
    })
  }

  /** The manifest of the delivery under way or of the next, compared. */
  async view(): Promise<ManifestView> {
    const delivery = this.#open()
    const manifest = this.#stored.inForce(delivery)
    const compared = manifest && (await this.#compare(manifest))
    // Another manifest, or another delivery, meanwhile.
    if (this.#open() !== delivery || this.#stored.inForce(delivery)?.id !== manifest?.id) return this.view()
    return {
      manifest: manifest && compared ? this.#headOf(manifest, compared) : null,
      isWhole: true,
      packages: compared?.packages ?? [],
      extras: compared?.extras ?? [],
      undoable: this.#undoable(delivery),
      revision: this.#revision,
    }
  }

  /** What the POS calls a product may have changed. */
  productsChanged(): void {
    this.#tell()
  }

  /** Tells pages soon what has changed. */
  #tell(): void {
    if (this.#isStopped) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#tellNow()
    }, pause)
  }

  /** The delivery under way, if it has a manifest; null otherwise. */
  ofDelivery(): DeliveryId | null {
    return this.#stored.inForce(this.#open())?.deliveryId ?? null
  }

  /** Takes the next part of a file; the last one puts the manifest in force. */
  async load(part: ManifestPart): Promise<ResultOf<null, NotSaved | 'receiving/manifest-broken'>> {
    if (part.start === 0) this.#staged = { fileName: part.fileName, rows: [] }
    const isFitting = this.#fits(part)
    if (isFitting) this.#staged.rows.push(...part.rows)
    if (isFitting && !part.isLast) return ok(null)
    const { fileName, rows: all } = this.#staged
    this.#staged = { fileName: '', rows: [] }
    if (!isFitting || all.length === 0) return err({ code: 'receiving/manifest-broken' })
    return this.#changed(() => {
      const id = ManifestId.parse(randomUUID())
      this.#stored.load.immediate({
        id,
        delivery: this.#open(),
        fileName,
        at: this.#context.clock.now(),
        leftOut: part.leftOut,
        rows: addUp(all),
      })
      return ok(null)
    })
  }

  remove(id: ManifestId) {
    return this.#changed(() => {
      const manifest = this.#inForce(id)
      if (!manifest) return this.#noManifest
      this.#stored.remove.immediate(manifest, this.#context.clock.now())
      return ok(null)
    })
  }

  restore(id: ManifestId) {
    return this.#changed(() => {
      const gone = this.#stored.byId(id)
      if (this.#undoable(this.#open())?.manifestId !== id || !gone) return this.#noManifest
      this.#stored.restore.immediate(gone, this.#context.clock.now())
      return ok(null)
    })
  }

  async match(
    id: ManifestId,
    line: number,
    productId: ShortUuid | null,
  ): Promise<ResultOf<null, NotSaved | 'receiving/no-manifest' | 'receiving/no-such-line'>> {
    const manifest = this.#inForce(id)
    if (!manifest) return this.#noManifest
    const row = this.#linesOf(manifest.seq).find((one) => one.line === line)
    const { packages } = await this.#compare(manifest)
    const shown = packages.flatMap(({ lines }) => lines).find((one) => one.line === line)
    const isPossible =
      productId === null
        ? shown?.matched?.by === 'said'
        : shown?.state.kind === 'other-product' && shown.state.instead.some((one) => one.productId === productId)
    if (!row || !isPossible) return err({ code: 'receiving/no-such-line', line })
    return this.#changed(() => {
      if (productId === null) this.#stored.unmatch(saidProduct(row))
      else this.#stored.match(saidProduct(row), productId, this.#context.clock.now())
      return ok(null)
    })
  }

  /** How a delivery compares with its manifest; null if it had none. Of one that is over, as it was then. */
  async resultOf(id: DeliveryId): Promise<ManifestResult | null> {
    await this.#keeping
    const manifest = this.#stored.ofDelivery(id)
    if (!manifest) return null
    const kept = this.#rows.byId(id)?.finishedAt === null ? undefined : this.#stored.resultOf(manifest)
    return kept ?? this.#resultWith(manifest)
  }

  /** Compares a finished delivery anew after late news of it, while its items can't be sold yet. */
  async resultAgain(id: DeliveryId): Promise<ManifestResult | null> {
    await this.#keeping
    await this.#keepResult(id)
    const manifest = this.#stored.ofDelivery(id)
    return (manifest && this.#stored.resultOf(manifest)) ?? null
  }

  /** Compares the delivery under way at once: for what must be in the commit that finishes it. */
  resultAtOnce(id: DeliveryId): ManifestResult | null {
    const manifest = this.#stored.ofDelivery(id)
    return manifest
      ? this.#resultFrom(manifest, this.#compareWith(manifest, atOnceOf(this.#contents.of(manifest))))
      : null
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await Promise.all([this.#telling, this.#keeping])
  }

  #open() {
    return this.#rows.open()?.seq ?? null
  }

  #inForce(id: ManifestId): StoredManifest | undefined {
    const found = this.#stored.inForce(this.#open())
    return found?.id === id ? found : undefined
  }

  #linesOf(seq: number): ManifestRow[] {
    if (this.#read?.seq !== seq) this.#read = { seq, lines: this.#stored.lines(seq) }
    return this.#read.lines
  }

  #compareWith(manifest: StoredManifest, held: DeliveryContents): Compared {
    const matches = this.#stored.matches()
    const posIds = new Map<ShortUuid, ReturnType<Pos['idsOf']>>()
    const isSame = sameProductBy({
      saidFor: (row) => matches.get(saidProduct(row)),
      posIdsOf: ({ productId, productName: name, sku }) => {
        const known = posIds.get(productId) ?? this.#pos.idsOf({ productId, name, sku })
        posIds.set(productId, known)
        return known
      },
    })
    return compareManifest(this.#linesOf(manifest.seq), held, isSame)
  }

  async #compare(manifest: StoredManifest) {
    return this.#compareWith(manifest, await inSlices(this.#contents.of(manifest)))
  }

  #headOf({ id, fileName, loadedAt, leftOut, deliveryId: of }: StoredManifest, { sums }: Compared) {
    return {
      id,
      fileName,
      loadedAt: iso(loadedAt),
      deliveryId: of,
      leftOut,
      sums,
    }
  }

  #resultFrom(manifest: StoredManifest, compared: Compared): ManifestResult {
    return {
      ...this.#headOf(manifest, compared),
      packages: compared.packages,
      extras: compared.extras,
    }
  }

  async #resultWith(manifest: StoredManifest) {
    return this.#resultFrom(manifest, await this.#compare(manifest))
  }

  #undoable(delivery: number | null): ManifestView['undoable'] {
    const gone = this.#stored.goneLast(delivery)
    if (!gone || gone.gone === null || gone.goneAt === null || !isSameDay(gone.goneAt, this.#context.clock.now()))
      return null
    return { manifestId: gone.id, fileName: gone.fileName, how: gone.gone }
  }

  /** Tells what changed since it was told last; nothing if nothing did. */
  async #tellChange() {
    const view = await this.view()
    if (this.#isStopped) return
    const before = this.#told
    const rest = { extras: view.extras, undoable: view.undoable }
    const isSame = before?.head?.id === view.manifest?.id && before?.head?.deliveryId === view.manifest?.deliveryId
    const packages = view.packages.filter((one) => !isDeepStrictEqual(before?.packages.get(one.packageUid), one))
    this.#told = { head: view.manifest, packages: new Map(view.packages.map((one) => [one.packageUid, one])), rest }
    if (
      before &&
      isSame &&
      packages.length === 0 &&
      isDeepStrictEqual([before.head, before.rest], [view.manifest, rest])
    )
      return
    this.#revision++
    this.#context.events.emit(
      'receiving.manifestChanged',
      before && isSame
        ? { ...view, isWhole: false, packages, revision: this.#revision }
        : { ...view, revision: this.#revision },
    )
  }

  /** One after the other: an older comparison must not follow a newer one. Never rejects. */
  #tellNow(): Promise<void> {
    this.#telling = this.#telling
      .then(() => this.#tellChange())
      .catch((cause: unknown) => {
        this.#context.log.error('the manifest could not be compared', { cause })
      })
    return this.#telling
  }

  /** A change that a person made: told before it is answered. */
  async #changed<Done extends Result<null, AppError>>(change: () => Done) {
    const done = saved(change)
    if (done.ok) await this.#tellNow()
    return done
  }

  #fits({ fileName, start, rows: part }: ManifestPart) {
    return (
      fileName === this.#staged.fileName &&
      start === this.#staged.rows.length &&
      start + part.length <= mostManifestLines &&
      part.every((row, at) => row.line > (part[at - 1] ?? this.#staged.rows.at(-1) ?? { line: 0 }).line)
    )
  }

  #write({ seq }: StoredManifest, result: ManifestResult | null) {
    const kept = saved(() => {
      this.#stored.keepResult(seq, result)
      return ok(null)
    })
    if (!kept.ok) this.#context.log.warn('the result of a manifest could not be kept')
  }

  /** What the delivery came to is kept: its cases change when their items are sold. */
  async #keepResult(id: DeliveryId) {
    const manifest = this.#stored.ofDelivery(id)
    if (manifest) this.#write(manifest, await this.#resultWith(manifest))
  }

  /** Reopened: what it came to is no longer true. */
  #dropResult(id: DeliveryId) {
    const manifest = this.#stored.ofDelivery(id)
    if (manifest && manifest.result !== null) this.#write(manifest, null)
  }
}
