import { posix, win32 } from 'node:path'
import { z } from 'zod'
import { ProfileForm, ServiceUrl } from '../../src-shared/ipc/connection-view'

const { name, kind, dispensaryId, caFile } = ProfileForm.shape

/** A connection as IT writes it down: what is left out is null or usual. */
const PolicyProfile = z
  .strictObject({
    name: name.meta({ description: 'As the bar at the top shows it.' }),
    kind: kind
      .default('production')
      .meta({ description: 'A test service, or the real one, where every report counts.' }),
    baseUrl: ServiceUrl.meta({ description: 'Address of the service: https.' }),
    retailAuthUrl: ServiceUrl.optional().meta({ description: 'Sign-in URL of the retail account, without /o/token/.' }),
    sourcingAuthUrl: ServiceUrl.optional().meta({ description: 'Sign-in URL of the sourcing account.' }),
    dispensaryId: dispensaryId.unwrap().optional().meta({ description: "The store's own id in the service." }),
    sendsSku: z.boolean().default(false).meta({ description: "Whether imports carry the POS's SKU." }),
    caFile: caFile
      .unwrap()
      .refine((file) => posix.isAbsolute(file) || win32.isAbsolute(file), { error: 'must be a whole path' })
      .optional()
      .meta({ description: "A PEM file with the company's own authority; a whole path." }),
  })
  .transform((written, context) => {
    const { retailAuthUrl = null, sourcingAuthUrl = null, dispensaryId = null, caFile = null } = written
    const form = ProfileForm.safeParse({ ...written, retailAuthUrl, sourcingAuthUrl, dispensaryId, caFile })
    if (form.success) return form.data
    for (const { message, path } of form.error.issues) {
      context.issues.push({ code: 'custom', message, path: [...path], input: written })
    }
    return z.NEVER
  })

const PolicyUpdates = z.strictObject({
  isAllowed: z.boolean().optional().meta({ description: 'False: the app never looks for updates.' }),
  channel: z.enum(['latest', 'beta']).optional().meta({ description: 'Which releases are taken.' }),
  url: ServiceUrl.refine((url) => url.startsWith('https:'), { error: 'https' })
    .optional()
    .meta({ description: 'Where updates are looked for: https.' }),
})
export type PolicyUpdates = z.infer<typeof PolicyUpdates>

const PolicyLock = z.strictObject({
  afterMinutes: z
    .number()
    .int()
    .min(1)
    .max(240)
    .optional()
    .meta({ description: 'Locks by itself after so many minutes.' }),
  isPinRequired: z
    .boolean()
    .optional()
    .meta({ description: "True: settings and exports need a manager's PIN, and it can't be removed." }),
})
export type PolicyLock = z.infer<typeof PolicyLock>

/** What a store's IT has decided for all tills: a file that the app reads and never writes. See docs/policy.md. */
export const Policy = z
  .strictObject({
    $schema: z.string().optional().meta({ description: 'For editors. Not used.' }),
    profile: PolicyProfile.optional().meta({
      description: 'The connection of this till. It is chosen at the first start.',
    }),
    allowOtherConnections: z
      .boolean()
      .optional()
      .meta({ description: 'False: no other connection can be added or used, but one with reports that wait.' }),
    allowPractice: z.boolean().optional().meta({ description: 'False: the practice store can not be used.' }),
    updates: PolicyUpdates.optional(),
    lock: PolicyLock.optional(),
  })
  .refine((policy) => policy.allowPractice !== false || policy.profile !== undefined, {
    error: 'without a profile there would be nothing to open',
    path: ['allowPractice'],
  })
  .refine((policy) => policy.allowOtherConnections !== false || policy.profile !== undefined, {
    error: 'without a profile there would be nothing to sell with',
    path: ['allowOtherConnections'],
  })
export type Policy = z.infer<typeof Policy>

/** As IT's editors and checkers read it: the text of `resources/policy.schema.json`. */
export const policySchema = () => z.toJSONSchema(Policy, { io: 'input', target: 'draft-2020-12' })
