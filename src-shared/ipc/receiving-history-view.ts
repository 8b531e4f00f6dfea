import { z } from 'zod'
import { OperationView } from './operation-view'

/** First and last day, `YYYY-MM-DD` in this computer's time zone; null: no limit. `text` is searched in ids and names. */
export const HistoryFilter = z.object({
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  text: z.string().trim().max(200),
})
export type HistoryFilter = z.infer<typeof HistoryFilter>

/** An import, a removal or a change of a case that this station reported. */
export const HistoryEntry = z.object({
  operation: OperationView,
  posProductId: z.string().nullable(),
  posInventoryId: z.string().nullable(),
  sku: z.string().nullable(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** A page of entries, newest first. `total`: all entries of the filter. */
export const HistoryPage = z.object({ entries: z.array(HistoryEntry), total: z.number().int().nonnegative() })
export type HistoryPage = z.infer<typeof HistoryPage>

/** A file to save: UTF-8 text. No cell of a CSV can run as a formula. */
export const ExportFile = z.object({ fileName: z.string(), text: z.string() })
export type ExportFile = z.infer<typeof ExportFile>
