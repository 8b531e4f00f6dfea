import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Faults, FaultsInput } from '../../src-practice/admin'
import { type DataFile, parseDataFile, parseUsers } from '../../src-practice/data-file'
import { codesOf } from '../../src-practice/practice-codes'
import { type PracticeService, startPracticeService } from '../../src-practice/start'
import type { PracticeCode, PracticeFault } from '../../src-shared/ipc/contract/app'
import type { Result } from '../../src-shared/result'
import type { ClientCredentials } from '../credentials/store'
import { AppStartError } from '../database/open'
import type { Settings } from '../database/settings'
import type { StartTraining } from './handlers'

/** The service's faults for each position of the training switch. */
const faults: Record<PracticeFault, FaultsInput> = {
  none: {},
  offline: { offline: true },
  slow: { rules: [{ kind: 'latency', ms: 3_000 }] },
  failing: { rules: [{ kind: 'status', code: 500 }] },
}

/** Starts the embedded practice service with the practice store. Throws AppStartError. */
export const startTraining: StartTraining = async ({ folder, resourcesDir, settings }) => {
  const text = readFileSync(join(resourcesDir, 'practice', 'store.json'), 'utf8')
  const users = valueOf(parseUsers(text))
  const account = users.accounts.find((one) => one.product === 'retail' && one.dispensary_uuid !== null)
  const dispensary = users.dispensaries.find((one) => one.uuid === account?.dispensary_uuid)
  if (!account || !dispensary) throw broken('it has no retail account with a dispensary')
  // The contents of cases are changed with the sourcing account. Spec: What the service does.
  const sourcing = users.accounts.find((one) => one.product === 'sourcing' && one.company_uuid === account.company_uuid)

  let codes: PracticeCode[] | undefined
  const data = () => dataIn(text)
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
    codes: () => (codes ??= codesOf(data(), dispensary.uuid)),
    authUrl: service.authUrl,
    adminUrl: service.adminUrl,
    fault: () => faultShownBy(service.admin.faults()),
    async setFault(fault) {
      await service.admin.setFaults(faults[fault])
    },
    close: () => service.close(),
  }
}

/** The practice store that was read last: it is the same at every start of a process. */
let known: { text: string; data: DataFile } | undefined

function dataIn(text: string): DataFile {
  if (known?.text !== text) known = { text, data: valueOf(parseDataFile(text)) }
  return known.data
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

function valueOf<T>(read: Result<T, string>): T {
  if (!read.ok) throw broken(read.error)
  return read.value
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
