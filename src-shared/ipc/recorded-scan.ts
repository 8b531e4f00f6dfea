import { z } from 'zod'
import { Meaning, MeaningKind, ScanSource } from '../scan/meaning'

/** An answer holds at most so many. */
export const mostScans = 200

/** A scan as the journal keeps it: whatever may name a person is left out. */
export const RecordedScan = z.object({
  /** Its number in the journal, in the order of arrival. Gaps are possible. */
  number: z.number().int().positive(),
  /** ISO 8601. */
  at: z.iso.datetime({ offset: true }),
  source: ScanSource,
  device: z.string().nullable(),
  symbology: z.string().nullable(),
  kind: MeaningKind,
  /** Its `text`, where a meaning has one, is left empty. Null where only the kind is kept. */
  meaning: Meaning.nullable(),
  /** What was read, and how many characters it had: of a long one only the beginning is kept. Null: not kept. */
  raw: z.object({ text: z.string(), length: z.number().int().nonnegative() }).nullable(),
})
export type RecordedScan = z.infer<typeof RecordedScan>
