import { z } from 'zod'
import { DayReport } from '../../src-shared/ipc/contract/checkout'
import { CatalogueRow } from '../../src-shared/ipc/contract/receiving'

/** What the soak and its stations say to each other. */

/** Given to a station when it starts. */
export const StationOrder = z.object({
  dataDir: z.string(),
  resourcesDir: z.string(),
  pagesDir: z.string(),
  service: z.object({ baseUrl: z.string(), authUrl: z.string(), adminUrl: z.string() }),
  account: z.object({ clientId: z.string(), clientSecret: z.string() }),
  dispensary: z.object({ uuid: z.string(), name: z.string() }),
  /** In ms: how far its clock is ahead of the computer's. */
  ahead: z.number(),
})
export type StationOrder = z.infer<typeof StationOrder>

export const Request = z.discriminatedUnion('ask', [
  /** How the process is. `isTidied`: after its garbage was collected. */
  z.object({ ask: z.literal('sample'), isTidied: z.boolean() }),
  /** Its clock is set, and it gets what the POS calls the products that come today. */
  z.object({ ask: z.literal('new day'), ahead: z.number(), catalogue: z.array(CatalogueRow) }),
  /** What it says of a day, YYYY-MM-DD. */
  z.object({ ask: z.literal('closing'), day: z.string() }),
])
export type Request = z.infer<typeof Request>

export const Asked = z.object({ id: z.number(), request: Request })
export const Answered = z.object({ id: z.number(), answer: z.unknown() })

/** Of the main process; bytes and ms. The delays are since the sample before, beyond what the timer waits anyhow. */
export const MainSample = z.object({
  rss: z.number(),
  heap: z.number(),
  delayP99: z.number(),
  delayMax: z.number(),
  /** The database with its log. */
  database: z.number(),
})
export type MainSample = z.infer<typeof MainSample>

/** The closing report, and the file of it that can be downloaded (CSV). */
export const Closing = z.object({ report: DayReport, file: z.string() })
export type Closing = z.infer<typeof Closing>
