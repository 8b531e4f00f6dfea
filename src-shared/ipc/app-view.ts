import { z } from 'zod'

export const Locale = z.enum(['en', 'es'])
export type Locale = z.infer<typeof Locale>

/** What the requests of the last minutes showed. `since` is ISO 8601. */
export const ConnectionView = z.object({
  state: z.enum(['unknown', 'online', 'unreachable', 'credentials-refused', 'failing']),
  since: z.iso.datetime(),
})
export type ConnectionView = z.infer<typeof ConnectionView>

/** Everything the bar at the top of each screen says. */
export const AppStatus = z.object({
  profile: z.object({ kind: z.enum(['practice', 'test', 'production']), name: z.string() }),
  connection: ConnectionView,
  /** Operations that the service does not have yet, those that need attention not counted. */
  unsent: z.number().int().nonnegative(),
  /** Operations that the service refused and nobody has dealt with. */
  attention: z.number().int().nonnegative(),
  locale: Locale,
  version: z.string(),
})
export type AppStatus = z.infer<typeof AppStatus>

/** What the practice service pretends: `offline` no network, `slow` 3 s for each answer, `failing` status 500. */
export const PracticeFault = z.enum(['none', 'offline', 'slow', 'failing'])
export type PracticeFault = z.infer<typeof PracticeFault>

/** A code of the practice store, to be scanned with a click. */
export const PracticeCode = z.object({
  kind: z.enum(['package', 'case', 'tag']),
  /** What the scanner would read. */
  text: z.string(),
  label: z.string(),
  /** Why it is there, e.g. "imported-by-other-dispensary"; null for an ordinary one. */
  about: z
    .enum([
      'two-products',
      'imported-by-company',
      'imported-by-stranger',
      'short',
      'imported-here',
      'case-not-imported',
    ])
    .nullable(),
})
export type PracticeCode = z.infer<typeof PracticeCode>
