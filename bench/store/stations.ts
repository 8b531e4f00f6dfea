import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import type { TagId } from '../../src-shared/ids'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import { tag } from '../../test/fakes/ids'
import { joinHub } from '../../test/hub/station'

/** `memory` in bytes and `cpu` as a share of one processor, of the whole PostgreSQL; null if this system doesn't say. */
interface Figures {
  took: number[]
  lost: number
  memory: number | null
  cpu: number | null
}

const betweenScans = 500
const perSale = 4

/** Stations that scan twice a second, each at its own moment, and sell what they scanned. */
export async function benchStations(address: HubAddress, count: number, seconds: number): Promise<Figures> {
  const hubs = await Promise.all(Array.from({ length: count }, (_, n) => joinHub(address, `Station ${n}`)))
  const took: number[] = []
  let granted = 0
  const client = new pg.Client({ ...address, ssl: false })
  await client.connect()
  const pid = z.object({ pid: z.number() }).parse((await client.query('SELECT pg_backend_pid() AS pid')).rows[0]).pid
  const before = processorTime(pid)
  const beganAt = performance.now()

  await Promise.all(
    hubs.map(async (hub, station) => {
      const scans = Math.floor((seconds * 1_000) / betweenScans)
      let cart: TagId[] = []
      for (let scan = 0; scan < scans; scan++) {
        const at = beganAt + ((station / count) * betweenScans + scan * betweenScans)
        await pause(Math.max(0, at - performance.now()))
        const tagId = tag(station * 1_000_000 + scan)
        const from = performance.now()
        const { kind } = await hub.claims.take({ tagId, kind: 'cart', orderId: null, at: 0 })
        took.push(performance.now() - from)
        if (kind === 'granted') granted++
        cart.push(tagId)
        if (cart.length < perSale) continue
        const orderId = `${station}-${scan}`
        await hub.claims.announce(cart.map((one) => ({ tagId: one, kind: 'sale', orderId, at: Date.now() })))
        cart = []
      }
    }),
  )

  const passed = (performance.now() - beganAt) / 1_000
  const after = processorTime(pid)
  const memory = memoryOf(pid)
  const Count = z.object({ held: z.coerce.number() })
  const { held } = Count.parse((await client.query('SELECT count(*) AS held FROM countertag.claim')).rows[0])
  await client.end()
  await Promise.all(hubs.map((hub) => hub.close()))
  const lost = took.length - Math.min(granted, held)
  return { took, lost, memory, cpu: before === null || after === null ? null : (after - before) / passed }
}

const readProc = (path: string): string | undefined => {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return undefined
  }
}
/** The fields of a process after its name, which may hold spaces: state, parent, and so on. See proc(5). */
const statOf = (pid: number | string) => readProc(`${pid}/stat`)?.split(') ').at(-1)?.split(' ')

/** The PostgreSQL that a backend belongs to, with all its processes. */
function processesOf(backend: number): (number | string)[] {
  const parent = statOf(backend)?.[1]
  if (parent === undefined) return []
  return [parent, ...readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && statOf(pid)?.[1] === parent)]
}

/** In seconds: what it used itself, and what its processes did that ended. Linux counts hundredths. */
function processorTime(backend: number): number | null {
  const all = processesOf(backend)
  if (all.length === 0) return null
  const ticks = all.map((pid, index) => {
    const times = statOf(pid)?.slice(11, index === 0 ? 15 : 13) ?? []
    return times.reduce((sum, one) => sum + Number(one), 0)
  })
  return ticks.reduce((sum, one) => sum + one, 0) / 100
}

/** Memory that processes share counts once. */
function memoryOf(backend: number): number | null {
  const all = processesOf(backend).map((pid) => /^Pss:\s+(\d+) kB/m.exec(readProc(`${pid}/smaps_rollup`) ?? '')?.[1])
  return all.length === 0 ? null : all.reduce((sum, kb) => sum + Number(kb ?? 0) * 1024, 0)
}
