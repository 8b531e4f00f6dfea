import { GuideProgress, notBegun, type PracticeCode, type PracticeFault } from '../../src-shared/ipc/contract/app'
import { err, ok } from '../../src-shared/result'
import type { Accounts } from '../credentials/store'
import type { HandlersOf } from '../ipc/handlers'
import type { Profile } from '../credentials/profile'
import { saved } from '../database/saved'
import type { Settings } from '../database/settings'

/** The embedded practice service: a service to connect to, and a switch for practicing outages. */
export interface Training {
  profile: Profile
  /** The profile's accounts by product. */
  accounts: Accounts
  /** What a station can practice with. */
  codes(): PracticeCode[]
  /** The practice service's token URL for both products. */
  authUrl: string
  /** The URL of the practice service's admin API, for tests and experiments. */
  adminUrl: string
  fault(): PracticeFault
  setFault(fault: PracticeFault): Promise<void>
  close(): Promise<void>
}

/** Starts the practice service for the app, with its database in `folder`. Throws AppStartError. */
export type StartTraining = (parts: { folder: string; resourcesDir: string; settings: Settings }) => Promise<Training>

/** Handlers for calls of the practice profile; with another profile they are refused. */
export function createPracticeHandlers(
  training: Training | undefined,
  settings: Pick<Settings, 'read' | 'write'>,
): HandlersOf<'practice'> {
  const notActive = err({ code: 'practice/not-active' as const })
  return {
    'practice.codes': () => (training ? ok(training.codes()) : notActive),
    'practice.fault': () => (training ? ok({ fault: training.fault() }) : notActive),
    'practice.setFault': async ({ fault }) => {
      if (!training) return notActive
      await training.setFault(fault)
      return ok(null)
    },
    'practice.guide': () => (training ? ok(settings.read('practice.guide', GuideProgress) ?? notBegun) : notActive),
    'practice.setGuide': (progress) =>
      training
        ? saved(() => {
            settings.write('practice.guide', progress)
            return ok(null)
          })
        : notActive,
  }
}
