import { z } from 'zod'
import { CaseId, OrderId, PackageUid, TagId } from '../ids'
import { Action } from './actions'
import { WedgeTrouble } from './trouble'

/** Where a scan happens decides what a bare id is: in receiving a case, elsewhere an item. */
export const Place = z.enum(['receiving', 'checkout', 'other'])
export type Place = z.infer<typeof Place>

/**
 * Why a text has no meaning. `near-id` has almost the form of an id, `damaged` holds characters that no code has (keys that
 * an input method swallowed among them), `foreign-address` is an address without an id.
 */
export const UnknownReason = z.enum(['empty', 'too-long', 'damaged', 'foreign-address', 'near-id', 'other'])
export type UnknownReason = z.infer<typeof UnknownReason>

/** What a scanned text means. `certain` is false for a bare id: only its place says whether it is an item or a case. */
export const Meaning = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), tagId: TagId, certain: z.boolean() }),
  /** `identifier` is a CaseID in short form, or the text that the brand chose for its case. */
  z.object({ kind: z.literal('case'), identifier: z.string(), caseId: CaseId.nullable(), certain: z.boolean() }),
  /** `item` is which item of the package a Metrc Retail ID is on. */
  z.object({ kind: z.literal('package'), packageUid: PackageUid, item: z.number().int().nonnegative().optional() }),
  /** Without the prefix that marks it. */
  z.object({ kind: z.literal('order'), orderId: OrderId }),
  z.object({ kind: z.literal('badge'), badge: z.string() }),
  z.object({ kind: z.literal('action'), action: Action }),
  /** A product barcode: it names a kind of product (`gtin`, 14 digits), never one item, so nothing can be sold by it. */
  z.object({
    kind: z.literal('gs1'),
    text: z.string(),
    gtin: z.string().nullable(),
    batch: z.string().nullable(),
    serial: z.string().nullable(),
  }),
  z.object({ kind: z.literal('unknown'), text: z.string(), reason: UnknownReason.optional() }),
])
export type Meaning = z.infer<typeof Meaning>

/** Whether a code is of a person, whatever it says of them: then its text is not kept. */
export const namesPerson = ({ kind }: Meaning): boolean => kind === 'badge'

export const MeaningKind = z.enum(Meaning.options.map((option) => option.shape.kind.value))
export type MeaningKind = z.infer<typeof MeaningKind>

/** How a scanned text reached us. */
export const ScanSource = z.enum(['hid', 'wedge', 'typed', 'practice'])
export type ScanSource = z.infer<typeof ScanSource>

/** One scan: numbered by main in the order of arrival, `at` is ISO 8601. */
export const Scan = z.object({
  seq: z.number().int().positive(),
  at: z.iso.datetime({ offset: true }),
  source: ScanSource,
  /** Name of the scanner, where we read it ourselves. */
  device: z.string().nullable(),
  /** AIM id as the scanner reported it beside the text, e.g. `]Q1`. */
  symbology: z.string().nullable(),
  raw: z.string(),
  meaning: Meaning,
  /** What was amiss with the keys of a scanner that types; the text was read all the same, as well as it could be. */
  troubles: z.array(WedgeTrouble).optional(),
})
export type Scan = z.infer<typeof Scan>
