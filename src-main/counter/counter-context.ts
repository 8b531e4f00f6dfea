import type { TagId } from '../../src-shared/ids'
import type { DayVerification } from '../../src-shared/ipc/contract/checkout'
import type { ServiceClock } from '../core/clock'
import type { RoomContext } from '../core/context'
import type { Settings } from '../database/settings'
import type { OwnClaims } from '../hub/own-claims'
import type { Hub } from '../hub/port'
import type { Lookup, Recall } from '../memory/lookup'
import type { OutageLedger } from '../outbox/outage-ledger'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import type { Seal } from '../privacy/seal'
import type { Gates } from '../security/gates'
import type { Connection } from '../service/connection'

/** The claims of a store of several stations, as the counter uses them. */
export type CounterClaims = Pick<
  OwnClaims,
  'take' | 'takeOver' | 'keep' | 'keepUnchecked' | 'markOf' | 'protect' | 'doubt' | 'push' | 'policy'
>

/** What the counter shares with the other stations of the store. */
export interface CounterSharing {
  hub: Pick<Hub, 'held' | 'day' | 'epoch' | 'stations' | 'stationId' | 'view' | 'onNews' | 'onSituation'>
  claims: CounterClaims
  /** Seals customers so that every station of the store can open them; null while the keychain doesn't give the key. */
  storeSeal: () => Promise<Pick<Seal, 'seal' | 'open'> | null>
}

/** What the counter is made from. */
export interface CounterContext extends RoomContext {
  settings: Pick<Settings, 'read' | 'write'>
  lookup: Lookup & Recall
  outbox: Outbox
  reporting: Pick<Reporting, 'view' | 'send' | 'isUnderWay'>
  ledger: Pick<OutageLedger, 'during'>
  connection: Pick<Connection, 'view' | 'isOutOfReach'>
  serviceClock: Pick<ServiceClock, 'offset'>
  gates: Pick<Gates, 'objection'>
  /** The name of the person with a short name; undefined if there is none. */
  personNamed?: ((shortName: string) => string | undefined) | undefined
  /** Encrypts customers before they are stored. */
  seal: Seal
  storeName: string
  /** The name of this computer: the closing report covers its reports only. */
  station: string
  /** The id of our dispensary in the service, if it is known: tells our inventory from a sister store's. */
  ownDispensaryId: string | null
  /** Whether an earlier look in Find showed the item as counterfeit: scans don't ask. */
  isCounterfeit: (tagId: TagId) => boolean
  /** Longest time a scan waits for the service, in ms. Default: `lookupPatience`. */
  patience?: number | undefined
  verification: (day: string) => DayVerification | null
  /** Undefined for a station alone. */
  sharing?: CounterSharing | undefined
}
