import type { OwnClaims } from '../hub/own-claims'
import type { Hub } from '../hub/port'
import type { Seal } from '../privacy/seal'

/** The claims of a store of several stations, as the counter uses them. */
export type CounterClaims = Pick<
  OwnClaims,
  'take' | 'takeOver' | 'keep' | 'keepUnchecked' | 'markOf' | 'protect' | 'doubt' | 'push' | 'policy'
>

/** What sharing the orders on hold needs besides the counter. */
export interface SharingParts {
  hub: Pick<Hub, 'held' | 'day' | 'stations' | 'stationId' | 'view' | 'onNews' | 'onSituation'>
  claims: CounterClaims
  /** Seals customers so that every station of the store can open them; null while the keychain doesn't give the key. */
  storeSeal: () => Promise<Pick<Seal, 'seal' | 'open'> | null>
}
