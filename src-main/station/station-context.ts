import type { ProfileId } from '../../src-shared/ipc/contract/station'
import type { Surroundings } from '../app/compose'
import type { Clock } from '../core/clock'
import type { Keychain } from '../credentials/keychain'
import type { CredentialStore } from '../credentials/store'
import type { Events } from '../ipc/handlers'
import type { Policy } from '../policy/policy'
import type { StationSeal } from '../privacy/station-seal'
import type { CoreInUse } from './core-in-use'
import type { HubSecrets } from './hub-secrets'
import type { Profiles } from './profiles'
import type { SecretOutlet } from './secret-outlet'
import type { StationFiles } from './station-files'
import type { TillHost } from './till'

/** What a kept store needs of the computer. Tests give their own. */
export interface Computer {
  /** Where to look for PostgreSQL; the usual places if omitted. */
  programPlaces?: () => string[]
  addresses?: () => { address: string; network: string }[]
}

/** What a host provides to a station: the core's surroundings and the computer's keychain. */
export interface StationSurroundings extends Omit<
  Surroundings,
  'realProfile' | 'wasInUse' | 'credentials' | 'events' | 'hub' | 'policyPeople' | 'onPeople' | 'onJoinCode'
> {
  keychain: Keychain
  /** IT's policy for this computer. */
  policy?: Policy | undefined
  /** The profile to open this time instead of the last one used. Not saved. */
  startWith?: ProfileId | undefined
  /** Features of the host's computer; none if omitted. */
  till?: TillHost
  /** Hands a join code's text to a person; if omitted, a code is a picture only. */
  secretOutlet?: SecretOutlet
  /** File with the third-party licenses, written by the build. */
  licencesFile?: string
  /** Called if neither the new profile nor the previous one can be opened, so that the station can't continue. */
  onDeath?: (cause: unknown) => void
  /** How long the start waits for the keychain, in ms: its prompt may stay unanswered. */
  keychainPatience?: number
  /** What a store hub on this computer needs; this computer's if omitted. */
  computer?: Computer
}

/** What the parts of a station work with. */
export interface StationContext {
  surroundings: StationSurroundings
  files: StationFiles
  profiles: Profiles
  core: CoreInUse
  credentials: CredentialStore
  hubSecrets: HubSecrets
  /** Seals customers. */
  seal: StationSeal
  events: Events
  clock: Clock
}
