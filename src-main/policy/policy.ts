import { existsSync, readFileSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { type Gate, GateLevel } from '../../src-shared/gates'
import { KnownProfile, ProfileForm, ServiceUrl } from '../../src-shared/ipc/contract/station'
import { unfitName } from '../../src-shared/names'
import { Role, ShortName } from '../../src-shared/people'
import { AppStartError } from '../database/start-error'

const { name, kind, dispensaryId } = ProfileForm.shape
/** One on another computer isn't read: the connection says so, and the till starts as before. */
const { caFile } = KnownProfile.shape

/** A connection in the policy file; omitted fields are null or have defaults. */
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
    const form = ProfileForm.safeParse({ ...written, retailAuthUrl, sourcingAuthUrl, dispensaryId, caFile: null })
    if (form.success) return { ...form.data, caFile }
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

const level = GateLevel.optional()
const PolicyGates = z
  .strictObject({
    'un-import': level,
    'import-against-certificate': level,
    void: level,
    'take-out': level,
    'remove-collection': level,
    'put-back': level,
    'add-items': level,
    'add-case': level,
    'restore-collection': level,
    'sign-count': level,
  } satisfies Record<Gate, typeof level>)
  .meta({ description: 'What is asked before a change is reported outside a normal sale.' })

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
  gates: PolicyGates.optional(),
})
export type PolicyLock = z.infer<typeof PolicyLock>

const PolicyPeople = z
  .strictObject({
    isSignInRequired: z
      .boolean()
      .optional()
      .meta({ description: 'True: completing an order and other ends need a name and a role.' }),
    afterMinutes: z.number().int().min(1).max(240).optional().meta({ description: 'Signs out after so many minutes.' }),
    roles: z
      .array(z.strictObject({ shortName: ShortName, role: Role }))
      .max(1_000)
      .optional()
      .meta({ description: 'Roles of people by short name; the others have the one in Settings.' }),
    journalDays: z
      .number()
      .int()
      .min(400)
      .max(3_650)
      .optional()
      .meta({ description: 'How long lines of the journal are kept, in days.' }),
    isOpen: z.boolean().optional().meta({
      description: 'True: settings and people are open without a manager or PIN, for a store that lost the last one.',
    }),
  })
  .meta({ description: 'Who is signed in, and what the journal keeps.' })
export type PolicyPeople = z.infer<typeof PolicyPeople>

/** The policy of a store's IT for all tills: a file that the app reads but never writes. See docs/policy.md. */
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
    people: PolicyPeople.optional(),
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

/** The JSON schema for IT's editors and validators: the content of `resources/policy.schema.json`. */
export const policySchema = () => z.toJSONSchema(Policy, { io: 'input', target: 'draft-2020-12' })

interface PolicyPlace {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
  /** COUNTERTAG_POLICY is only used when running from a checkout. */
  isPackaged: boolean
  /** Whether a folder exists; replaced in tests. */
  isFolder?: (path: string) => boolean
}

const usualProgramData = 'C:\\ProgramData'

/** The policy file of this computer. IT makes sure that only administrators can write to its folder (docs/policy.md). */
export function policyFile({ platform, environment, isPackaged, isFolder = existsSync }: PolicyPlace): string {
  const { COUNTERTAG_POLICY: own = '', ProgramData: programData = '' } = environment
  if (!isPackaged && own !== '') return own
  if (platform === 'win32') {
    // A user can set the environment of a packaged app, so the environment counts only if Windows isn't installed on C.
    const usesEnvironment = win32.isAbsolute(programData) && (!isPackaged || !isFolder(usualProgramData))
    return win32.join(usesEnvironment ? programData : usualProgramData, 'Countertag', 'policy.json')
  }
  return platform === 'darwin' ? '/Library/Application Support/Countertag/policy.json' : '/etc/countertag/policy.json'
}

/** The policy of this computer. Throws as `readPolicy` does. */
export const policyOfComputer = (place: Pick<PolicyPlace, 'isPackaged'>): Policy | undefined =>
  readPolicy(policyFile({ platform: process.platform, environment: process.env, ...place }))

/** In characters; far more than a policy needs. */
const longest = 100_000

/**
 * Reads the policy file; undefined if it doesn't exist. Throws AppStartError `policy/invalid` with the file, the field
 * and the problem: a partly valid policy isn't applied.
 */
export function readPolicy(file: string): Policy | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  if (text.length > longest) throw invalid(file, 'it is longer than 100,000 characters')
  const policy = Policy.safeParse(jsonOf(file, text))
  if (policy.success) return policy.data
  throw invalid(file, policy.error.issues.flatMap(explain).join('; '))
}

const invalid = (file: string, what: string, cause?: unknown) =>
  new AppStartError('policy/invalid', `The policy in ${file} can't be used: ${what}.`, { cause })

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw invalid(file, `it can't be read (${code})`, cause)
  }
}

function jsonOf(file: string, text: string): unknown {
  try {
    // Windows editors may write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const said = cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ') : 'unknown'
    throw invalid(file, `it is not JSON (${said})`, cause)
  }
}

/** The error codes of the connection form as sentences about a field. */
const sentences: Record<string, string> = {
  https: 'must be an https address without a password, ? or #',
  'one account at least': 'retailAuthUrl or sourcingAuthUrl is needed',
  'not on this computer': 'a production service is never on this computer',
  [unfitName]: 'has invisible or control characters',
}

function explain({ path, ...issue }: z.core.$ZodIssue): string[] {
  const field = path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[field, key].filter((part) => part !== '').join('.')}: unknown field`)
  }
  return [`${field === '' ? 'the file' : field}: ${sentences[issue.message] ?? issue.message}`]
}
