import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'better-sqlite3'
import { addUp, saidProduct } from '../../../src-shared/csv/manifest-rows'
import type { AppError } from '../../../src-shared/errors'
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
import { type Clock, isSameDay, iso } from '../../core/clock'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import type { Memory } from '../../memory/store'
import { saved } from '../../database/saved'
import type { CaseCounts } from '../../counting/cases/count'
import type { DeliveryRows } from '../delivery/delivery-rows'
import { type Compared, type DeliveryContents, compareManifest, sameProductBy } from './manifest-compare'
import { createManifestContents } from './manifest-contents'
import { type StoredManifest, createManifestRows } from './manifest-rows'
import type { Pos } from './pos'

export interface ManifestsParts {
  db: Database
  events: Pick<MainEvents, 'emit' | 'on'>
  rows: Pick<DeliveryRows, 'open' | 'byId' | 'packages' | 'cases'>
  seen: Pick<Memory, 'caseInBrief' | 'package'>
  counts: Pick<CaseCounts, 'ofDelivery'>
  pos: Pick<Pos, 'idsOf'>
  clock: Clock
  log: Log
}

/** Shortest time between two announcements that nothing waits for, in ms: all of it is compared each time. */
const pause = 150

export type Manifests = ReturnType<typeof createManifests>

/** What was ordered or shipped, compared with what is in the delivery. Rules: receiving.md. */
export function createManifests({ db, events, rows, seen, counts, pos, clock, log }: ManifestsParts) {
  const stored = createManifestRows(db)
  const contents = createManifestContents({ rows, seen, counts, imports: stored.imports })
  let deliveryId = rows.open()?.id ?? null
  /** What the pages know; undefined before the first announcement. */
  let told: { head: ManifestHead | null; packages: Map<PackageUid, ManifestPackage>; rest: unknown } | undefined
  let revision = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const open = () => rows.open()?.seq ?? null
  const noManifest = err({ code: 'receiving/no-manifest' } as const)
  const inForce = (id: ManifestId): StoredManifest | undefined => {
    const found = stored.inForce(open())
    return found?.id === id ? found : undefined
  }

  /** Thousands of lines that never change. */
  let read: { seq: number; lines: ManifestRow[] } | undefined
  const linesOf = (seq: number): ManifestRow[] => {
    if (read?.seq !== seq) read = { seq, lines: stored.lines(seq) }
    return read.lines
  }
  const compareWith = (manifest: StoredManifest, held: DeliveryContents): Compared => {
    const matches = stored.matches()
    const posIds = new Map<ShortUuid, ReturnType<Pos['idsOf']>>()
    const isSame = sameProductBy({
      saidFor: (row) => matches.get(saidProduct(row)),
      posIdsOf({ productId, productName: name, sku }) {
        const known = posIds.get(productId) ?? pos.idsOf({ productId, name, sku })
        posIds.set(productId, known)
        return known
      },
    })
    return compareManifest(linesOf(manifest.seq), held, isSame)
  }
  const compare = async (manifest: StoredManifest) => compareWith(manifest, await inSlices(contents.of(manifest)))
  const headOf = ({ id, fileName, loadedAt, leftOut, deliveryId: of }: StoredManifest, { sums }: Compared) => ({
    id,
    fileName,
    loadedAt: iso(loadedAt),
    deliveryId: of,
    leftOut,
    sums,
  })
  const resultFrom = (manifest: StoredManifest, compared: Compared): ManifestResult => ({
    ...headOf(manifest, compared),
    packages: compared.packages,
    extras: compared.extras,
  })
  const resultWith = async (manifest: StoredManifest) => resultFrom(manifest, await compare(manifest))

  const undoable = (delivery: number | null): ManifestView['undoable'] => {
    const gone = stored.goneLast(delivery)
    if (!gone || gone.gone === null || gone.goneAt === null || !isSameDay(gone.goneAt, clock.now())) return null
    return { manifestId: gone.id, fileName: gone.fileName, how: gone.gone }
  }
  const wholeView = async (): Promise<ManifestView> => {
    const delivery = open()
    const manifest = stored.inForce(delivery)
    const compared = manifest && (await compare(manifest))
    // Another manifest, or another delivery, meanwhile.
    if (open() !== delivery || stored.inForce(delivery)?.id !== manifest?.id) return wholeView()
    return {
      manifest: manifest && compared ? headOf(manifest, compared) : null,
      isWhole: true,
      packages: compared?.packages ?? [],
      extras: compared?.extras ?? [],
      undoable: undoable(delivery),
      revision,
    }
  }

  /** Tells what changed since it was told last; nothing if nothing did. */
  const tellChange = async () => {
    const view = await wholeView()
    if (isStopped) return
    const before = told
    const rest = { extras: view.extras, undoable: view.undoable }
    const isSame = before?.head?.id === view.manifest?.id && before?.head?.deliveryId === view.manifest?.deliveryId
    const packages = view.packages.filter((one) => !isDeepStrictEqual(before?.packages.get(one.packageUid), one))
    told = { head: view.manifest, packages: new Map(view.packages.map((one) => [one.packageUid, one])), rest }
    if (
      before &&
      isSame &&
      packages.length === 0 &&
      isDeepStrictEqual([before.head, before.rest], [view.manifest, rest])
    )
      return
    revision++
    events.emit(
      'receiving.manifestChanged',
      before && isSame ? { ...view, isWhole: false, packages, revision } : { ...view, revision },
    )
  }
  let telling: Promise<void> = Promise.resolve()
  /** One after the other: an older comparison must not follow a newer one. Never rejects. */
  const tellNow = (): Promise<void> => {
    telling = telling.then(tellChange).catch((cause: unknown) => {
      log.error('the manifest could not be compared', { cause })
    })
    return telling
  }
  const tell = () => {
    if (isStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      void tellNow()
    }, pause)
  }
  /** A change that a person made: told before it is answered. */
  const changed = async (change: () => Result<null, AppError>): Promise<Result<null, AppError>> => {
    const done = saved(change)
    if (done.ok) await tellNow()
    return done
  }

  let staged: { fileName: string; rows: ManifestRow[] } = { fileName: '', rows: [] }
  const fits = ({ fileName, start, rows: part }: ManifestPart) =>
    fileName === staged.fileName &&
    start === staged.rows.length &&
    start + part.length <= mostManifestLines &&
    part.every((row, at) => row.line > (part[at - 1] ?? staged.rows.at(-1) ?? { line: 0 }).line)

  const write = ({ seq }: StoredManifest, result: ManifestResult | null) => {
    const kept = saved(() => {
      stored.keepResult(seq, result)
      return ok(null)
    })
    if (!kept.ok) log.warn('the result of a manifest could not be kept')
  }
  /** What the delivery came to is kept: its cases change when their items are sold. */
  const keepResult = async (id: DeliveryId) => {
    const manifest = stored.ofDelivery(id)
    if (manifest) write(manifest, await resultWith(manifest))
  }
  /** Reopened: what it came to is no longer true. */
  const dropResult = (id: DeliveryId) => {
    const manifest = stored.ofDelivery(id)
    if (manifest && manifest.result !== null) write(manifest, null)
  }
  let keeping: Promise<void> = Promise.resolve()

  // Something in the delivery changed, it began, or it is over.
  events.on('receiving.changed', 'receiving/manifest/manifest.ts', ({ delivery, cases, dropped }) => {
    for (const { caseId } of cases) contents.forget(caseId)
    for (const caseId of dropped.caseIds) contents.forget(caseId)
    const before = deliveryId
    deliveryId = delivery?.id ?? null
    if (before !== deliveryId) {
      contents.clear()
      if (deliveryId !== null) dropResult(deliveryId)
      if (before !== null) {
        keeping = keepResult(before).catch((cause: unknown) => {
          log.error('the result of a manifest could not be made', { cause })
        })
      }
    }
    tell()
  })
  // A count was finished or is gone on with.
  events.on('receiving.count', 'receiving/manifest/manifest.ts', () => {
    contents.clear()
    tell()
  })

  return {
    /** The manifest of the delivery under way or of the next, compared. */
    view: wholeView,
    /** The delivery under way, if it has a manifest; null otherwise. */
    ofDelivery: (): DeliveryId | null => stored.inForce(open())?.deliveryId ?? null,
    /**
     * Takes the next part of a file; the last one puts the manifest in force. Errors: receiving/manifest-broken,
     * store/not-saved.
     */
    async load(part: ManifestPart): Promise<Result<null, AppError>> {
      if (part.start === 0) staged = { fileName: part.fileName, rows: [] }
      const isFitting = fits(part)
      if (isFitting) staged.rows.push(...part.rows)
      if (isFitting && !part.isLast) return ok(null)
      const { fileName, rows: all } = staged
      staged = { fileName: '', rows: [] }
      if (!isFitting || all.length === 0) return err({ code: 'receiving/manifest-broken' })
      return changed(() => {
        const id = ManifestId.parse(randomUUID())
        stored.load.immediate({
          id,
          delivery: open(),
          fileName,
          at: clock.now(),
          leftOut: part.leftOut,
          rows: addUp(all),
        })
        return ok(null)
      })
    },
    /** Errors: receiving/no-manifest, store/not-saved. */
    remove: (id: ManifestId) =>
      changed(() => {
        const manifest = inForce(id)
        if (!manifest) return noManifest
        stored.remove.immediate(manifest, clock.now())
        return ok(null)
      }),
    /** Errors: receiving/no-manifest, store/not-saved. */
    restore: (id: ManifestId) =>
      changed(() => {
        const gone = stored.byId(id)
        if (undoable(open())?.manifestId !== id || !gone) return noManifest
        stored.restore.immediate(gone, clock.now())
        return ok(null)
      }),
    /** Errors: receiving/no-manifest, receiving/no-such-line, store/not-saved. */
    async match(id: ManifestId, line: number, productId: ShortUuid | null): Promise<Result<null, AppError>> {
      const manifest = inForce(id)
      if (!manifest) return noManifest
      const row = linesOf(manifest.seq).find((one) => one.line === line)
      const { packages } = await compare(manifest)
      const shown = packages.flatMap(({ lines }) => lines).find((one) => one.line === line)
      const isPossible =
        productId === null
          ? shown?.matched?.by === 'said'
          : shown?.state.kind === 'other-product' && shown.state.instead.some((one) => one.productId === productId)
      if (!row || !isPossible) return err({ code: 'receiving/no-such-line', line })
      return changed(() => {
        if (productId === null) stored.unmatch(saidProduct(row))
        else stored.match(saidProduct(row), productId, clock.now())
        return ok(null)
      })
    },
    /** How a delivery compares with its manifest; null if it had none. Of one that is over, as it was then. */
    async resultOf(id: DeliveryId): Promise<ManifestResult | null> {
      await keeping
      const manifest = stored.ofDelivery(id)
      if (!manifest) return null
      const kept = rows.byId(id)?.finishedAt === null ? undefined : stored.resultOf(manifest)
      return kept ?? resultWith(manifest)
    },
    /** Compares a finished delivery anew after late news of it, while its items can't be sold yet. */
    async resultAgain(id: DeliveryId): Promise<ManifestResult | null> {
      await keeping
      await keepResult(id)
      const manifest = stored.ofDelivery(id)
      return (manifest && stored.resultOf(manifest)) ?? null
    },
    /** Compares the delivery under way at once: for what must be in the commit that finishes it. */
    resultAtOnce(id: DeliveryId): ManifestResult | null {
      const manifest = stored.ofDelivery(id)
      return manifest ? resultFrom(manifest, compareWith(manifest, atOnceOf(contents.of(manifest)))) : null
    },
    /** What the POS calls a product may have changed. */
    productsChanged: tell,
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await Promise.all([telling, keeping])
    },
  }
}
