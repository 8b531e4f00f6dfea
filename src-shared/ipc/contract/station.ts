import { z } from 'zod'
import { AppError } from '../../errors'
import { Gate, GateLevel } from '../../gates'
import { hostFault } from '../../hub-address'
import { isLocalFile } from '../../local-file'
import { knownNameOf, plainName } from '../../names'
import { ServiceProduct } from '../../service/token'
import { Welcome } from './app'
import { call, done, nothing } from './call'

/** The practice store, or a profile that was set up. It names a folder, so that profiles never share data. */
export const ProfileId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
export type ProfileId = z.infer<typeof ProfileId>

export const practiceId: ProfileId = 'practice'

const longestUrl = 300

const withoutSlash = (text: string) => text.replace(/(?<!\/)\/+$/, '')
const addressOf = (isUsable: (text: string) => boolean) =>
  z.string().trim().max(longestUrl).refine(isUsable, { error: 'https' }).transform(withoutSlash)

/** An address that is known already: of a connection that an earlier version took. */
const KnownUrl = addressOf((text) => isServiceUrl(text))

/** Address of a service: https, without credentials, query or fragment. http is allowed for this computer. */
export const ServiceUrl = addressOf((text) => isServiceUrl(text) && isPlainUrl(text))

function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(text))
  return isSafe && username === '' && password === '' && search === '' && hash === ''
}

