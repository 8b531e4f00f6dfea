import { z } from 'zod'

/** What About shows, and what a person reads to somebody on the telephone. */
export const About = z.object({
  version: z.string(),
  /** Of what it runs on: name and version. */
  runtime: z.array(z.object({ name: z.string(), version: z.string() })),
  dataDir: z.string(),
  logFile: z.string(),
  /** Bytes of the database with its log. */
  databaseSize: z.number().int().nonnegative(),
})
export type About = z.infer<typeof About>
