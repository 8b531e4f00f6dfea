import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../../src-shared/errors'
import type { CaseId, DeliveryId, PhotoId } from '../../../src-shared/ids'
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
import type { ManifestResult } from '../../../src-shared/ipc/contract/manifest'
import { type Result, err, ok } from '../../../src-shared/result'
import { atOnceOf, inSlices } from '../../core/async'
import { type Clock, isSameDay, iso } from '../../core/clock'
import type { AtStep } from '../../core/steps'
import { saved } from '../../database/saved'
import { type Settings, parseStored } from '../../database/settings'
import type { CountOfDelivery } from '../../counting/cases/count'
import type { DeliveryNotices } from '../delivery/delivery-notices'
import type { DeliveryRow, DeliveryRows } from '../delivery/delivery-rows'
import type { Manifests } from '../manifest/manifest'
import type { Photos } from './photos'
import { checkOf } from './record-chain'
import type { EntryRow, RecordRows } from './record-rows'
import type { Late, LateRows } from './record-late'
import type { DeliveryReports } from './report'

interface RecordParts {
  db: Database
  rows: RecordRows
  deliveries: DeliveryRows
  report: Pick<DeliveryReports, 'pieces'>
  photos: Photos
  settings: Settings
  clock: Clock
  /** Names of people at this store, for who received it. */
  people: () => string[]
  manifests: Pick<Manifests, 'resultOf' | 'resultAtOnce' | 'resultAgain'>
  late: LateRows
  /** Reads what other stations listed late, if it can be read. Never rejects. */
  learn: (late: Late) => Promise<void>
  notices: Pick<DeliveryNotices, 'note' | 'announceNow'>
  identifierOf: (caseId: CaseId) => string | null
  atStep?: AtStep | undefined
}

const receivedBySetting = 'receiving.receivedBy'
/** Names that were entered, newest first. */
const mostNames = 8
/** How often a record is made again because something was saved meanwhile, before everything else waits for it. */
const mostTries = 3
const nothingEntered: RecordAbout = { receivedBy: null, shippedBy: null, driver: null, manifestNumber: null }

const Names = z.array(RecordAbout.shape.receivedBy.unwrap())

export type Records = ReturnType<typeof createRecords>

