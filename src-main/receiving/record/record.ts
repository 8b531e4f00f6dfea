import type { Statement } from 'better-sqlite3'
import { z } from 'zod'
import type { ResultOf } from '../../../src-shared/errors'
import type { DeliveryId, PhotoId } from '../../../src-shared/ids'
import {
  type AcceptedCertificate,
  CorrectionBody,
  RecordAbout,
  RecordBody,
  type RecordCheck,
  type RecordView,
  type RecordedDifference,
  type RecordedLate,
  mostCorrections,
} from '../../../src-shared/ipc/contract/record'
import { CheckoutSettings } from '../../../src-shared/ipc/contract/checkout'
import type { ManifestResult } from '../../../src-shared/ipc/contract/manifest'
import { err, ok } from '../../../src-shared/result'
import { atOnceOf, inSlices } from '../../core/async'
import { isSameDay, iso } from '../../core/clock'
import { hand } from '../../core/hand'
import { type NotSaved, saved } from '../../database/saved'
import { parseStored } from '../../database/settings'
import type { CountOfDelivery } from '../../counting/cases/count'
import type { DeliveryRow, DeliveryRows } from '../delivery/delivery-rows'
import { type Photos, labelOf } from './photos'
import { checkOf } from './record-chain'
import type { RecordContext } from './record-context'
import { type EntryRow, type RecordRows, createRecordRows } from './record-rows'
import type { Late, LateRows } from './record-late'
import type { DeliveryReports } from './report'

const receivedBySetting = 'receiving.receivedBy'
/** Names that were entered, newest first. */
const mostNames = 8
/** How often a record is made again because something was saved meanwhile, before everything else waits for it. */
const mostTries = 3
const nothingEntered: RecordAbout = { receivedBy: null, shippedBy: null, driver: null, manifestNumber: null }

const Names = z.array(RecordAbout.shape.receivedBy.unwrap())

/** The person who is signed in, if there is one. */
function signedIn(): Pick<RecordBody, 'signedIn'> {
  const { person } = hand()
  return person ? { signedIn: person.name } : {}
}

type RecordContent = Omit<RecordBody, 'finishedAt' | 'about' | 'version'>

/** The record that each finished delivery leaves, and what is added to it afterwards. Rules: receiving.md. */
export class Records {
  readonly #context: RecordContext
  readonly #deliveries: DeliveryRows
  readonly #late: LateRows
  readonly #rows: RecordRows
  readonly #report: DeliveryReports
  readonly #photos: Photos
  readonly #writes: Statement

  constructor(context: RecordContext, report: DeliveryReports, photos: Photos) {
    this.#context = context
    this.#deliveries = context.deliveries
    this.#late = context.late
    this.#rows = createRecordRows(context.db)
    this.#report = report
    this.#photos = photos
    this.#writes = context.db.prepare('SELECT total_changes()').pluck()
  }

