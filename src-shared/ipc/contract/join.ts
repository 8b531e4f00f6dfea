import { z } from 'zod'
import { longestJoinText } from '../../scan/join-text'
import { call, done, nothing } from './call'
import { HubAnswer, HubName, HubPassword, HubPolicy, HubTrouble, JoinedHub } from './hub'
import { plainName } from '../../names'

/**
 * Where the hub's password is: `memory` until the app quits, if there is no usable keychain; `gone` if it was never entered
 * here or the keychain has lost it; `unreadable` if the keychain can't be read.
 */
export const HubSecretPlace = z.enum(['keychain', 'memory', 'gone', 'unreadable'])
export type HubSecretPlace = z.infer<typeof HubSecretPlace>

/** Where the profile in use stands: its hub and where the password is kept. Both null while it works alone. */
export const JoinView = z.object({ hub: JoinedHub.nullable(), place: HubSecretPlace.nullable() })
export type JoinView = z.infer<typeof JoinView>

/** After a store was left: `isTold`: its hub answered and has removed this station. Null: none was left. */
const JoinDone = z.object({ view: JoinView, isTold: z.boolean().nullable() })
export type JoinDone = z.infer<typeof JoinDone>

/** A store, for people to compare: what it is called, its identity, and its hub. Null: not known. */
const StoreShown = z.object({
  name: z.string().nullable(),
  id: z.string().nullable(),
  host: z.string(),
  port: z.number(),
  database: z.string(),
})
export type StoreShown = z.infer<typeof StoreShown>

/** How to join, as entered. Main checks address and certificate, and names what is wrong. */
export const JoinForm = z.object({
  ...JoinedHub.omit({ storeId: true }).shape,
  host: z.string().trim().max(300),
  port: z.number().int(),
  database: HubName,
  user: HubName,
  stationName: plainName(40),
  /** Null: keep the saved one. */
  password: HubPassword.nullable(),
  /**
   * The join code that was read last, by its `id`: its address, password and store key are used, and those above are ignored;
   * the certificate too, if the code has one. Null: those above are used.
   */
  fromCode: z.string().max(50).nullable(),
  /** A person was told that the code or the address is of another store than this station's (`own`), and wants it. */
  replacesStore: z.boolean(),
  /** A person says that no other station is left: the store gets a new key for its customers. */
  makesKey: z.boolean(),
})
export type JoinForm = z.infer<typeof JoinForm>

/**
 * What a hub answered; nothing was changed there. `stations`: the other ones; `isNew`: this station would be the first;
 * `needsCode`: there are others, and their store key is not known here.
 */
export const JoinTest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('works'),
    stations: z.number().int().nonnegative(),
    isNew: z.boolean(),
    needsCode: z.boolean(),
    /** Both stores, if an entered address is of another one than this station's, or if that can't be told. */
    replaces: z.object({ store: StoreShown, own: StoreShown }).nullable(),
  }),
  z.object({
    kind: z.literal('trouble'),
    trouble: HubTrouble,
    answer: HubAnswer,
    /** With `name-taken`: a name that no station of the store has. */
    freeName: z.string().nullable(),
  }),
])
export type JoinTest = z.infer<typeof JoinTest>

/** Where main puts the text of a join code: on the clipboard, or into a file that the browser downloads. */
const SecretOutletKind = z.enum(['clipboard', 'file'])

/** Where the browser host serves that file, once, to the page's link. */
export const secretFilePath = '/join-code.txt'

/**
 * A join code as a picture. It holds the password and the store key. The page that shows it doesn't get its text: main hands that
 * out.
 */
export const JoinCode = z.object({
  /** An SVG as a data URL. */
  picture: z.string().startsWith('data:image/svg+xml,').max(2_000_000),
  expiresAt: z.iso.datetime(),
  /** The certificate is too large for the code: the other station needs its file. */
  lacksCertificate: z.boolean(),
  /** The hub's address is this computer: no other computer can use the code. */
  isLocal: z.boolean(),
  /** How `join.giveCode` hands out the text; null if it can't. */
  textTo: SecretOutletKind.nullable(),
})
export type JoinCode = z.infer<typeof JoinCode>

/** What a join code names. Its secrets stay in main, and nothing was connected to. */
export const JoinScanned = z.object({
  id: z.string(),
  store: StoreShown,
  /** The station that made the code. */
  madeBy: z.string(),
  /** The store that this station is in, if the code is of another one, or if that can't be told. */
  own: StoreShown.nullable(),
  host: z.string(),
  port: z.number(),
  database: z.string(),
  user: z.string(),
  policy: HubPolicy,
  /** The next name after the station that made the code. */
  stationName: z.string(),
  /** The certificate was too large for the code: its file has to be chosen. */
  needsCertificate: z.boolean(),
  /** By the hub's clock. */
  expiresAt: z.iso.datetime(),
})
export type JoinScanned = z.infer<typeof JoinScanned>

/** Joining the store hub, and leaving it. About the profile in use. */
export const joinCalls = {
  'join.view': call(nothing, JoinView),
  /** Tries a hub, and changes nothing. Errors: join/address, -certificate, -password-missing, -code-unusable. */
  'join.try': call(JoinForm, JoinTest),
  /**
   * Tries, then saves; also changes what was joined. Errors: those of `join.try`, join/trouble, -code-needed, -other-store, and
   * -unsent where another store is joined instead.
   */
  'join.join': call(JoinForm, JoinDone),
  /** Errors: join/not-joined, -unsent. */
  'join.leave': call(nothing, JoinDone),
  /**
   * Gives this computer an identity of its own in the store, with another name: its data is a copy of another computer's. Errors:
   * join/not-joined, -password-missing, -trouble.
   */
  'join.newIdentity': call(z.object({ stationName: plainName(40) }), JoinView),
  /** The hub's clock ends the code. Errors: join/not-joined, -password-missing, -trouble. */
  'join.code': call(nothing, JoinCode),
  /** Hands out the text of the code that was shown last, without the page. Errors: join/code-unusable. */
  'join.giveCode': call(nothing, done),
  /** Reads a join code: a pasted text, or (null) the one that was scanned last. Errors: join/code-unusable. */
  'join.scanned': call(
    z.object({
      text: z
        .string()
        .max(longestJoinText * 2)
        .nullable(),
    }),
    JoinScanned,
  ),
} as const
