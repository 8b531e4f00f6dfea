import { z } from 'zod'
import { DeliveryId, TagId } from '../../ids'
import { isPlainName, knownNameOf } from '../../names'
import { storable } from '../../text'
import { call, done, nothing } from './call'

/** `alone`: no hub is set up; `online`: the hub answers; `offline`: one is set up and does not answer. */
export const HubSituation = z.enum(['alone', 'online', 'offline'])
export type HubSituation = z.infer<typeof HubSituation>

/** What the counter does with items while the hub does not answer: takes them with a mark, or refuses them. */
export const HubPolicy = z.enum(['warn', 'refuse'])
export type HubPolicy = z.infer<typeof HubPolicy>

/**
 * Why the hub can't be worked with. `silent`: no answer at its address; `out-of-files`: this computer can't open a
 * connection; `unknown-host`: its name can't be looked up; `refused`: its computer refuses the port;
 * `not-postgres`: another program answers there; `pooler`: one stands between that changes sessions; `starting`: the server starts or stops; `too-many`: it has no connection left; `slow`: it answers too late; `no-tls`:
 * it offers no encryption; `old-server`: PostgreSQL before 14; `certificate`: not the expected one; `password`: user or password
 * refused; `not-allowed`: its rules refuse this user from this computer; `rights`: the user may not use the tables; `newer`: its
 * tables are of a newer Countertag; `no-database`: it has no such database; `no-tables`: its tables are missing; `other-store`:
 * it belongs to another store; `name-taken`: another station has this station's name; `full`: its disk is full; `read-only`: it
 * can be read and takes no changes, as a standby; `in-use`: another computer works under this station's identity;
 * `secret-missing`: this computer's keychain lost the password; `other`: see the log.
 */
export const HubTrouble = z.enum([
  'silent',
  'out-of-files',
  'unknown-host',
  'refused',
  'not-postgres',
  'pooler',
  'starting',
  'too-many',
  'slow',
  'no-tls',
  'old-server',
  'certificate',
  'password',
  'not-allowed',
  'rights',
  'newer',
  'no-database',
  'no-tables',
  'other-store',
  'name-taken',
  'full',
  'read-only',
  'in-use',
  'secret-missing',
  'other',
])
export type HubTrouble = z.infer<typeof HubTrouble>

/** What the server or the system answered, with its code, for the database's administrator. Null if nothing was. */
export const HubAnswer = z.string().max(400).nullable()

/** The name of a database or role, as a person or a code names it. */
export const HubName = z.string().trim().min(1).max(63).refine(isPlainName)
/** The password of a role. PostgreSQL takes any text without NUL. */
export const HubPassword = z
  .string()
  .min(1)
  .max(500)
  .refine(...storable)

/** How a station reaches its hub, without the password. */
export const JoinedHub = z.object({
  host: z.string().trim().min(1).max(253),
  port: z.number().int().min(1).max(65_535),
  database: z.string().trim().min(1).max(63),
  user: z.string().trim().min(1).max(63),
  /** The certificate of the server or of its authority, in PEM. Null only on this computer. */
  certificate: z.string().max(20_000).nullable(),
  /** The name of this station in the store. */
  stationName: knownNameOf(40),
  policy: HubPolicy,
  /** The identity of the store that was joined; version 0.2 didn't keep it. */
  storeId: z.string().max(40).optional(),
})
export type JoinedHub = z.infer<typeof JoinedHub>

/** Where this station stands with its hub. */
export const HubView = z.object({
  situation: HubSituation,
  policy: HubPolicy,
  /** This station's name in the store; null alone. */
  station: z.string().nullable(),
  /** Null unless `offline`. */
  trouble: HubTrouble.nullable(),
  /** Since when it is `offline`; null otherwise. */
  since: z.iso.datetime().nullable(),
  /** Another computer wants to work under this station's identity, and is refused. */
  hasRival: z.boolean(),
  /** The hub holds items that another copy of this station's data took: this data is older, or another computer has a copy. */
  hasCopy: z.boolean(),
  /** The stations that have not announced what they hold since the hub was made anew or restored, by name. */
  awaited: z.array(z.string()),
})
export type HubView = z.infer<typeof HubView>

/**
 * What a person should know of an item that two stations had. `collided`: both took it while one of them was offline;
 * `taken-over`: a person at the other station took it from an order here. `settling`: that person settles the differences of a
 * count with it, which this station had begun to.
 */