  /** Writes versions with what arrived late, of each delivery of which something did. Rejects if the disk refuses. */
  async addLate(signal: AbortSignal): Promise<void> {
    for (const seq of this.#late.deliveries()) if (!signal.aborted) await this.#addLate(seq, signal)
  }

  /** What to offer when a delivery is finished. */
  finishing(id: DeliveryId): { about: RecordAbout; names: string[] } {
    const delivery = this.#deliveries.byId(id)
    const names = this.#namesKnown()
    const receivedBy = hand().person?.name ?? names[0] ?? null
    return {
      about: (delivery && this.#lastOf(delivery.seq)?.about) ?? { ...nothingEntered, receivedBy },
      names: [...new Set([...names, ...this.#budtenders()])],
    }
  }

  /**
   * Makes the record of a delivery that is about to be finished, and returns what writes it in the commit that finishes the
   * delivery. What was saved meanwhile is in it.
   */
  async prepare(id: DeliveryId, about: RecordAbout = nothingEntered): Promise<(open: DeliveryRow, at: number) => void> {
    const make = async () => {
      const open = this.#deliveries.open()
      const before = this.#written()
      if (open?.id !== id) return undefined
      const manifest = await this.#context.manifests.resultOf(id)
      return { before, body: await inSlices(this.#bodyOf(open, manifest)) }
    }
    this.#remember(about.receivedBy)
    let made = await make()
    for (let tries = 1; tries < mostTries && made && made.before !== this.#written(); tries++) made = await make()
    return (open, at) => {
      const body = made?.before === this.#written() ? made.body : this.#bodyNow(open)
      this.#write(open, at, { ...body, ...signedIn() }, about)
    }
  }

  /**
   * Writes the record of a delivery that another station finished: `station`, null if its name isn't known, undefined if it was
   * this one. Call in the commit that finishes it here.
   */
  finishedElsewhere(open: DeliveryRow, at: number, station: string | null | undefined): void {
    const body = this.#bodyNow(open)
    this.#write(open, at, station === undefined ? body : { ...body, finishedAtStation: station }, nothingEntered)
  }

  view(id: DeliveryId, version: number | null): ResultOf<RecordView, 'receiving/no-delivery'> {
    const delivery = this.#deliveries.byId(id)
    if (!delivery) return err({ code: 'receiving/no-delivery' })
    const entries = this.#rows.ofDelivery(delivery.seq)
    const records = entries.flatMap((row) => (row.version === null ? [] : { ...row, version: row.version }))
    const shown = version === null ? records.at(-1) : records.find((one) => one.version === version)
    const body = shown ? this.#recordOf(shown) : null
    const corrections = entries.flatMap((row) => {
      const correction = row.version === null ? this.#correctionOf(row) : undefined
      return correction === undefined
        ? []
        : { body: correction, ...this.#marked(row, correction && { ...correction, version: null }) }
    })
    const named = [...(body?.photos ?? []), ...corrections.flatMap((one) => one.body?.photo ?? [])]
    return ok({
      versions: records.map((row) => ({ version: row.version, ...this.#marked(row, saidOf(this.#recordOf(row))) })),
      body,
      corrections,
      photos: Object.fromEntries(named.map((photo) => [photo.id, this.#photos.checkOf(photo)])),
      canCorrect: delivery.finishedAt !== null && records.length > 0,
    })
  }

  correct(
    id: DeliveryId,
    what: { by: string; text: string; photoId: PhotoId | null },
  ): ResultOf<
    null,
    NotSaved | 'receiving/no-record' | 'receiving/photo-gone' | 'receiving/photo-unusable' | 'receiving/record-full'
  > {
    const delivery = this.#deliveries.byId(id)
    if (!delivery || delivery.finishedAt === null) return err({ code: 'receiving/no-record' })
    const entries = this.#rows.ofDelivery(delivery.seq)
    if (!entries.some(({ version }) => version !== null)) return err({ code: 'receiving/no-record' })
    if (entries.filter(({ version }) => version === null).length >= mostCorrections)
      return err({ code: 'receiving/record-full', of: 'corrections', most: mostCorrections })
    const photo = what.photoId === null ? ok(null) : this.#photos.look(what.photoId)
    if (!photo.ok) return photo
    const { by, text } = what
    const at = this.#context.clock.now()
    const body: CorrectionBody = { form: 1, deliveryId: id, at: iso(at), by, text, photo: photo.value, ...signedIn() }
    const write = this.#context.db.transaction(() => {
      const entry = this.#rows.append(delivery.seq, null, at, body)
      if (photo.value) this.#photos.addTo(delivery.seq, entry, photo.value)
      this.#context.atStep('correction.writing')
    })
    return saved(() => {
      write.immediate()
      this.#context.atStep('correction.saved')
      if (what.photoId !== null) this.#photos.filed(what.photoId)
      this.#remember(by)
      return ok(null)
    })
  }

  *#bodyOf(delivery: DeliveryRow, manifest: ManifestResult | null): Generator<undefined, RecordContent> {
    const { summary, storeName, lines, counts, permitted, all } = yield* this.#report.pieces(delivery)
    const imports = permitted.filter(({ operation: { kind } }) => kind === 'import' || kind === 'blind-import')
    return {
      form: 1,
      deliveryId: delivery.id,
      storeName,
      startedAt: iso(delivery.startedAt),
      packageUids: summary.packageUids,
      caseCount: summary.caseCount,
      imported: summary.imported,
      pending: summary.pending,
      refused: summary.refused,
      lines,
      counts,
      differences: all.flatMap(differencesOf),
      accepted: lines.flatMap(
        ({ caseId, identifier, productName, coa, importState: { kind } }): AcceptedCertificate[] => {
          const isBad = coa?.word === 'failed' || coa?.word === 'expired'
          if (!isBad || (kind !== 'imported-here' && kind !== 'pending')) return []
          const ofCase = imports.filter(({ operation }) => operation.caseId === caseId)
          const approval = ofCase.findLast(({ operation }) => operation.productName === productName) ?? ofCase.at(-1)
          return [{ identifier, productName, coa, at: approval?.at ?? null, reason: approval?.reason ?? null }]
        },
      ),
      permitted,
      photos: this.#photos.recordedOf(delivery.seq),
      ...(manifest && { manifest }),
    }
  }

  #bodyNow(open: DeliveryRow): RecordContent {
    return atOnceOf(this.#bodyOf(open, this.#context.manifests.resultAtOnce(open.id)))
  }

  #write(open: DeliveryRow, at: number, body: RecordContent, about: RecordAbout) {
    const version = this.#rows.lastVersion(open.seq) + 1
    const finishedAt = iso(at)
    // A count ends with its delivery.
    const counts = body.counts.map((count) => ({ ...count, finishedAt: count.finishedAt ?? finishedAt }))
    this.#rows.append(open.seq, version, at, RecordBody.parse({ ...body, counts, version, about, finishedAt }))
    // It has all of it.
    this.#late.forget(open.seq)
  }

  #written() {
    return z.number().parse(this.#writes.get())
  }

  /** Names of people at this store, for who received it. */
  #budtenders() {
    const settings = this.#context.settings.read('checkout.settings', CheckoutSettings)
    return (settings?.budtenders ?? []).map(({ name }) => name)
  }

  #namesKnown() {
    return this.#context.settings.read(receivedBySetting, Names) ?? []
  }

  #remember(name: string | null) {
    if (name)
      this.#context.settings.keep(
        receivedBySetting,
        [name, ...this.#namesKnown().filter((one) => one !== name)].slice(0, mostNames),
      )
  }

  #recordOf({ body }: EntryRow) {
    return parseStored(RecordBody, body) ?? null
  }

  #lastOf(seq: number) {
    const last = this.#rows.ofDelivery(seq).findLast(({ version }) => version !== null)
    return last && this.#recordOf(last)
  }

  #correctionOf({ body }: EntryRow) {
    return parseStored(CorrectionBody, body) ?? null
  }

  /** `said`: what its text says of itself; null if it can't be read. */
  #marked(row: EntryRow, said: PrintedWords | null): { at: string; mark: string; check: RecordCheck } {
    const { previous, next } = this.#rows.beside(row.entry)
    const check = checkOf(row, previous, next)
    const of = { mark: row.mark, at: said?.at ?? iso(row.at) }
    if (check === 'altered') return { ...of, check }
    if (said === null) return { ...of, check: check === 'intact' ? 'unreadable' : check }
    // A delivery that became a part of another station's has had another id, which is no delivery's now.
    const named = this.#deliveries.byId(said.deliveryId)
    const isOfDelivery = named === undefined || named.seq === row.delivery
    const isOfRow = isOfDelivery && said.version === row.version && of.at === iso(row.at)
    return { ...of, check: isOfRow ? check : 'altered' }
  }

  #lateOf(seq: number): RecordedLate {
    const { listed, dropped, scanned, unscanned } = this.#late.ofDelivery(seq)
    const named = ({ packageUids, caseIds }: Late['dropped']) => ({
      packageUids,
      identifiers: caseIds.map((caseId) => labelOf(caseId, this.#context) ?? caseId),
    })
    return {
      listed: listed.map(({ station, ...some }) => ({ station, ...named(some) })),
      dropped: named(dropped),
      ...{ scanned, unscanned },
    }
  }

  /** Reads what other stations listed late, if it can be read. Never rejects. */
  async #learn({ listed }: Late) {
    const { seen, lookup, limit } = this.#context
    const unread = listed.flatMap(({ caseIds }) => caseIds.filter((caseId) => !seen.case(caseId)))
    const packages = listed.flatMap(({ packageUids }) => packageUids.filter((uid) => !seen.package(uid)))
    await Promise.all([
      ...unread.map((caseId) => limit(() => lookup.case(caseId))),
      ...packages.map((uid) => limit(() => lookup.package(uid))),
    ])
  }

  /** Writes a version with what arrived late. */
  async #addLate(seq: number, signal: AbortSignal) {
    const before = this.#deliveries.bySeq(seq)
    // Reopened: the next version has it. Without a record there is nothing to add to.
    if (before?.finishedAt == null || this.#rows.lastVersion(seq) === 0) {
      this.#late.forget(seq)
      return
    }
    await this.#learn(this.#late.ofDelivery(seq))
    // Written at the next start, when its cases can be read.
    if (signal.aborted) return
    const isOfToday = isSameDay(before.finishedAt, this.#context.clock.now())
    const manifest = isOfToday
      ? await this.#context.manifests.resultAgain(before.id)
      : await this.#context.manifests.resultOf(before.id)
    const make = async () => ({ before: this.#written(), body: await inSlices(this.#bodyOf(before, manifest)) })
    let made = await make()
    for (let tries = 1; tries < mostTries && made.before !== this.#written(); tries++) made = await make()
    const add = this.#context.db.transaction(() => {
      const over = this.#deliveries.bySeq(seq)
      if (over?.finishedAt == null) return false
      const body = made.before === this.#written() ? made.body : atOnceOf(this.#bodyOf(over, manifest))
      const last = this.#lastOf(seq)
      const finisher = this.#deliveries.finishedBy(seq)?.stationName
      const at = last?.finishedAtStation === undefined ? finisher : last.finishedAtStation
      const version = this.#rows.lastVersion(seq) + 1
      const { finishedAt } = last ?? { finishedAt: iso(over.finishedAt) }
      const about = last?.about ?? nothingEntered
      const ofStation = {
        ...(at !== undefined && { finishedAtStation: at }),
        ...(last?.signedIn !== undefined && { signedIn: last.signedIn }),
      }
      const writtenAt = this.#context.clock.now()
      const ofVersion = { version, about, finishedAt, late: this.#lateOf(seq), writtenAt: iso(writtenAt) }
      this.#rows.append(seq, version, writtenAt, RecordBody.parse({ ...body, ...ofStation, ...ofVersion }))
      this.#late.forget(seq)
      this.#context.notices.note(seq, 'record-added', null)
      return true
    })
    if (add.immediate()) this.#context.notices.announceNow()
  }
}

/** What the text of an entry says of itself; `at` null if it doesn't say when it was written. */
interface PrintedWords {
  deliveryId: DeliveryId
  version: number | null
  at: string | null
}

const saidOf = (body: RecordBody | null): PrintedWords | null =>
  body && {
    deliveryId: body.deliveryId,
    version: body.version,
    at: body.writtenAt ?? (body.late ? null : body.finishedAt),
  }

/** What a count missed or did not expect, and what was decided. */
function differencesOf({ count, expected, scanned, resolutions }: CountOfDelivery): RecordedDifference[] {
  const identifiers = new Map(count.cases.map(({ caseId, identifier }) => [caseId, identifier]))
  const all = new Set([...expected.values()].flat())
  const decided = (tagId: RecordedDifference['tagId']) => {
    const { how, because } = resolutions.get(tagId) ?? { how: 'open' as const, because: null }
    return { resolution: how, because }
  }
  return [
    ...[...expected].flatMap(([caseId, tagIds]) =>
      tagIds.flatMap((tagId): RecordedDifference[] =>
        scanned.has(tagId)
          ? []
          : [{ tagId, kind: 'missing', identifier: identifiers.get(caseId) ?? null, ...decided(tagId) }],
      ),
    ),
    ...[...scanned].flatMap((tagId): RecordedDifference[] =>
      all.has(tagId) ? [] : [{ tagId, kind: 'stranger', identifier: null, ...decided(tagId) }],
    ),
  ]
}
