import { z } from 'zod'

/** The lives whose disk fails: a day without the service, one with it, and a start after a crash. */
export const lives = ['offline', 'online', 'starting'] as const
export type Life = (typeof lives)[number]

/** A life before them, on a disk that works: it is closed properly, or killed with work in its log. */
export const befores = ['closed', 'killed'] as const
export type Before = (typeof befores)[number]

/** What each life finds. */
export const beforeOf = (life: Life): Before => (life === 'starting' ? 'killed' : 'closed')

export const LifeOrder = z.object({
  life: z.enum([...lives, ...befores]),
  dataDir: z.string(),
  resourcesDir: z.string(),
  notebookFile: z.string(),
  seed: z.number(),
  /** Dies at the first answer that says that nothing was saved. */
  isShort: z.boolean(),
  service: z.object({ baseUrl: z.string(), authUrl: z.string(), adminUrl: z.string() }),
})
export type LifeOrder = z.infer<typeof LifeOrder>

/** What a station writes to its output when it could not start: the reason that a host shows. */
export const Refusal = z.object({ code: z.string(), message: z.string() })
export type Refusal = z.infer<typeof Refusal>
