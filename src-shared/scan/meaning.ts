import { z } from 'zod'
import { CaseId, PackageUid, TagId } from '../ids'

/** Where a scan happens decides what a bare id is: in receiving a case, elsewhere an item. */
export const Place = z.enum(['receiving', 'checkout', 'other'])
export type Place = z.infer<typeof Place>

/** What a scanned text means. `certain` is false for a bare id: only its place says whether it is an item or a case. */
export const Meaning = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), tagId: TagId, certain: z.boolean() }),
  /** `identifier` is a CaseID in short form, or the text that the brand chose for its case. */
  z.object({ kind: z.literal('case'), identifier: z.string(), caseId: CaseId.nullable(), certain: z.boolean() }),
  z.object({ kind: z.literal('package'), packageUid: PackageUid }),
  z.object({ kind: z.literal('unknown'), text: z.string() }),
])
export type Meaning = z.infer<typeof Meaning>

/** How a scanned text reached us. */
export const ScanSource = z.enum(['wedge', 'typed', 'practice'])
export type ScanSource = z.infer<typeof ScanSource>

/** One scan: numbered by main in the order of arrival, `at` is ISO 8601. */
export const Scan = z.object({
  seq: z.number().int().positive(),
  at: z.iso.datetime({ offset: true }),
  source: ScanSource,
  raw: z.string(),
  meaning: Meaning,
})
export type Scan = z.infer<typeof Scan>
