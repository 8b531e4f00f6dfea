import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, DeliveryId, PackageUid, PhotoId, TagId } from '../../ids'
import { plainName, plainNameOrEmpty } from '../../names'
import { storable } from '../../text'
import { call, done, mostAtOnce } from './call'
import { CountView, Difference } from './count'
import { ManifestResult } from './manifest'
import { OperationView } from './outbox'
import { CoaVerdict, type ImportState } from './receiving'

/**
 * The record of a delivery: what its report said when it was finished. Bodies outlive versions: add fields as optional or
 * with a default, never change one.
 */

/** Text of a person on one line. */
const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .refine(...storable)
const optionalLine = (most: number) => line(most).nullable()

/** Who received and what came with it, entered when a delivery is finished; null where nothing was entered. */
export const RecordAbout = z.object({
  receivedBy: optionalLine(80),
  shippedBy: optionalLine(120),
  driver: optionalLine(80),
  manifestNumber: optionalLine(60),
})
export type RecordAbout = z.infer<typeof RecordAbout>

const optionalName = (most: number) => plainNameOrEmpty(most).nullable()
/** The details of a record as a person enters them. */
const RecordAboutForm = RecordAbout.extend({
  receivedBy: optionalName(80),
  shippedBy: optionalName(120),
  driver: optionalName(80),
})

/** An import state without what only matters while the delivery is under way. */
export const ReportState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('to-import') }),
  z.object({ kind: z.literal('pending'), operation: OperationView.pick({ kind: true, state: true }) }),
  z.object({
    kind: z.literal('imported-here'),
    at: z.string().nullable(),
    packageUid: z.string().nullable(),
    /** Another station of the store; left out for this one. */
    station: z.string().optional(),
  }),
  z.object({ kind: z.literal('imported-by-company'), at: z.string().nullable(), dispensary: z.string() }),
  z.object({ kind: z.literal('imported-elsewhere'), at: z.string().nullable() }),
  z.object({ kind: z.literal('importing-elsewhere'), station: z.string(), at: z.string().nullable() }),
  z.object({
    kind: z.literal('refused'),
    // A reason that a later version no longer knows doesn't make a record unreadable.
    operation: OperationView.pick({ kind: true }).extend({ reason: AppError.nullable().catch(null) }),
  }),
  z.object({ kind: z.literal('unknown') }),
]) satisfies z.ZodType<{ kind: ImportState['kind'] }>
export type ReportState = z.infer<typeof ReportState>

