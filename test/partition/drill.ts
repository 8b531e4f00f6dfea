import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type PracticeService, startPracticeService } from '../../src-practice/start'
import { type Cut, type Partition, startPartition } from '../fakes/partition'
import { type Shop, account, dispensary, shopOf } from './shop'
import { type Till, startTill } from './till'

/** An outage from beginning to end: a full queue, a line that breaks while it is sent, and a line that comes back. */
export interface Drill {
  cut: Exclude<Cut, 'none'>
  /** How many operations wait when the line comes back. */
  operations: number
  /** Of every answer, in ms. */
  latency: number
  /** How long the line is cut, in ms. */
  outage: number
  /** The station is started anew while the line is cut: it has no token, and knows of no outage. */
  isRestarted?: boolean
}

export interface DrillResult {
  /** From the moment that the line is well again, in seconds; null when the queue was not empty in time. */
  drainedIn: number | null
  /** What was lost, doubled, refused or out of order. */
  complaints: string[]
}

/** A queue that is not empty by then never will be, in ms. */
const longestDrain = 45_000

export async function runDrill(drill: Drill): Promise<DrillResult> {
  // Some are sent before the line breaks: it breaks over a station at work.
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

/** One sale an item, and of every tenth order a return: what the customers were promised, as `kind order`. */
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

/** Of what was promised and what the service holds: nothing may be lost, doubled, or the wrong way round. */
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