/** Whether an address reads as it is used: a parser of addresses leaves some characters out, and replaces others. */
const isPlainUrl = (text: string): boolean =>
  !/[\\\s\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u.test(text) &&
  hostFault((URL.parse(text)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1')) === null

/** Whether an address is on this computer; false for a text that isn't an address. */
export const isLoopback = (url: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')

const tokenPath = /\/o\/token\/*$/

/** Whether a sign-in address was entered with the path that Countertag adds itself. */
export const hasTokenPath = (text: string) => tokenPath.test(text.trim())

/** The sign-in address of an account: the part before `/o/token/`, which is cut off where it was entered too. */
const withoutTokenPath = (url: string) => url.replace(tokenPath, '')
const SignInUrl = ServiceUrl.transform(withoutTokenPath)
const KnownSignInUrl = KnownUrl.transform(withoutTokenPath)

/** What a connection is made of: entered by a person, or from a file or policy. */
const profileShape = {
  kind: z.enum(['test', 'production']),
  /** As shown in the status bar. */
  name: plainName(60),
  baseUrl: ServiceUrl,
  /** The part before `/o/token/`, for each product that has an account; at least one of the two. */
  retailAuthUrl: SignInUrl.nullable(),
  sourcingAuthUrl: SignInUrl.nullable(),
  /** The id of our dispensary in the service, which tells our imports from those of a sister store. */
  dispensaryId: z.string().trim().min(1).max(60).nullable(),
  /** Whether imports carry the POS's SKU. */
  sendsSku: z.boolean(),
  /** A file with the certificate of the company's own authority, for services behind a TLS-inspecting proxy. */
  caFile: z.string().trim().min(1).max(1_000).refine(isLocalFile, { error: 'local file' }).nullable(),
}

/** What is wrong with the fields of a connection together: the field, and why. */
function faultTogether({ kind, baseUrl, retailAuthUrl, sourcingAuthUrl }: Addresses) {
  if (retailAuthUrl === null && sourcingAuthUrl === null)
    return { path: ['retailAuthUrl'], message: 'one account at least' }
  const isHere = [baseUrl, retailAuthUrl, sourcingAuthUrl].some((url) => url !== null && isLoopback(url))
  return kind === 'production' && isHere ? { path: ['baseUrl'], message: 'not on this computer' } : null
}
interface Addresses {
  kind: 'test' | 'production'
  baseUrl: string
  retailAuthUrl: string | null
  sourcingAuthUrl: string | null
}
const checkTogether = (context: z.core.ParsePayload<Addresses>) => {
  const fault = faultTogether(context.value)
  if (fault) context.issues.push({ code: 'custom', input: context.value, ...fault })
}

/** A connection to a real service, as a person or a file from outside sets it up. Never contains a secret. */
export const ProfileForm = z.object(profileShape).check(checkTogether)
export type ProfileForm = z.output<typeof ProfileForm>

/**
 * A connection that is here already. It is read by the rules of version 0.1, so that a till keeps it: a certificate file on
 * another computer isn't read any more, though (`readCaFile`).
 */
export const KnownProfile = z
  .object({
    ...profileShape,
    name: knownNameOf(60),
    baseUrl: KnownUrl,
    retailAuthUrl: KnownSignInUrl.nullable(),
    sourcingAuthUrl: KnownSignInUrl.nullable(),
    caFile: z.string().trim().min(1).max(1_000).nullable(),
  })
  .check(checkTogether)

/** A region or service to begin a connection with; IT has added its addresses. */
export const ConnectionPreset = z.strictObject({
  name: ProfileForm.shape.name,
  kind: ProfileForm.shape.kind.optional(),
  baseUrl: ServiceUrl.optional(),
  retailAuthUrl: SignInUrl.nullable().optional(),
  sourcingAuthUrl: SignInUrl.nullable().optional(),
})
export type ConnectionPreset = z.infer<typeof ConnectionPreset>

/**
 * Where an account's client id and secret are: `memory` until the app quits, if there is no usable keychain; `vanished`
 * if the keychain has lost them; `mismatch` if they belong to another address or client id than the one entered last;
 * `unreadable` if the keychain can't be read.
 */
export const CredentialPlace = z.enum(['none', 'keychain', 'memory', 'vanished', 'mismatch', 'unreadable'])
export type CredentialPlace = z.infer<typeof CredentialPlace>

/** The computer's keychain, according to the last access. */
export const KeychainState = z.enum(['usable', 'missing', 'locked', 'denied', 'failing'])
export type KeychainState = z.infer<typeof KeychainState>

export const ProfileSettings = z.object({
  active: ProfileId,
  profiles: z.array(
    z.object({
      id: ProfileId,
      profile: KnownProfile,
      /** Set by the company's policy: can't be changed or removed here. */
      isManaged: z.boolean(),
      credentials: z.object({ retail: CredentialPlace, sourcing: CredentialPlace }),
      /** Unsent or refused reports in the profile's data; null if unknown. */
      waiting: z.number().int().nonnegative().nullable(),
    }),
  ),
  /** Whether the company's policy allows adding connections and using other ones. */
  allowsOthers: z.boolean(),
  allowsPractice: z.boolean(),
  keychain: KeychainState,
  /** What was wrong with the profiles file, which was set aside. */
  problem: z.enum(['damaged']).nullable(),
})
export type ProfileSettings = z.infer<typeof ProfileSettings>

/** Client id and secret of an account, as entered. No call returns them. */
export const CredentialsForm = z
  .object({
    clientId: z.string().trim().min(1).max(500),
    clientSecret: z.string().trim().min(1).max(1_200),
  })
  .refine((credentials) => fitsKeychain(credentials), { error: 'too long for the keychain', path: ['clientSecret'] })

/**
 * Whether both fit into one keychain entry with a mark of their address: Windows allows 2,560 bytes, at two bytes per
 * character.
 */
export const fitsKeychain = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }): boolean =>
  clientSecret.length <= 1_200 && JSON.stringify({ clientId, clientSecret, for: addressMark }).length <= 1_280
/** Half of a SHA-256, in base64url. */
const addressMark = 'x'.repeat(22)
export type CredentialsForm = z.infer<typeof CredentialsForm>

/** The steps of a connection test, in order. */
export const ConnectionStep = z.object({
  step: z.enum([
    'address',
    'certificate',
    'sign-in-retail',
    'account-retail',
    'sign-in-sourcing',
    'account-sourcing',
    'rights-retail',
    'rights-sourcing',
    'clock',
  ]),
  state: z.enum(['passed', 'failed', 'skipped']),
  error: AppError.nullable(),
  /** Duration of a successful request in ms; null if there was none. */
  took: z.number().int().nonnegative().nullable(),
  /** Only for the clock: the service's time minus ours, in ms. */
  offset: z.number().int().nullable(),
})
export type ConnectionStep = z.infer<typeof ConnectionStep>

/** Digits only, so that it can be typed on a number pad. */
export const Pin = z.string().regex(/^\d{4,12}$/)

export const SecurityView = z.object({
  /** Whether a manager's PIN is set: without one nothing is locked. */
  hasPin: z.boolean(),
  isLocked: z.boolean(),
  /** Minutes of inactivity after which it locks. */
  autoLockMinutes: z.number().int().min(1).max(240),
  /** The company's policy sets the minutes: they can't be changed. */
  isAutoLockFixed: z.boolean(),
  /** The company's policy requires a PIN: it can't be removed, and what it protects is locked until one is set. */
  isPinRequired: z.boolean(),
})
export type SecurityView = z.infer<typeof SecurityView>

/** What each gate of this station wants. `fixed`: set by the company's policy. */
export const GatesView = z.object({ levels: z.record(Gate, GateLevel), fixed: z.array(Gate) })
export type GatesView = z.infer<typeof GatesView>

/** The look of the screens on this computer; `system` follows the computer's own setting. */
export const Theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>

/** How this computer is used as a till. */
export const TillView = z.object({
  /** The window fills the screen; kiosk mode is turned off in Settings only, with the PIN if one is set. */
  isKiosk: z.boolean(),
  /** Null if the app is not installed. */
  startsWithComputer: z.boolean().nullable(),
  /** Whether what is shown to be printed can be had as a PDF (`till.pdf`). */
  canSavePdf: z.boolean(),
})
export type TillView = z.infer<typeof TillView>

/** The first start, and the connections of this station. */
export const stationCalls = {
  /** Whether the question of the first start is open, and answering it. */
  'station.welcome': call(nothing, Welcome),
  'station.welcomed': call(nothing, done),
  /** The look of the screens on this computer. */
  'station.theme': call(nothing, z.object({ theme: Theme })),
  'station.setTheme': call(z.object({ theme: Theme }), done),
  'profile.settings': call(nothing, ProfileSettings),
  /** The regions that a new connection may begin with. */
  'profile.presets': call(nothing, z.array(ConnectionPreset)),
  /** Adds a profile (without id) or changes one; changing the profile in use reopens the core. */
  'profile.save': call(z.object({ id: ProfileId.nullable(), profile: ProfileForm }), ProfileSettings),
  /** Its data stays on the disk; its credentials are removed. */
  'profile.remove': call(z.object({ id: ProfileId }), ProfileSettings),
  /** Saves client id and secret. No call returns them. */
  'profile.setCredentials': call(
    z.object({
      id: ProfileId,
      product: ServiceProduct,
      credentials: CredentialsForm,
      /** A manager confirms that the other client id belongs to the same store: waiting reports are sent under it. */
      isSameStore: z.boolean().optional(),
    }),
    ProfileSettings,
  ),
  'profile.forgetCredentials': call(z.object({ id: ProfileId, product: ServiceProduct }), ProfileSettings),
  /** Tests address, certificate, sign-in addresses, accounts, their rights and the clock; one verdict each. Changes nothing. */
  'profile.test': call(z.object({ id: ProfileId }), z.array(ConnectionStep)),
  /** Switches to another profile: the core reopens with that profile's data. */
  'profile.use': call(z.object({ id: ProfileId }), done),
} as const

export const stationEvents = {
  'station.theme': z.object({ theme: Theme }),
  /** A step of a connection test has ended. */
  'profile.step': z.object({ id: ProfileId, step: ConnectionStep }),
} as const

/** The manager's PIN and its lock. */
export const securityCalls = {
  'security.view': call(nothing, SecurityView),
  'security.unlock': call(z.object({ pin: Pin }), SecurityView),
  'security.lock': call(nothing, SecurityView),
  /** Sets, changes or removes (null) the PIN; must be unlocked first if a PIN is set. */
  'security.setPin': call(z.object({ pin: Pin.nullable() }), SecurityView),
  'security.setAutoLock': call(z.object({ minutes: z.number().int().min(1).max(240) }), SecurityView),
  'security.gates': call(nothing, GatesView),
  'security.setGate': call(z.object({ gate: Gate, level: GateLevel }), GatesView),
} as const

export const securityEvents = {
  'security.changed': SecurityView,
  'security.gates': GatesView,
} as const

/** How this computer is used as a till; null in a browser, which has its own window. */
export const tillCalls = {
  'till.view': call(nothing, TillView.nullable()),
  /** Fields left out stay unchanged. */
  'till.change': call(
    z.object({ isKiosk: z.boolean().optional(), startsWithComputer: z.boolean().optional() }),
    TillView.nullable(),
  ),
  /** The page as it would be printed, on Letter paper, in base64. Errors: till/no-pdf. */
  'till.pdf': call(nothing, z.object({ base64: z.string() })),
} as const
