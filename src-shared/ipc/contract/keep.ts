import { z } from 'zod'
import { plainName } from '../../names'
import { call, nothing } from './call'
import { HubPolicy } from './hub'

/**
 * Why the PostgreSQL that keeps the store can't be started. `missing`: none was found; `port`: another program has
 * the port; `address`: the computer no longer has the address; `version`: the data needs another version of
 * PostgreSQL; `damaged`: the data can't be used; `lost`: there is none, and no password to make it with; `busy`:
 * another PostgreSQL has the data; `full`; `permission`: a file can't be read or written; `other`: see `detail`.
 */
export const KeepReason = z.enum([
  'missing',
  'port',
  'address',
  'version',
  'damaged',
  'lost',
  'busy',
  'full',
  'permission',
  'other',
])
export type KeepReason = z.infer<typeof KeepReason>

/** `detail`: last words of PostgreSQL, or the version that is needed; for IT. */
export const KeepFailure = z.object({ reason: KeepReason, detail: z.string().max(4_000) })
export type KeepFailure = z.infer<typeof KeepFailure>

/** What the PostgreSQL on this computer does. */
export const KeepState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('running') }),
  z.object({ kind: z.literal('failed'), ...KeepFailure.shape }),
])
export type KeepState = z.infer<typeof KeepState>

/** Lower ones are reserved by the system. */
const Port = z.number().int().min(1_024).max(65_535)
/** An IPv4 address of this computer. */
const Address = z.ipv4()
/** A folder with the programs of a PostgreSQL; null: search for them. */
const Folder = z.string().trim().min(1).max(1_000).nullable()

/** What this computer keeps: the store of `profile`. */
export const KeptStore = z.object({ profile: z.string(), address: Address, port: Port, folder: Folder })
export type KeptStore = z.infer<typeof KeptStore>

/** `isOther`: the store of another connection than the one in use. */
export const KeepView = z.object({
  state: KeepState,
  kept: z.object({ address: Address, port: Port, isOther: z.boolean() }).nullable(),
})
export type KeepView = z.infer<typeof KeepView>

/** What a store can be kept with. */
export const KeepOptions = z.object({
  /** Those that other computers can reach first; loopback last. */
  addresses: z.array(z.object({ address: Address, network: z.string(), isLocal: z.boolean() })),
  /** The PostgreSQL that was found; null if there is none. */
  programs: z.object({ version: z.string(), folder: z.string() }).nullable(),
  /** Versions that were found and are too old. */
  tooOld: z.array(z.string()),
  computer: z.string(),
})
export type KeepOptions = z.infer<typeof KeepOptions>

/** Keeping the store hub on this computer. About the profile in use. */
export const keepCalls = {
  'keep.view': call(nothing, KeepView),
  'keep.options': call(z.object({ folder: Folder }), KeepOptions),
  /**
   * Makes the hub, starts it, and joins this station to it. Errors: keep/kept, keep/joined, keep/address, keep/failed, and
   * those of `join.join`.
   */
  'keep.start': call(
    z.object({
      address: Address,
      port: Port,
      folder: Folder,
      stationName: plainName(40),
      policy: HubPolicy,
    }),
    KeepView,
  ),
  /** Tries to start at once. */
  'keep.retry': call(nothing, KeepView),
  /** The other stations of the kept store; null if it doesn't answer. Errors: keep/not-kept. */
  'keep.others': call(nothing, z.object({ names: z.array(z.string()).nullable() })),
  /**
   * Keeps the store at another address of this computer, with a certificate for it: the other stations need a new join code.
   * Errors: keep/not-kept, keep/other, keep/address, keep/failed, and those of `join.join`.
   */
  'keep.renew': call(z.object({ address: Address, port: Port }), KeepView),
  /** Leaves the store, and ends it. Errors: keep/not-kept, keep/other, and those of `join.leave`. */
  'keep.stop': call(nothing, KeepView),
} as const

export const keepEvents = { 'keep.changed': KeepView } as const
