import { z } from 'zod'
import { AppError } from '../../errors'
import { ServiceProduct } from '../../service/token'
import { Welcome } from './app'
import { call, done, nothing } from './call'

/** Which profile: the practice store, or one that was set up. It names a folder, so that profiles never share data. */
export const ProfileId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
export type ProfileId = z.infer<typeof ProfileId>

export const practiceId: ProfileId = 'practice'

const longestUrl = 300

/** An address of a service: https, and nothing in it but where to. On this computer itself http will do. */
export const ServiceUrl = z
  .string()
  .trim()
  .max(longestUrl)
  .refine((text) => isServiceUrl(text), { error: 'https' })
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''))

function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(text))
  return isSafe && username === '' && password === '' && search === '' && hash === ''
}

/** Whether an address is on this computer; false for a text that isn't an address. */
export const isLoopback = (url: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')

/** A connection to a real service, as a person sets it up. Never holds a secret. */
export const ProfileForm = z
  .object({
    kind: z.enum(['test', 'production']),
    /** As the bar shows it. */
    name: z.string().trim().min(1).max(60),
    baseUrl: ServiceUrl,
    /** What stands before `/o/token/`, for each product that has an account; one of the two at least. */
    retailAuthUrl: ServiceUrl.nullable(),
    sourcingAuthUrl: ServiceUrl.nullable(),
    /** Our own dispensary's id in the service, to tell our imports from our sister's. */
    dispensaryId: z.string().trim().min(1).max(60).nullable(),
    /** Whether imports carry the POS's SKU. */
    sendsSku: z.boolean(),
    /** A file with the certificate of the company's own authority, for services behind a proxy that opens TLS. */
    caFile: z.string().trim().min(1).max(1_000).nullable(),
  })
  .refine(({ retailAuthUrl, sourcingAuthUrl }) => retailAuthUrl !== null || sourcingAuthUrl !== null, {
    error: 'one account at least',
    path: ['retailAuthUrl'],
  })
  .refine(
    ({ kind, baseUrl, retailAuthUrl, sourcingAuthUrl }) =>
      kind === 'test' || [baseUrl, retailAuthUrl, sourcingAuthUrl].every((url) => url === null || !isLoopback(url)),
    { error: 'not on this computer', path: ['baseUrl'] },
  )
export type ProfileForm = z.output<typeof ProfileForm>

/**
 * Where the client id and secret of an account are: `memory` until the app quits, for want of a keychain; `vanished` when
 * the keychain held them and does not any more; `mismatch` when they are of another address or client id than was
 * entered last; `unreadable` when it does not say.
 */
export const CredentialPlace = z.enum(['none', 'keychain', 'memory', 'vanished', 'mismatch', 'unreadable'])
export type CredentialPlace = z.infer<typeof CredentialPlace>

/** The computer's keychain, as the last try found it. */
export const KeychainState = z.enum(['usable', 'missing', 'locked', 'denied', 'failing'])
export type KeychainState = z.infer<typeof KeychainState>

export const ConnectionSettings = z.object({
  active: ProfileId,
  profiles: z.array(
    z.object({
      id: ProfileId,
      profile: ProfileForm,
      /** Set by the company's policy: nobody changes or removes it here. */
      isManaged: z.boolean(),
      credentials: z.object({ retail: CredentialPlace, sourcing: CredentialPlace }),
      /** Reports that wait in its data, unsent or refused; null when nobody can tell. */
      waiting: z.number().int().nonnegative().nullable(),
    }),
  ),
  /** Whether the company's policy lets connections be added and others be used. */
  allowsOthers: z.boolean(),
  allowsPractice: z.boolean(),
  keychain: KeychainState,
  /** What was wrong with the file of the profiles: it was set aside. */
  problem: z.enum(['damaged']).nullable(),
})
export type ConnectionSettings = z.infer<typeof ConnectionSettings>

/** Client id and secret of an account, on their one way in. */
export const CredentialsForm = z
  .object({
    clientId: z.string().trim().min(1).max(500),
    clientSecret: z.string().trim().min(1).max(1_200),
  })
  .refine((credentials) => fitsKeychain(credentials), { error: 'too long for the keychain', path: ['clientSecret'] })

/** As they are kept, in one entry with a mark of their address: Windows takes 2,560 bytes, at two bytes a character. */
export const fitsKeychain = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }): boolean =>
  clientSecret.length <= 1_200 && JSON.stringify({ clientId, clientSecret, for: addressMark }).length <= 1_280
