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
export const HostingReason = z.enum([
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
export type HostingReason = z.infer<typeof HostingReason>

/** `detail`: last words of PostgreSQL, or the version that is needed; for IT. */
export const HostingFailure = z.object({ reason: HostingReason, detail: z.string().max(4_000) })
export type HostingFailure = z.infer<typeof HostingFailure>

/** What the PostgreSQL on this computer does. */
export const HostingState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('running') }),
  z.object({ kind: z.literal('failed'), ...HostingFailure.shape }),
])
export type HostingState = z.infer<typeof HostingState>

/** Lower ones are reserved by the system. */
const Port = z.number().int().min(1_024).max(65_535)
/** An IPv4 address of this computer. */
const Address = z.ipv4()
/** A folder with the programs of a PostgreSQL; null: search for them. */
const Folder = z.string().trim().min(1).max(1_000).nullable()

/** What this computer keeps: the store of `profile`. */
export const HostedStore = z.object({ profile: z.string(), address: Address, port: Port, folder: Folder })
export type HostedStore = z.infer<typeof HostedStore>

/** `isOther`: the store of another connection than the one in use. */
export const HostingView = z.object({
  state: HostingState,
  hosted: z.object({ address: Address, port: Port, isOther: z.boolean() }).nullable(),
})
export type HostingView = z.infer<typeof HostingView>

/** What a store can be kept with. */
export const HostingOptions = z.object({
  /** Those that other computers can reach first; loopback last. */
  addresses: z.array(z.object({ address: Address, network: z.string(), isLocal: z.boolean() })),
  /** The PostgreSQL that was found; null if there is none. */
  programs: z.object({ version: z.string(), folder: z.string() }).nullable(),
  /** Versions that were found and are too old. */
  tooOld: z.array(z.string()),
  computer: z.string(),
})
export type HostingOptions = z.infer<typeof HostingOptions>

/** Keeping the store hub on this computer. About the profile in use. */
export const hostingCalls = {
  'hosting.view': call(nothing, HostingView),
  'hosting.options': call(z.object({ folder: Folder }), HostingOptions),
  /**
   * Makes the hub, starts it, and joins this station to it. Errors: keep/kept, keep/joined, keep/address, keep/failed, and
   * those of `join.join`.
   */
  'hosting.start': call(
    z.object({
      address: Address,
      port: Port,
      folder: Folder,
      stationName: plainName(40),
      policy: HubPolicy,
    }),
    HostingView,
  ),
  /** Tries to start at once. */
  'hosting.retry': call(nothing, HostingView),
  /** The other stations of the kept store; null if it doesn't answer. Errors: keep/not-kept. */
  'hosting.others': call(nothing, z.object({ names: z.array(z.string()).nullable() })),
  /**
   * Keeps the store at another address of this computer, with a certificate for it: the other stations need a new join code.
   * Errors: keep/not-kept, keep/other, keep/address, keep/failed, and those of `join.join`.
   */
  'hosting.renew': call(z.object({ address: Address, port: Port }), HostingView),
  /** Leaves the store, and ends it. Errors: keep/not-kept, keep/other, and those of `join.leave`. */
  'hosting.stop': call(nothing, HostingView),
} as const

export const hostingEvents = { 'hosting.changed': HostingView } as const
