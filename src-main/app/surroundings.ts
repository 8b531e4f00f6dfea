import type { ProfileId } from '../../src-shared/ipc/contract/station'
import type { Clock } from '../core/clock'
import type { Credentials } from '../credentials/store'
import type { HubSurroundings } from '../hub/port'
import type { Events } from '../ipc/handlers'
import type { StartTraining } from '../practice/handlers'
import type { PolicyPeople } from '../policy/policy'
import type { Seal } from '../privacy/seal'
import type { Profile } from '../credentials/profile'
import type { ScannerLayer } from '../scanner/layer'
import type { GateRules, StationGates } from '../security/gates'
import type { ResolveProxy } from '../service/system-proxy'
import type { AtStep } from '../core/steps'

/** What a host provides to the app. */
export interface Surroundings {
  /** Folder for this station's data; created if missing. */
  dataDir: string
  /** Folder with practice data and icons. */
  resourcesDir: string
  version: string
  /** The computer's clock. A given one is never set either, unless `steady` is given too. */
  clock?: Clock
  /** A clock that is never set, in ms. */
  steady?: () => number
  /** The profile of a real service; the practice store if omitted. */
  realProfile?: { id: ProfileId; profile: Profile } | undefined
  /** The station's settings say that this profile was in use, so its folder must be there. */
  wasInUse?: boolean
  /** The stored client id and secret; the practice store's own if omitted. */
  credentials?: Credentials
  /** Asks the operating system, or its proxy script, for a proxy. If omitted, only the environment can name one. */
  resolveProxy?: ResolveProxy
  /** Encrypts customers; if omitted, they are stored unencrypted. */
  seal?: Seal
  /** The hub that this station shares with others; if omitted, it works alone. */
  hub?: HubSurroundings | undefined
  /** Where to announce events; a new list if omitted. */
  events?: Events
  /** Access to HID scanners; this computer's scanners if omitted. */
  scanners?: ScannerLayer
  /** Longest time a scan waits for the service, in ms. Tests wait longer, for a busy machine. */
  lookupPatience?: number | undefined
  /** Starts the practice service; the embedded one if omitted. Tests use one that outlives the station. */
  startPractice?: StartTraining
  /** What a manager set the gates to, for a store whose stations share it and for the presets; neither if omitted. */
  gateLevels?: StationGates | undefined
  /** What gates want; if omitted, the usual levels without a PIN. */
  gateRules?: GateRules
  /** What IT's policy says of people; nothing if omitted. */
  policyPeople?: PolicyPeople | undefined
  /** Called when people changed, or signed in or out: what is guarded may be open or locked now. */
  onPeople?: () => void
  /** Called with the text of a scanned join code, which holds secrets: no page and no log gets it. */
  onJoinCode?: (text: string) => void
  /** Called at every step, where the crash suite interrupts. */
  atStep?: AtStep
}
