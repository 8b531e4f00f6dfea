import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Faults, FaultsInput } from '../../src-practice/admin'
import { type DataFile, parseDataFile } from '../../src-practice/data-file'
import { codesOf } from '../../src-practice/practice-codes'
import { type PracticeService, startPracticeService } from '../../src-practice/start'
import { GuideProgress, notBegun, type PracticeCode, type PracticeFault } from '../../src-shared/ipc/contract/app'
import { err, ok } from '../../src-shared/result'
import type { Accounts, ClientCredentials } from '../credentials/store'
import type { HandlersOf } from '../ipc/handlers'
import type { Profile } from '../profile'
import { AppStartError } from '../store/open'
import { saved } from '../store/saved'
import type { Settings } from '../store/settings'

/** The embedded practice service: a service to connect to, and a switch for practicing outages. */
interface Training {
  profile: Profile
  /** The profile's accounts by product. */
  accounts: Accounts
  codes: PracticeCode[]
  /** The practice service's token URL for both products. */
  authUrl: string
  /** The URL of the practice service's admin API, for tests and experiments. */
  adminUrl: string
  fault(): PracticeFault
  setFault(fault: PracticeFault): Promise<void>
  close(): Promise<void>
}

interface StartTrainingParts {
  /** The folder of the practice service's database. */
  folder: string
  resourcesDir: string
  settings: Settings
}

/** Starts the practice service for the app. Throws AppStartError. */
export type StartTraining = (parts: StartTrainingParts) => Promise<Training>

/** The service's faults for each position of the training switch. */
const faults: Record<PracticeFault, FaultsInput> = {
  none: {},
  offline: { offline: true },
  slow: { rules: [{ kind: 'latency', ms: 3_000 }] },
  failing: { rules: [{ kind: 'status', code: 500 }] },
}

/** Starts the embedded practice service with the practice store. Throws AppStartError. */
export async function startTraining({ folder, resourcesDir, settings }: StartTrainingParts): Promise<Training> {
  const data = readStore(join(resourcesDir, 'practice', 'store.json'))
  const account = data.accounts.find((one) => one.product === 'retail' && one.dispensary_uuid !== null)
  const dispensary = data.dispensaries.find((one) => one.uuid === account?.dispensary_uuid)
  if (!account || !dispensary) throw broken('it has no retail account with a dispensary')
  // The contents of cases are changed with the sourcing account. Spec: What the service does.
  const sourcing = data.accounts.find((one) => one.product === 'sourcing' && one.company_uuid === account.company_uuid)

  const service = await startOnUsualPort(settings, (port) =>
    startPracticeService({
      data,
      db: join(folder, 'practice-service.db'),
      port,
      picturesDir: join(resourcesDir, 'practice', 'pictures'),
    }),
  )
  return {
    profile: {
      kind: 'practice',
      name: dispensary.name,
      baseUrl: service.baseUrl,
      authUrls: { retail: service.authUrl, ...(sourcing ? { sourcing: service.authUrl } : {}) },
      dispensaryId: dispensary.uuid,
      sendsSku: true,
      caFile: null,
    },
    accounts: { retail: credentialsOf(account), ...(sourcing ? { sourcing: credentialsOf(sourcing) } : {}) },
    codes: codesOf(data, dispensary.uuid),
    authUrl: service.authUrl,
    adminUrl: service.adminUrl,
    fault: () => faultShownBy(service.admin.faults()),
    async setFault(fault) {
      await service.admin.setFaults(faults[fault])
    },
    close: () => service.close(),
  }
}

const credentialsOf = (account: DataFile['accounts'][number]): ClientCredentials => ({
  clientId: account.client_id,
  clientSecret: account.client_secret,
})

/** The switch position that matches the service's faults, no matter how they were set. */
function faultShownBy({ offline, rules }: Faults): PracticeFault {
  if (offline) return 'offline'
  if (rules.some((rule) => rule.kind === 'latency')) return 'slow'
  return rules.length > 0 ? 'failing' : 'none'
}

function readStore(file: string): DataFile {
  const data = parseDataFile(readFileSync(file, 'utf8'))
  if (!data.ok) throw broken(data.error)
  return data.value
}

const broken = (why: string) => new AppStartError('practice/unusable', `The practice store can't be used: ${why}.`)

/** Uses the same port as last time if it is free, because the URLs of remembered images contain the port. */
async function startOnUsualPort(settings: Settings, start: (port: number) => Promise<PracticeService>) {
  const usual = settings.read('practice.port', z.number().int()) ?? 0
  const service = await start(usual).catch((cause: unknown) => {
    if (usual === 0) throw cause
    return start(0)
  })
  settings.keep('practice.port', Number(new URL(service.baseUrl).port))
  return service
}

/** Handlers for calls of the practice profile; with another profile they are refused. */
export function createPracticeHandlers(
  training: Training | undefined,
  settings: Pick<Settings, 'read' | 'write'>,
): HandlersOf<'practice'> {
  const notActive = err({ code: 'practice/not-active' as const })
  return {
    'practice.codes': () => (training ? ok(training.codes) : notActive),
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
