import { z } from 'zod'
import { DayExport, DayReport } from '../../src-shared/ipc/contract/checkout'
import { JoinedHub } from '../../src-shared/ipc/contract/hub'
import { CatalogueRow } from '../../src-shared/ipc/contract/receiving'
import { ShelfCount } from '../../src-shared/ipc/contract/stock'
import { TagId } from '../../src-shared/ids'

/** Passed to a station when it starts. */
export const StationOrder = z.object({
  dataDir: z.string(),
  resourcesDir: z.string(),
  pagesDir: z.string(),
  service: z.object({ baseUrl: z.string(), authUrl: z.string(), adminUrl: z.string() }),
  account: z.object({ clientId: z.string(), clientSecret: z.string() }),
  dispensary: z.object({ uuid: z.string(), name: z.string() }),
  /** How far its clock is ahead of the computer's, in ms. */
  ahead: z.number(),
  /** The store hub; left out: the stations know nothing of each other. */
  hub: z
    .object({
      stationId: z.uuid(),
      joined: JoinedHub,
      password: z.string(),
      storeKey: z.string(),
      patience: z.number(),
    })
    .optional(),
})
export type StationOrder = z.infer<typeof StationOrder>

export const Request = z.discriminatedUnion('ask', [
  /** Asks for the process's figures. `isTidied`: after a garbage collection. */
  z.object({ ask: z.literal('sample'), isTidied: z.boolean() }),
  /** Sets its clock, and the POS names of today's products. */
  z.object({ ask: z.literal('new day'), ahead: z.number(), catalogue: z.array(CatalogueRow) }),
  /** Asks for the last count of the shelf. */
  z.object({ ask: z.literal('shelf count') }),
  /** Asks for the report of a day, YYYY-MM-DD. */
  z.object({ ask: z.literal('closing'), day: z.string() }),
  /** Closes a day for the store, once every station is done, and asks for its report. */
  z.object({ ask: z.literal('close the store'), day: z.string() }),
])
export type Request = z.infer<typeof Request>

export const Asked = z.object({ id: z.number(), request: Request })
export const Answered = z.object({ id: z.number(), answer: z.unknown() })

/**
 * The main process's figures, in bytes and ms. The delays are since the previous sample, beyond the timer's own
 * interval.
 */
export const MainSample = z.object({
  rss: z.number(),
  heap: z.number(),
  delayP99: z.number(),
  delayMax: z.number(),
  /** The database with its log. */
  database: z.number(),
})
export type MainSample = z.infer<typeof MainSample>

/** A count of the shelf: the products it counts, by name, and its differences; none while it is blind. */
export const ShelfCounted = z.object({
  names: z.array(z.string()),
  state: ShelfCount.shape.state,
  results: ShelfCount.shape.results,
  missing: z.array(TagId),
  unexpected: z.array(TagId),
})
export type ShelfCounted = z.infer<typeof ShelfCounted>

/** The closing report, and its downloadable file (CSV). */
export const Closing = z.object({ report: DayReport, file: DayExport })
export type Closing = z.infer<typeof Closing>
