import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, TagId } from '../../src-shared/ids'
import type { CaseFacts, TagFacts } from '../../src-shared/service/facts'
import { openStore } from '../../src-main/database/open'
import { caseKey, orderKey, tagKey } from '../../src-main/outbox/payload'
import { only } from '../sample'

/** A station's database after years of sales, written directly, as the app would leave it. */

const day = 86_400_000
const perCase = 24
/** Of eight operations, one imports a case, and seven sell three of its items each. */
const perImport = 8
const perSale = 3
/** Customers are still named in the sales of the last days, some a little too long; steps, of the last so many days. */
const daysNamed = 9
const daysOfSteps = 405
const products = 60

/** How much happened. The last day is today. */
export interface Size {
  days: number
  perDay: number
}

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** A random ShortUUID: the same for the same number. */
function shortUuid(n: number): string {
  let state = Math.imul(n + 1, 0x9e3779b1)
  let text = ''
  for (let place = 0; place < 22; place++) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ (mixed >>> 14)) >>> 0
    // The first character keeps it under 2^128.
    text += alphabet.charAt(mixed % (place === 0 ? 40 : alphabet.length))
  }
  return text
}
const caseOf = (n: number) => CaseId.parse(shortUuid(n * (perCase + 1)))
const tagOf = (n: number, k: number) => TagId.parse(shortUuid(n * (perCase + 1) + 1 + k))
const nameOf = (n: number) => `Blue Dream ${n % products} 3.5 g`
const brand = 'Hudson'

/** An item of the `n`-th case that is remembered and was never sold; `k`: 0 to 2. */
export const unsoldItem = (n: number, k: number) => tagOf(n, perCase - 1 - k)
export const soldItem = (n: number) => tagOf(n, 0)
export const casesIn = ({ days, perDay }: Size) => Math.floor((days * perDay) / perImport)

const factsOf = (n: number, k: number): TagFacts => ({
  tagId: tagOf(n, k),
  caseId: caseOf(n),
  productId: null,
  productName: nameOf(n),
  brandName: brand,
  pictureUrl: `https://example.invalid/pictures/${n % products}/thumbnail.png`,
  isImported: true,
  soldOn: null,
})
const caseFacts = (n: number, tags: TagFacts[]): CaseFacts => ({
  caseId: caseOf(n),
  identifier: `CASE-${n}`,
  name: nameOf(n),
  requiredCount: perCase,
  packagedProducts: [],
  tags,
  packageUids: [],
})

const inserts = {
  operation: 'seq, id, kind, payload, state, performed_at, performed_at_raw, clock_offset, attempts',
  operation_key: 'key, seq, is_exclusive',
  journal: 'operation_seq, at, actor, what, from_state, to_state',
  sale_entry: 'seq, order_id, at, budtender_id, words, order_last, order_state, products',
  memory: 'kind, id, form, identifier, name, detail, asked_at, content',
}
const Made = z.object({ type: z.string(), name: z.string(), sql: z.string() })

/** Fills a new database file. */
export function fill(file: string, size: Size, now: number): void {
  mkdirSync(dirname(file), { recursive: true })
  const store = openStore(file)
  const { db } = store
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -3000000')
  db.pragma('wal_autocheckpoint = 100000')
  db.pragma('foreign_keys = OFF')
  withoutUpkeep(db, () => {
    write(db, size, now)
  })
  store.close()
}

/** Without indexes and triggers, which would do every row's work anew; indexes are made at the end. */
function withoutUpkeep(db: Database, work: () => void) {
  const made = db
    .prepare(`SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL`)
    .all()
    .map((row) => Made.parse(row))
  db.transaction(() => {
    for (const { type, name } of made) db.exec(`DROP ${type} ${name}`)
    work()
    for (const { sql } of made) db.exec(sql)
  })()
}

function write(db: Database, size: Size, now: number) {
  const insert = (table: keyof typeof inserts) => {
    const columns = inserts[table]
    return db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`)
  }
  const [operation, journal, entry, memory] = [
    insert('operation'),
    insert('journal'),
    insert('sale_entry'),
    insert('memory'),
  ]
  // Written in the order of its key at the end: twice as fast.
  db.exec('CREATE TEMP TABLE held (key TEXT, seq INTEGER, is_exclusive INTEGER)')
  const hold = db.prepare('INSERT INTO held VALUES (?, ?, ?)')
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  let orders = 0
  let seq = 0
  for (let back = size.days - 1; back >= 0; back--) {
    for (let i = 0; i < size.perDay; i++) {
      const n = Math.floor(seq / perImport)
      const place = seq % perImport
      const at = midnight - back * day + Math.floor(((now - midnight) * i) / size.perDay)
      seq++
      const kind = place === 0 ? 'import' : 'complete'
      const caseId = caseOf(n)
      hold.run(caseKey(caseId), seq, place === 0 ? 1 : 0)
      let payload: object
      if (place === 0) {
        const tags = Array.from({ length: perCase }, (_, k) => factsOf(n, k))
        for (const facts of tags) {
          memory.run('tag', facts.tagId, 'facts', null, facts.productName, brand, at, JSON.stringify(facts))
        }
        const facts = caseFacts(n, tags)
        memory.run('collection', caseId, 'facts', facts.identifier, facts.name, null, at, JSON.stringify(facts))
        const { productName, brandName } = only(tags[0])
        const posIds = { posProductId: `POS-${n % products}`, posInventoryId: `INV-${n}` }
        payload = { kind, caseId, packageUid: `PACKAGE-${n}`, itemCount: perCase, productName, brandName, ...posIds }
      } else {
        const tagIds = Array.from({ length: perSale }, (_, k) => tagOf(n, (place - 1) * perSale + k))
        const orderId = `ORD-${seq}`
        const budtenderId = `BADGE-${seq % 8}`
        hold.run(orderKey(orderId), seq, 1)
        for (const tagId of tagIds) hold.run(tagKey(tagId), seq, 1)
        const words = [orderId, ...tagIds.map((tagId) => `${tagId} ${nameOf(n)}`)].join(' ')
        entry.run(seq, orderId, at, budtenderId, words, seq, 'reported', JSON.stringify([[nameOf(n), brand, perSale]]))
        orders++
        const isNamed = back < daysNamed && seq % 3 === 0
        payload = { kind, orderId, tagIds, budtenderId, ...(isNamed && { customerId: `MEDICAL-${seq}` }) }
      }
      const performedAt = new Date(at).toISOString()
      operation.run(seq, randomUUID(), kind, JSON.stringify(payload), 'accepted', performedAt, at, 0, 1)
      if (back < daysOfSteps) {
        journal.run(seq, at, 'person', 'saved', null, 'queued')
        journal.run(seq, at, 'station', 'claimed', 'queued', 'sending')
      }
      journal.run(seq, at, 'station', 'accepted', 'sending', 'accepted')
    }
  }
  db.exec('INSERT INTO operation_key SELECT key, seq, is_exclusive FROM held ORDER BY key, seq; DROP TABLE held')
  db.prepare(`UPDATE sale_order_count SET orders = ? WHERE order_state = 'reported'`).run(orders)
}
