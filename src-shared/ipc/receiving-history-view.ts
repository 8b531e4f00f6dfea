import { z } from 'zod'
import { OperationView } from './operation-view'

/** What was received, and when: every import, removal and change of a case that this station ever reported. */

/** Days are dates of this computer (`YYYY-MM-DD`), both included; null is open. `text` is sought in ids and names. */
export const HistoryFilter = z.object({
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  text: z.string().trim().max(200),
})
export type HistoryFilter = z.infer<typeof HistoryFilter>

export const HistoryEntry = z.object({
  operation: OperationView,
  posProductId: z.string().nullable(),
  posInventoryId: z.string().nullable(),
  sku: z.string().nullable(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** A page of it, newest first; `total` is of the whole filter. */
export const HistoryPage = z.object({ entries: z.array(HistoryEntry), total: z.number().int().nonnegative() })
export type HistoryPage = z.infer<typeof HistoryPage>

/** A file to keep: UTF-8 text. No cell of a CSV is ever a formula. */
export const ExportFile = z.object({ fileName: z.string(), text: z.string() })
export type ExportFile = z.infer<typeof ExportFile>
