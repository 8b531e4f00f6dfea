import type { PracticeCode, PracticeFault } from '../../src-shared/ipc/app-view'
import type { Accounts } from '../credentials/credentials'
import type { Profile } from '../profile'
import type { Settings } from '../store/settings'

/** The embedded practice service, as the app uses it: a service to talk to, and a switch to train outages with. */
export interface Training {
  profile: Profile
  /** Of each product that the profile has an account for. */
  accounts: Accounts
  codes: PracticeCode[]
  /** Where the practice service gives out tokens, of both products. */
  authUrl: string
  /** Where the knobs of the practice service are, for tests and the curious. */
  adminUrl: string
  fault(): PracticeFault
  setFault(fault: PracticeFault): Promise<void>
  close(): Promise<void>
}

export interface StartTrainingParts {
  /** Where the practice service keeps its database. */
  folder: string
  resourcesDir: string
  settings: Settings
}

/** Gives the app its practice service. Throws AppStartError. */
export type StartTraining = (parts: StartTrainingParts) => Promise<Training>
