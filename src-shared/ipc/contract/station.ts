import { z } from 'zod'
import { ServiceProduct } from '../../service/token'
import { ConnectionSettings, ConnectionStep, CredentialsForm, ProfileForm, ProfileId } from '../connection-view'
import { Welcome } from '../guide-view'
import { call, nothing, done } from './call'

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
