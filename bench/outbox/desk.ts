import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { CaseId, OrderId, TagId, toShortUuid } from '../../src-shared/ids'
import { createServiceClock, systemClock } from '../../src-main/core/clock'
import { silentLog } from '../../src-main/core/log'
import { openStore } from '../../src-main/database/open'
import { Outbox } from '../../src-main/outbox/outbox'
import type { Payload } from '../../src-main/outbox/payload'
import { eventsOf } from '../../test/fakes/events'

/** Folders of this run, deleted at its end. */
const root = mkdtempSync(join(tmpdir(), 'bench-outbox-'))
let files = 0
export const newFile = () => join(root, `${++files}.db`)
export const removeFiles = () => {
  rmSync(root, { recursive: true })
}

/** A station's database, opened and closed as the app does. */
export const openDatabase = (file = newFile()) => openStore(file)

/**
 * Fills a database without waiting for the disk, then writes all of it there: else the first commits that are measured would
 * do it.
 */
export async function fill<T>(db: Database, write: () => T): Promise<Awaited<T>> {
  db.pragma('synchronous = OFF')
  const filled = await write()
  db.pragma('synchronous = FULL')
  db.pragma('wal_checkpoint(TRUNCATE)')
  const file = openSync(db.name, 'r+')
  fsyncSync(file)
  closeSync(file)
  return filled
}

const short = (n: number) => toShortUuid(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`) ?? ''

/** Sale `n`: an order of three items, all from one case of 24. */
export const sale = (n: number, order = n): Payload & { kind: 'complete' } => ({
  kind: 'complete',
  orderId: OrderId.parse(`order-${order}`),
  tagIds: [0, 1, 2].map((k) => tag(3 * n + k)),
})
const tag = (n: number) => TagId.parse(short(1_000_000 + n))
export const caseOf = (n: number) => CaseId.parse(short(Math.floor(n / 8)))

/** The product's own outbox on a database. The case of an item is known, as after a receipt. */
export function openOutbox(db: Database): { outbox: Outbox; sell: (n: number, order?: number) => void } {
  let selling = 0
  const outbox = new Outbox({
    db,
    events: eventsOf(),
    clock: systemClock,
    serviceClock: createServiceClock(),
    caseOf: () => caseOf(selling),
    log: silentLog,
  })
  return {
    outbox,
    sell(n, order) {
      selling = n
      const saved = outbox.enqueue(sale(n, order))
      if (!saved.ok) throw new Error(saved.error.code)
    },
  }
}
