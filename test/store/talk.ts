import { z } from 'zod'
import { JoinedHub } from '../../src-shared/ipc/contract/hub'

/** What the suite and a station's process say to each other. */

export const StationOrder = z.object({
  dataDir: z.string(),
  resourcesDir: z.string(),
  service: z.object({ baseUrl: z.string(), authUrl: z.string(), adminUrl: z.string() }),
  account: z.object({ clientId: z.string(), clientSecret: z.string() }),
  dispensary: z.object({ uuid: z.string(), name: z.string() }),
  hub: z.object({
    stationId: z.string(),
    joined: JoinedHub,
    password: z.string(),
    storeKey: z.string(),
    /** How long a scan waits for the hub, in ms. */
    patience: z.number(),
  }),
})
export type StationOrder = z.infer<typeof StationOrder>

const Request = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('open'), order: StationOrder }),
  z.object({ ask: z.literal('call'), call: z.string(), input: z.unknown().optional() }),
  /** Copies its database, as of this moment, to a file. */
  z.object({ ask: z.literal('copy'), to: z.string() }),
  z.object({ ask: z.literal('close') }),
])
export type Request = z.infer<typeof Request>

export const Asked = z.object({ id: z.number(), request: Request })
/** `fault`: the station threw instead of answering. */
export const Answered = z.object({ id: z.number(), answer: z.unknown().optional(), fault: z.string().optional() })