/** Half of a SHA-256, in base64url. */
const addressMark = 'x'.repeat(22)
export type CredentialsForm = z.infer<typeof CredentialsForm>

/** One step of the test of a connection, in the order in which they are tried. */
export const ConnectionStep = z.object({
  step: z.enum(['keychain', 'token-retail', 'token-sourcing', 'read', 'clock']),
  state: z.enum(['passed', 'failed', 'skipped']),
  error: AppError.nullable(),
  /** How long it took, in ms; null when nothing was asked. */
  took: z.number().int().nonnegative().nullable(),
  /** Of the clock alone: the service's minus ours, in ms. */
  offset: z.number().int().nullable(),
})
export type ConnectionStep = z.infer<typeof ConnectionStep>

/** Digits, so that it can be typed on a till's number pad. */
export const Pin = z.string().regex(/^\d{4,12}$/)

export const SecurityView = z.object({
  /** A manager's PIN was set: without one nothing is locked. */
  hasPin: z.boolean(),
  isLocked: z.boolean(),
  /** Minutes without a person's doing after which it locks by itself. */
  autoLockMinutes: z.number().int().min(1).max(240),
  /** Set by the company's policy: those minutes can't be changed. */
  isAutoLockFixed: z.boolean(),
  /** By the company's policy the PIN can't be removed, and what it stands before is locked until there is one. */
  isPinRequired: z.boolean(),
})
export type SecurityView = z.infer<typeof SecurityView>

/** How a computer is used as a till. */
export const TillView = z.object({
  /** The window fills the display and is left in Settings only, behind the PIN where there is one. */
  isKiosk: z.boolean(),
  /** Null where the app is not installed. */
  startsWithComputer: z.boolean().nullable(),
})
export type TillView = z.infer<typeof TillView>

/** The very first start, and the services that this station can work with. */
export const stationCalls = {
  /** The question of the very first start, and that it was answered. */
  'station.welcome': call(nothing, Welcome),
  'station.welcomed': call(nothing, done),
  'connection.settings': call(nothing, ConnectionSettings),
  /** Adds a profile (no id) or changes one; of the one in use, the app opens anew. */
  'connection.saveProfile': call(z.object({ id: ProfileId.nullable(), profile: ProfileForm }), ConnectionSettings),
  /** Its data stays on the disk; its credentials are forgotten. */
  'connection.removeProfile': call(z.object({ id: ProfileId }), ConnectionSettings),
  /** The only way in for client id and secret; there is none out. */
  'connection.setCredentials': call(
    z.object({
      id: ProfileId,
      product: ServiceProduct,
      credentials: CredentialsForm,
      /** Another client id is of the same store, somebody says: reports that wait go out under it. */
      isSameStore: z.boolean().optional(),
    }),
    ConnectionSettings,
  ),
  'connection.forgetCredentials': call(z.object({ id: ProfileId, product: ServiceProduct }), ConnectionSettings),
  /** Keychain, tokens, a harmless read, the clock: a verdict for each. Changes nothing. */
  'connection.test': call(z.object({ id: ProfileId }), z.array(ConnectionStep)),
  /** Leaves one profile for another: the app opens anew, with the other's own data. */
  'connection.use': call(z.object({ id: ProfileId }), done),
} as const

export const stationEvents = {
  /** A step of the test of a connection has ended. */
  'connection.step': z.object({ id: ProfileId, step: ConnectionStep }),
} as const

/** The manager's PIN: what it opens, and when it closes again. */
export const securityCalls = {
  'security.view': call(nothing, SecurityView),
  'security.unlock': call(z.object({ pin: Pin }), SecurityView),
  'security.lock': call(nothing, SecurityView),
  /** Sets, changes or (null) takes away the PIN; needs to be unlocked where there is one. */
  'security.setPin': call(z.object({ pin: Pin.nullable() }), SecurityView),
  'security.setAutoLock': call(z.object({ minutes: z.number().int().min(1).max(240) }), SecurityView),
} as const

export const securityEvents = {
  'security.changed': SecurityView,
} as const

/** How this computer is used as a till; null in a browser, which has a window of its own. */
export const tillCalls = {
  'till.view': call(nothing, TillView.nullable()),
  /** What is left out stays as it is. */
  'till.change': call(
    z.object({ isKiosk: z.boolean().optional(), startsWithComputer: z.boolean().optional() }),
    TillView.nullable(),
  ),
} as const
