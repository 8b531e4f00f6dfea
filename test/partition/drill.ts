import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type PracticeService, startPracticeService } from '../../src-practice/start'
import { type Cut, type Partition, startPartition } from '../fakes/partition'
import { type Shop, account, dispensary, shopOf } from './shop'
import { type Till, startTill } from './till'

/** An outage from beginning to end: a full queue, a connection that breaks during sending, and its recovery. */
export interface Drill {
  cut: Exclude<Cut, 'none'>
  /** Number of waiting operations when the connection recovers. */
  operations: number
  /** Latency of every answer, in ms. */
  latency: number
  /** Duration of the outage, in ms. */
  outage: number
  /** The station restarts during the outage: it has no token and doesn't know of the outage. */
  isRestarted?: boolean
}

interface DrillResult {
  /** From the recovery of the connection, in seconds; null if the queue wasn't empty in time. */
  drainedIn: number | null
  /** Reports that were lost, doubled, refused or out of order. */
  complaints: string[]
}

/** A queue that isn't empty by then never will be, in ms. */
const longestDrain = 45_000

export async function runDrill(drill: Drill): Promise<DrillResult> {
  // Some reports are sent before the connection breaks, so that it breaks during work.
  const sentBefore = Math.ceil(drill.operations / 10)
  const shop = shopOf(drill.operations + sentBefore)
  const folder = mkdtempSync(join(tmpdir(), 'countertag-partition-'))
  const service = await startPracticeService({ data: shop.data, db: ':memory:', port: 0, picturesDir: undefined })
  const wire = await startPartition(service.baseUrl, { latency: drill.latency })
  const practice = { baseUrl: wire.origin, authUrl: `${wire.origin}/auth`, adminUrl: service.adminUrl }
  const open = () => startTill({ dataDir: folder, practice: { ...practice, account, dispensary } })
  let till = await open()
  try {
    const promised = await fillQueue(till, wire, shop)
    await wire.cut('none')
    await until(async () => (await till.unsent()) <= drill.operations, longestDrain)
    await wire.cut(drill.cut)
    if (drill.isRestarted) {
      await till.close()
      till = await open()
    }
    await pause(drill.outage)
    await wire.cut('none')
    const healedAt = performance.now()
    const isDrained = await until(async () => (await till.unsent()) === 0, longestDrain)
    const drainedIn = isDrained ? (performance.now() - healedAt) / 1_000 : null
    return { drainedIn, complaints: [...complaintsOf(promised, service), ...(await till.complaints())] }
  } finally {
    await till.close()
    await wire.close()
    await service.close()
    rmSync(folder, { recursive: true })
  }
}

/** One sale per item, and for every tenth order a return: the promises to the customers, as `kind order`. */
async function fillQueue(till: Till, wire: Partition, { tagIds, caseIds }: Shop): Promise<string[]> {
  for (const caseId of caseIds) await till.seeCase(caseId)
  await wire.cut('refused')
  const promised: string[] = []
  for (const [n, tagId] of tagIds.entries()) {
    const orderId = `P-${n}`
    await till.sell(orderId, tagId)
    promised.push(`complete ${orderId}`)
    if (n % 10 !== 9) continue
    await till.takeBack(tagId)
    promised.push(`return ${orderId}`)
  }
  return promised
}

/** Compares the promises with what the service holds: nothing may be lost, doubled, or out of order. */
function complaintsOf(promised: string[], service: PracticeService): string[] {
  const held = service.admin.transactions().map(({ kind, order_id }) => `${kind} ${order_id}`)
  const places = new Map(held.map((one, place) => [one, place]))
  const times = Map.groupBy(held, (one) => one)
  return [
    ...promised.filter((one) => !places.has(one)).map((one) => `lost: ${one}`),
    ...[...times].filter(([, all]) => all.length > 1).map(([one]) => `doubled: ${one}`),
    ...held.filter((one) => !promised.includes(one)).map((one) => `never promised: ${one}`),
    ...held
      .filter((one, place) => (places.get(one.replace('return', 'complete')) ?? 0) > place)
      .map((one) => `out of order: ${one}`),
  ]
}

async function until(isSo: () => Promise<boolean>, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!(await isSo())) {
    if (performance.now() > end) return false
    await pause(20)
  }
  return true
}