/** The record that each finished delivery leaves, and what is added to it afterwards. Rules: receiving.md. */
export function createRecords(parts: RecordParts) {
  const {
    db,
    rows,
    deliveries,
    report,
    photos,
    settings,
    clock,
    people,
    manifests,
    late,
    learn,
    notices,
    identifierOf,
    atStep = () => undefined,
  } = parts
  const writes = db.prepare('SELECT total_changes()').pluck()

  type Body = Omit<RecordBody, 'finishedAt' | 'about' | 'version'>
  function* bodyOf(delivery: DeliveryRow, manifest: ManifestResult | null): Generator<undefined, Body> {
    const { summary, storeName, lines, counts, permitted, all } = yield* report.pieces(delivery)
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
      photos: photos.recordedOf(delivery.seq),
      ...(manifest && { manifest }),
    }
  }

  const bodyNow = (open: DeliveryRow): Body => atOnceOf(bodyOf(open, manifests.resultAtOnce(open.id)))

  const write = (open: DeliveryRow, at: number, body: Body, about: RecordAbout) => {
    const version = rows.lastVersion(open.seq) + 1
    const finishedAt = iso(at)
    // A count ends with its delivery.
    const counts = body.counts.map((count) => ({ ...count, finishedAt: count.finishedAt ?? finishedAt }))
    rows.append(open.seq, version, at, RecordBody.parse({ ...body, counts, version, about, finishedAt }))
    // It has all of it.
    late.forget(open.seq)
  }
  const written = () => z.number().parse(writes.get())
  const namesKnown = () => settings.read(receivedBySetting, Names) ?? []
  const remember = (name: string | null) => {
    if (name)
      settings.keep(receivedBySetting, [name, ...namesKnown().filter((one) => one !== name)].slice(0, mostNames))
  }
  const recordOf = ({ body }: EntryRow) => parseStored(RecordBody, body) ?? null
  const lastOf = (seq: number) => {
    const last = rows.ofDelivery(seq).findLast(({ version }) => version !== null)
    return last && recordOf(last)
  }
  const correctionOf = ({ body }: EntryRow) => parseStored(CorrectionBody, body) ?? null
  /** `said`: what its text says of itself; null if it can't be read. */
  const marked = (row: EntryRow, said: PrintedWords | null): { at: string; mark: string; check: RecordCheck } => {
    const { previous, next } = rows.beside(row.entry)
    const check = checkOf(row, previous, next)
    const of = { mark: row.mark, at: said?.at ?? iso(row.at) }
    if (check === 'altered') return { ...of, check }
    if (said === null) return { ...of, check: check === 'intact' ? 'unreadable' : check }
    // A delivery that became a part of another station's has had another id, which is no delivery's now.
    const named = deliveries.byId(said.deliveryId)
    const isOfDelivery = named === undefined || named.seq === row.delivery
    const isOfRow = isOfDelivery && said.version === row.version && of.at === iso(row.at)
    return { ...of, check: isOfRow ? check : 'altered' }
  }

  const lateOf = (seq: number): RecordedLate => {
    const { listed, dropped, scanned, unscanned } = late.ofDelivery(seq)
    const named = ({ packageUids, caseIds }: Late['dropped']) => ({
      packageUids,
      identifiers: caseIds.map((caseId) => identifierOf(caseId) ?? caseId),
    })
    return {
      listed: listed.map(({ station, ...some }) => ({ station, ...named(some) })),
      dropped: named(dropped),
      ...{ scanned, unscanned },
    }
  }
  /** Writes a version with what arrived late. */
  const addLate = async (seq: number, signal: AbortSignal) => {
    const before = deliveries.bySeq(seq)
    // Reopened: the next version has it. Without a record there is nothing to add to.
    if (before?.finishedAt == null || rows.lastVersion(seq) === 0) {
      late.forget(seq)
      return
    }
    await learn(late.ofDelivery(seq))
    // Written at the next start, when its cases can be read.
    if (signal.aborted) return
    const isOfToday = isSameDay(before.finishedAt, clock.now())
    const manifest = isOfToday ? await manifests.resultAgain(before.id) : await manifests.resultOf(before.id)
    const make = async () => ({ before: written(), body: await inSlices(bodyOf(before, manifest)) })
    let made = await make()
    for (let tries = 1; tries < mostTries && made.before !== written(); tries++) made = await make()
    const add = db.transaction(() => {
      const over = deliveries.bySeq(seq)
      if (over?.finishedAt == null) return false
      const body = made.before === written() ? made.body : atOnceOf(bodyOf(over, manifest))
      const last = lastOf(seq)
      const finisher = deliveries.finishedBy(seq)?.stationName
      const at = last?.finishedAtStation === undefined ? finisher : last.finishedAtStation
      const version = rows.lastVersion(seq) + 1
      const { finishedAt } = last ?? { finishedAt: iso(over.finishedAt) }
      const about = last?.about ?? nothingEntered
      const ofStation = at === undefined ? {} : { finishedAtStation: at }
      const writtenAt = clock.now()
      const ofVersion = { version, about, finishedAt, late: lateOf(seq), writtenAt: iso(writtenAt) }
      rows.append(seq, version, writtenAt, RecordBody.parse({ ...body, ...ofStation, ...ofVersion }))
      late.forget(seq)
      notices.note(seq, 'record-added', null)
      return true
    })
    if (add.immediate()) notices.announceNow()
  }

  return {
    /** Writes versions with what arrived late, of each delivery of which something did. Rejects if the disk refuses. */
    async addLate(signal: AbortSignal): Promise<void> {
      for (const seq of late.deliveries()) if (!signal.aborted) await addLate(seq, signal)
    },
    /** What to offer when a delivery is finished. */
    finishing(id: DeliveryId): { about: RecordAbout; names: string[] } {
      const delivery = deliveries.byId(id)
      const names = namesKnown()
      return {
        about: (delivery && lastOf(delivery.seq)?.about) ?? { ...nothingEntered, receivedBy: names[0] ?? null },
        names: [...new Set([...names, ...people()])],
      }
    },
    /**
     * Makes the record of a delivery that is about to be finished, and returns what writes it in the commit that finishes the
     * delivery. What was saved meanwhile is in it.
     */
    async prepare(
      id: DeliveryId,
      about: RecordAbout = nothingEntered,
    ): Promise<(open: DeliveryRow, at: number) => void> {
      const make = async () => {
        const open = deliveries.open()
        const before = written()
        if (open?.id !== id) return undefined
        const manifest = await manifests.resultOf(id)
        return { before, body: await inSlices(bodyOf(open, manifest)) }
      }
      remember(about.receivedBy)
      let made = await make()
      for (let tries = 1; tries < mostTries && made && made.before !== written(); tries++) made = await make()
      return (open, at) => {
        write(open, at, made?.before === written() ? made.body : bodyNow(open), about)
      }
    },
    /**
     * Writes the record of a delivery that another station finished: `station`, null if its name isn't known, undefined if it was
     * this one. Call in the commit that finishes it here.
     */
    finishedElsewhere(open: DeliveryRow, at: number, station: string | null | undefined): void {
      const body = bodyNow(open)
      write(open, at, station === undefined ? body : { ...body, finishedAtStation: station }, nothingEntered)
    },
    /** Errors: receiving/no-delivery. */
    view(id: DeliveryId, version: number | null): Result<RecordView, AppError> {
      const delivery = deliveries.byId(id)
      if (!delivery) return err({ code: 'receiving/no-delivery' })
      const entries = rows.ofDelivery(delivery.seq)
      const records = entries.flatMap((row) => (row.version === null ? [] : { ...row, version: row.version }))
      const shown = version === null ? records.at(-1) : records.find((one) => one.version === version)
      const body = shown ? recordOf(shown) : null
      const corrections = entries.flatMap((row) => {
        const correction = row.version === null ? correctionOf(row) : undefined
        return correction === undefined
          ? []
          : { body: correction, ...marked(row, correction && { ...correction, version: null }) }
      })
      const named = [...(body?.photos ?? []), ...corrections.flatMap((one) => one.body?.photo ?? [])]
      return ok({
        versions: records.map((row) => ({ version: row.version, ...marked(row, saidOf(recordOf(row))) })),
        body,
        corrections,
        photos: Object.fromEntries(named.map((photo) => [photo.id, photos.checkOf(photo)])),
        canCorrect: delivery.finishedAt !== null && records.length > 0,
      })
    },
    /** Errors: receiving/no-record, receiving/record-full, those of the photo, store/not-saved. */
    correct(id: DeliveryId, what: { by: string; text: string; photoId: PhotoId | null }): Result<null, AppError> {
      const delivery = deliveries.byId(id)
      if (!delivery || delivery.finishedAt === null) return err({ code: 'receiving/no-record' })
      const entries = rows.ofDelivery(delivery.seq)
      if (!entries.some(({ version }) => version !== null)) return err({ code: 'receiving/no-record' })
      if (entries.filter(({ version }) => version === null).length >= mostCorrections)
        return err({ code: 'receiving/record-full', of: 'corrections', most: mostCorrections })
      const photo = what.photoId === null ? ok(null) : photos.look(what.photoId)
      if (!photo.ok) return photo
      const { by, text } = what
      const at = clock.now()
      const body: CorrectionBody = { form: 1, deliveryId: id, at: iso(at), by, text, photo: photo.value }
      const write = db.transaction(() => {
        const entry = rows.append(delivery.seq, null, at, body)
        if (photo.value) photos.addTo(delivery.seq, entry, photo.value)
        atStep('correction.writing')
      })
      return saved(() => {
        write.immediate()
        atStep('correction.saved')
        if (what.photoId !== null) photos.filed(what.photoId)
        remember(by)
        return ok(null)
      })
    },
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
