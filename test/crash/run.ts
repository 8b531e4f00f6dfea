import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isShopStep, killsOf, shopKillOf } from './kills'
import { type Line, readLedger } from './ledger'
import { live } from './live'
import { isFirstDay } from './script'
import type { Complaint } from './judge/evidence'
import { judge } from './judge/judge'
import { startRunService } from './service'
import type { LifeOrder } from './station'

interface RunParts {
  seed: number
  run: number
  /** The station's bundle. */
  bundle: string
  /** The service's initial database. */
  template: string
  /** The data folder of a station that has seen the shop. */
  seasoned: string
  /** Parent folder of the runs' folders. */
  folder: string
  resourcesDir: string
}

export interface RunResult {
  run: number
  /** The complaints; empty when all is well. */
  complaints: Complaint[]
  lines: Line[]
  /** Kills from outside; kills inside the station are in the ledger. */
  outsideKills: number
  /** Requests hit by a fault of the service. */
  faults: number
  folder: string
}

/** Every fourth service doesn't echo `performed_at`: the specification doesn't promise it. */
const isOwnMoments = (run: number) => run % 4 === 3

/** One run: a day of a station that is killed again and again, then judged. */
export async function runDay({
  seed,
  run,
  bundle,
  template,
  seasoned,
  folder,
  resourcesDir,
}: RunParts): Promise<RunResult> {
  const own = join(folder, `run-${run}`)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  const ledgerFile = join(own, 'ledger.jsonl')
  const dataDir = join(own, 'station')
  if (!isFirstDay(run)) cpSync(seasoned, dataDir, { recursive: true })
  const hasOwnMoments = isOwnMoments(run)
  const service = await startRunService(template, own, hasOwnMoments)
  const complaints: Complaint[] = []
  const kills = killsOf(seed, run)
  let shopKill = shopKillOf(seed, run)
  let outsideKills = 0
  for (let life = 0, next = 0; ; life++) {
    const kill = kills[next]
    const order: LifeOrder = {
      dataDir,
      resourcesDir,
      ledgerFile,
      seed,
      run,
      life,
      kills: [...(kill && 'at' in kill ? [kill] : []), ...(shopKill ? [shopKill] : [])],
      service: { baseUrl: service.baseUrl, authUrl: service.authUrl, adminUrl: service.adminUrl, hasOwnMoments },
    }
    const end = await live(bundle, order, kill)
    if (end.wasKilledFromOutside) outsideKills++
    if (end.signal === 'SIGKILL' && !end.isTooLong) {
      const last = readLedger(ledgerFile).at(-1)
      if (!end.wasKilledFromOutside && last?.line === 'killed' && isShopStep(last.at)) shopKill = undefined
      else next++
      continue
    }
    if (end.isTooLong) complaints.push({ kind: 'lost', text: `life ${life} did not end` })
    else if (end.code !== 0)
      complaints.push({ kind: 'untrue', text: `life ${life} ended with ${end.code}: ${end.said}` })
    break
  }
  const faults = service.admin.requests().filter((one) => one.fault !== null).length
  const imports = service.admin.imports()
  const transactions = service.admin.transactions()
  const book = await service.close()
  const lines = readLedger(ledgerFile)
  if (complaints.length === 0) complaints.push(...judge({ lines, book, imports, transactions }))
  return { run, complaints, lines, outsideKills, faults, folder: own }
}

/** Prepares a station that has seen the shop; returns its data folder. Throws on failure. */
export async function makeSeasoned({
  bundle,
  template,
  folder,
  resourcesDir,
}: Omit<RunParts, 'seed' | 'run' | 'seasoned'>) {
  const service = await startRunService(template, folder)
  const { baseUrl, authUrl, adminUrl } = service
  const dataDir = join(folder, 'seasoned')
  const ledgerFile = join(folder, 'first-look.jsonl')
  const places = { baseUrl, authUrl, adminUrl, hasOwnMoments: false }
  const end = await live(
    bundle,
    { dataDir, resourcesDir, ledgerFile, seed: 0, run: null, life: 0, kills: [], service: places },
    undefined,
  )
  await service.close()
  if (end.code !== 0) throw new Error(`the first station ended with ${end.code ?? 'a signal'}: ${end.said}`)
  return dataDir
}