/** One line of the printed report: a packaged product of a case. */
export const ReportLine = z.object({
  packageUid: z.string().nullable(),
  caseId: CaseId.nullable(),
  identifier: z.string(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  batchName: z.string().nullable(),
  useBy: z.string().nullable(),
  /** Its certificate when the report is made; null if the case was never read. */
  coa: CoaVerdict.nullable(),
  tagCount: z.number().int().nonnegative().nullable(),
  requiredCount: z.number().int().nonnegative().nullable(),
  /** Null if the case was never counted. */
  counted: z.number().int().nonnegative().nullable(),
  missing: z.array(TagId),
  importState: ReportState,
  posProductId: z.string().nullable(),
  posInventoryId: z.string().nullable(),
  sku: z.string().nullable(),
})
export type ReportLine = z.infer<typeof ReportLine>

/** A change that a gate let pass, and what had become of it. */
export const RecordedChange = z.object({
  at: z.iso.datetime(),
  operation: OperationView.pick({
    id: true,
    kind: true,
    orderId: true,
    caseId: true,
    collectionId: true,
    productName: true,
    itemCount: true,
    state: true,
    note: true,
    unsettled: true,
    dismissedBecause: true,
  }),
  reason: z.string(),
})
export type RecordedChange = z.infer<typeof RecordedChange>

/** An item that the counts of the delivery missed or did not expect, and what a person decided. */
export const RecordedDifference = Difference.pick({
  tagId: true,
  kind: true,
  identifier: true,
  resolution: true,
  because: true,
})
export type RecordedDifference = z.infer<typeof RecordedDifference>

/** A product that was imported though its certificate failed or had expired; `reason`: what was entered at the gate. */
export const AcceptedCertificate = z.object({
  identifier: z.string(),
  productName: z.string().nullable(),
  coa: CoaVerdict,
  at: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
})
export type AcceptedCertificate = z.infer<typeof AcceptedCertificate>

/** Longest side of a photo, in pixels, its bytes, and how many a delivery and this computer keep. */
export const photoLimits = { side: 1_600, bytes: 400_000, perDelivery: 24, onDisk: 4_000_000_000 } as const
/** Base64 characters of a photo in one message: those of the browser host are at most 256 kB. */
export const photoPart = 180_000
export const mostCorrections = 100

/** What a photo shows, and the package or case that it is about. */
export const PhotoAbout = z.object({
  caption: line(200),
  packageUid: PackageUid.nullable(),
  caseId: CaseId.nullable(),
})
export type PhotoAbout = z.infer<typeof PhotoAbout>

/** A photo in a record. `sha256`: of its file. Sizes are in bytes and pixels. */
export const RecordedPhoto = PhotoAbout.extend({
  id: PhotoId,
  /** What is printed on the case. */
  identifier: z.string().nullable(),
  addedAt: z.iso.datetime(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().positive(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
})
export type RecordedPhoto = z.infer<typeof RecordedPhoto>

/** A photo of the delivery under way. `removedAt`: it goes when the delivery is finished, unless the removal is undone. */
export const PhotoView = RecordedPhoto.omit({ sha256: true }).extend({ removedAt: z.iso.datetime().nullable() })
export type PhotoView = z.infer<typeof PhotoView>

/**
 * What other stations of the store did in the delivery and this one heard of after it was finished. `station`: null if it isn't
 * known. Of cases what is printed on them.
 */
export const RecordedLate = z.object({
  listed: z.array(
    z.object({ station: z.string().nullable(), packageUids: z.array(z.string()), identifiers: z.array(z.string()) }),
  ),
  dropped: z.object({ packageUids: z.array(z.string()), identifiers: z.array(z.string()) }),
  scanned: z.array(z.object({ station: z.string().nullable(), count: z.number().int().positive() })),
  /** Scans that were taken back. */
  unscanned: z.number().int().nonnegative(),
})
export type RecordedLate = z.infer<typeof RecordedLate>

/** A finished delivery, as it was saved in the commit that finished it, or later (`late`). Instants are ISO 8601. */
export const RecordBody = z.object({
  form: z.literal(1),
  deliveryId: DeliveryId,
  /** 1, and one more each time the delivery was reopened and finished again, or something arrived late. */
  version: z.number().int().positive(),
  storeName: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  about: RecordAbout,
  packageUids: z.array(z.string()),
  caseCount: z.number().int().nonnegative(),
  imported: z.number().int().nonnegative(),
  pending: z.number().int().nonnegative(),
  refused: z.number().int().nonnegative(),
  lines: z.array(ReportLine),
  counts: z.array(
    CountView.pick({ startedAt: true, finishedAt: true, total: true, counted: true, strangers: true, stations: true }),
  ),
  differences: z.array(RecordedDifference),
  accepted: z.array(AcceptedCertificate),
  permitted: z.array(RecordedChange),
  photos: z.array(RecordedPhoto),
  /** How it compared with its manifest; left out without one. */
  manifest: ManifestResult.optional(),
  /** The other station that finished it; null if its name isn't known. Left out if this one did. */
  finishedAtStation: z.string().nullable().optional(),
  /** The person who was signed in when it was finished, by name; left out if no one was. */
  signedIn: z.string().optional(),
  /** Why there is this version though the delivery was not finished again: this is in no earlier one. */
  late: RecordedLate.optional(),
  /** When a version with `late` was written; left out by earlier versions of Countertag, and by a version without it. */
  writtenAt: z.iso.datetime().optional(),
})
export type RecordBody = z.infer<typeof RecordBody>

/** What was added to a record afterwards. Bodies outlive versions, like records. */
export const CorrectionBody = z.object({
  form: z.literal(1),
  deliveryId: DeliveryId,
  at: z.iso.datetime(),
  by: z.string(),
  text: z.string(),
  photo: RecordedPhoto.nullable(),
  /** The person who was signed in, by name, beside the one who is entered; left out if no one was. */
  signedIn: z.string().optional(),
})
export type CorrectionBody = z.infer<typeof CorrectionBody>

/**
 * Whether what is shown is what was saved. `altered`: its text doesn't match its mark, or names another delivery, version or
 * time than the entry; `unlinked`: the entry before or after
 * it was changed or is gone; `unreadable`: it doesn't hold what a record does.
 */
export const RecordCheck = z.enum(['intact', 'altered', 'unlinked', 'unreadable'])
export type RecordCheck = z.infer<typeof RecordCheck>

/**
 * `removed`: before the delivery was finished again; `missing` and `altered`: its file is not the one that was saved;
 * `unread`: this computer can't open more files now.
 */
export const PhotoCheck = z.enum(['intact', 'removed', 'missing', 'altered', 'unread'])
export type PhotoCheck = z.infer<typeof PhotoCheck>

/** `mark`: SHA-256 over the record and the mark of the entry before it, in hex. */
const marked = { mark: z.string(), check: RecordCheck }

export const RecordView = z.object({
  /** Oldest first; empty if the delivery was finished by a version of Countertag that kept none. */
  versions: z.array(z.object({ version: z.number().int().positive(), at: z.iso.datetime(), ...marked })),
  /** The version that was asked for; null if there is none, or if it can't be read. */
  body: RecordBody.nullable(),
  corrections: z.array(z.object({ body: CorrectionBody.nullable(), at: z.iso.datetime(), ...marked })),
  /** Checks of the photos of the body and of the corrections, by id. */
  photos: z.record(PhotoId, PhotoCheck),
  /** Whether corrections may be added: it is finished. */
  canCorrect: z.boolean(),
})
export type RecordView = z.infer<typeof RecordView>

/** The record of a delivery, its photos, and what is added to it. */
export const recordCalls = {
  /**
   * What to offer when a delivery is finished: as in its last record, and people who may have received it. `behind`: the other
   * stations of the store that may have something of it that isn't here; `differences`: how many of its counts aren't settled.
   */
  'receiving.finishing': call(
    z.object({ deliveryId: DeliveryId }),
    z.object({
      about: RecordAbout,
      names: z.array(z.string()),
      behind: z.array(z.string()),
      differences: z.number().int().nonnegative(),
    }),
  ),
  /** Writes the delivery's record in the same commit. */
  'receiving.finishDelivery': call(z.object({ deliveryId: DeliveryId, about: RecordAboutForm.optional() }), done),
  /** `version` null: the last one. Errors: receiving/no-delivery. */
  'receiving.record': call(
    z.object({ deliveryId: DeliveryId, version: z.number().int().positive().nullable() }),
    RecordView,
  ),
  /** Adds to a record, for good. `photoId`: a photo that was sent. Errors: receiving/no-record, receiving/record-full. */
  'receiving.correct': call(
    z.object({
      deliveryId: DeliveryId,
      by: plainName(80),
      text: z
        .string()
        .trim()
        .min(1)
        .max(1_000)
        .refine(...storable),
      photoId: PhotoId.nullable(),
    }),
    done,
  ),
  /** Sends a photo in parts, in order; `start` characters were sent before. Errors: receiving/photo-unusable. */
  'receiving.sendPhoto': call(
    z.object({
      photoId: PhotoId,
      start: z.number().int().nonnegative(),
      base64: z.base64().min(1).max(photoPart),
    }),
    done,
  ),
  /** Adds a photo that was sent. Errors: receiving/photo-unusable, -gone, receiving/record-full, receiving/no-delivery. */
  'receiving.addPhoto': call(PhotoAbout.extend({ deliveryId: DeliveryId, photoId: PhotoId }), done),
  /** Changes of a photo of the delivery under way. Errors: receiving/photo-gone, receiving/no-delivery. */
  'receiving.describePhoto': call(PhotoAbout.extend({ photoId: PhotoId }), done),
  'receiving.removePhoto': call(z.object({ photoId: PhotoId }), done),
  'receiving.restorePhoto': call(z.object({ photoId: PhotoId }), done),
  /** The photos of the delivery under way, oldest first. */
  'receiving.photos': call(z.void(), z.array(PhotoView)),
  /** A `data:` URL; null if the file is missing or is not the one that was saved. */
  'receiving.photo': call(z.object({ photoId: PhotoId }), z.object({ dataUrl: z.string().nullable() })),
} as const

export const recordEvents = {
  /** The photos of the delivery under way changed, or another delivery is under way. */
  'receiving.photos': z.array(PhotoView).max(mostAtOnce),
} as const