export const StoreNotice = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  what: z.enum(['collided', 'taken-over', 'settling']),
  tagId: TagId,
  productName: z.string().nullable(),
  /** The other station, and its order. */
  station: z.string(),
  orderId: z.string().nullable(),
  /** The order here; null if it has no number, or if the item is in no order any more. */
  ownOrderId: z.string().nullable(),
  isSoldHere: z.boolean(),
  /** Where the sale here is: `open` until the service has answered. Null if the item is in no sale here, or that was withdrawn. */
  ownReport: z.enum(['open', 'reported', 'refused']).nullable(),
  /** It was taken over, and left the order here. */
  hasLeft: z.boolean(),
  /** Why it was taken over. */
  because: z.string().nullable(),
})
export type StoreNotice = z.infer<typeof StoreNotice>

/** An item of a sale here that an order of another station has too: `orderId` is that order, null if it has no number. */
export const SoldTwice = z.object({
  tagId: TagId,
  productName: z.string().nullable(),
  ownOrderId: z.string(),
  station: z.string(),
  orderId: z.string().nullable(),
})
export type SoldTwice = z.infer<typeof SoldTwice>

/** A station of the store. Instants are ISO 8601, by the hub's clock. What it says of itself is null if it can't be read. */
export const StoreStation = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  isThis: z.boolean(),
  seenAt: z.iso.datetime(),
  /** Not heard for a minute. */
  isGone: z.boolean(),
  /** The name of the station whose older data, or copy, this is; null for a station. */
  copyOf: z.string().nullable(),
  heartbeat: z
    .object({
      /** Operations that the service doesn't have yet, and refused ones that need attention. */
      unsent: z.number().int().nonnegative(),
      attention: z.number().int().nonnegative(),
      /** The service's clock minus the station's, in ms. */
      clockOffset: z.number().int(),
      hasScannerTrouble: z.boolean(),
      /** What it scanned, listed and imported in Receiving that the other stations don't know. */
      unshared: z.number().int().nonnegative(),
      /** The delivery under way that it has a manifest of: other stations don't have the manifest. */
      manifestOf: DeliveryId.nullable(),
    })
    .nullable(),
})
export type StoreStation = z.infer<typeof StoreStation>

/** The stations of the store, as the hub named them last. */
export const StorePresence = z.object({
  stations: z.array(StoreStation),
  /** When they were read; null if never. */
  readAt: z.iso.datetime().nullable(),
})
export type StorePresence = z.infer<typeof StorePresence>

/**
 * A setting of the store that was changed at another station while it was changed here: that one counts. `at`: ISO 8601.
 */
export const SettingOvertaken = z.object({
  name: z.enum(['checkout.settings', 'outbox.limits', 'security.gates', 'people.rules']),
  at: z.iso.datetime(),
})
export type SettingOvertaken = z.infer<typeof SettingOvertaken>

/** The store that this station shares with others. Without a hub, nothing is ever asked of one. */
export const hubCalls = {
  'hub.view': call(nothing, HubView),
  /** Tries to reach the hub at once. */
  'hub.retry': call(nothing, HubView),
  /** What no person has seen yet, oldest first. */
  'hub.notices': call(nothing, z.array(StoreNotice)),
  /** Items sold twice, newest first, also those that a person has seen; at most 200. */
  'hub.soldTwice': call(nothing, z.array(SoldTwice)),
  'hub.presence': call(nothing, StorePresence),
  /**
   * Removes a station that left for good: its open orders give their items back, its sales keep them. Errors:
   * hub/unreachable, hub/station-there.
   */
  'hub.removeStation': call(z.object({ id: z.uuid() }), StorePresence),
  /**
   * Goes on without these stations (names, as they were shown), if they are awaited: what they hold may be sold elsewhere. One
   * that is awaited since stays awaited. Errors: hub/unreachable.
   */
  'hub.goOn': call(z.object({ stations: z.array(z.string().min(1).max(200)).min(1).max(1_000) }), HubView),
  'hub.seen': call(z.object({ ids: z.array(z.string().max(200)).max(500) }), done),
} as const

export const hubEvents = {
  'hub.changed': HubView,
  'hub.notices': z.array(StoreNotice),
  'hub.soldTwice': z.array(SoldTwice),
  'hub.presence': StorePresence,
  'hub.overtaken': SettingOvertaken,
} as const
