import '../scripts/require-node.mjs'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Token } from '../src-shared/service/token'
import { verdict } from './figures'
import { type LoadRequest, load } from './practice/load'
import { startSqliteAlone } from './practice/sqlite-alone'
import { account, anyTag, fillStore, largeCase, packageUid, sellable, smallCase, tagCount } from './practice/store'
import { startEmptyRoute, startPractice } from './servers'

/**
 * `npm run bench:practice`: the practice service beside an empty Hono route on the same adapter, each row right after
 * the route, and beside what its SQLite statements alone would approval.
 */

const form = new URLSearchParams({ grant_type: 'client_credentials', ...account }).toString()

/** The requests of one service: it gives out its own tokens. */
async function requestsTo(baseUrl: string) {
  const path = '/auth/o/token/'
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(baseUrl + path, { method: 'POST', headers: type, body: form })
  const headers = { authorization: `Bearer ${Token.parse(await answer.json()).access_token}` }
  const json = { ...headers, 'content-type': 'application/json' }
  const get = (path: string) => (): LoadRequest => ({ method: 'GET', path, headers })
  let sales = 0
  return {
    token: (): LoadRequest => ({ method: 'POST', path, headers: type, body: form }),
    item: (n: number): LoadRequest => ({ method: 'GET', path: `/api/v1.2/items/${anyTag(n * 7919)}/`, headers }),
    'case of 24': get(`/api/v1.2/collections/case/${smallCase}/`),
    'case of 1,000': get(`/api/v1.2/collections/case/${largeCase}/`),
    'package look-up': get(`/api/v1.2/package-uids/${packageUid}/caseids/`),
    'products page': get('/api/v1.5/products/'),
    /** A sale of one TagID each, until all are sold. */
    complete(): LoadRequest | undefined {
      const n = sales++
      const items = sellable.slice(n, n + 1)
      if (items.length === 0) return undefined
      const body = JSON.stringify({ performed_at: '2026-11-02T10:15:00Z', order_id: `ORDER-${n}`, items })
      return { method: 'POST', path: '/api/v1.2/transactions/complete/', headers: json, body }
    },
  }
}

const emptyGet = (): LoadRequest => ({ method: 'GET', path: '/' })
const emptyPost = (): LoadRequest => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/json' },
  body: '{}',
})

/**
 * Each row with its peer, and the least share of the peer that it keeps, in percent. Where SQLite alone is near, no more
 * can be had without answering from memory.
 */
const rows = [
  { name: 'token', peer: emptyPost, atLeast: 10 },
  { name: 'item', peer: emptyGet, atLeast: 12 },
  { name: 'case of 24', peer: emptyGet, atLeast: 5 },
  { name: 'case of 1,000', peer: emptyGet, atLeast: 0.8 },
  { name: 'package look-up', peer: emptyGet, atLeast: 2 },
  { name: 'products page', peer: emptyGet, atLeast: 8 },
  { name: 'complete', peer: emptyPost, atLeast: 4 },
] as const

const folder = mkdtempSync(join(tmpdir(), 'bench-practice-'))
const db = join(folder, 'practice.db')
fillStore(db)
const copy = join(folder, 'alone.db')
copyFileSync(db, copy)
const practice = await startPractice(db)
const empty = await startEmptyRoute()
const alone = await startSqliteAlone(copy)
const { baseUrl } = practice.places
const asked = await requestsTo(baseUrl)
const askedAlone = await requestsTo(alone.baseUrl)

// The first loads would measure how this client and the empty route become fast.
for (const route of [emptyGet, emptyPost]) await load(empty.places.baseUrl, route, 1_000)

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
const table: Record<string, Record<string, string | number>> = {}
for (const { name, peer, atLeast } of rows) {
  const route = await load(empty.places.baseUrl, peer, 1_000)
  const figures = await load(baseUrl, asked[name])
  const sqlite = await alone.perSecond(askedAlone[name])
  table[name] = {
    'empty route/s': Math.round(route.perSecond),
    'requests/s': Math.round(figures.perSecond),
    'of empty route': percent(figures.perSecond, route.perSecond),
    'median ms': figures.median.toFixed(2),
    'p99 ms': figures.p99.toFixed(2),
    failed: figures.failed,
    'its SQLite alone/s': Math.round(sqlite),
    'of empty route, alone': percent(sqlite, route.perSecond),
    limit: `at least ${atLeast} %`,
    verdict: verdict((100 * figures.perSecond) / route.perSecond, { atLeast }),
  }
}

practice.stop()
empty.stop()
await alone.close()
console.log(
  `Practice service and an empty Hono route, ${tagCount.toLocaleString('en')} TagIDs, 8 connections, 2 s each:`,
)
console.table(table)
console.log(
  `Start-up with ${tagCount.toLocaleString('en')} TagIDs in the database: ${Math.round(practice.startedIn)} ms`,
)
rmSync(folder, { recursive: true })
