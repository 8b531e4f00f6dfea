import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { PracticeFault } from '../../src-shared/ipc/app-view'
import { codesOf } from '../../src-practice/practice-codes'
import { type DataFile, parseDataFile } from '../../src-practice/data-file'
import type { Faults, FaultsInput } from '../../src-practice/admin'
import { type PracticeService, startPracticeService } from '../../src-practice/start'
import type { ClientCredentials } from '../credentials/credentials'
import { AppStartError } from '../store/open'
import type { Settings } from '../store/settings'
import type { StartTrainingParts, Training } from './training'

/** What each position of the training switch makes of the service. */
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
  // What a case holds is changed by the account of the other product. Spec: What the service does.
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

/** The position of the switch that the knobs amount to, whoever turned them. */
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

/** The same port as last time if it is free, for the addresses of remembered pictures name it. */
async function startOnUsualPort(settings: Settings, start: (port: number) => Promise<PracticeService>) {
  const usual = settings.read('practice.port', z.number().int()) ?? 0
  const service = await start(usual).catch((cause: unknown) => {
    if (usual === 0) throw cause
    return start(0)
  })
  settings.keep('practice.port', Number(new URL(service.baseUrl).port))
  return service
}
