import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Token } from '../src-shared/service/token'
import { type Figures, type LoadRequest, load } from './practice/load'
import { startEmptyRoute, startPractice } from './servers'
import { account, anyTag, fillStore, largeCase, packageUid, sellable, smallCase, tagCount } from './practice/store'

/**
 * `npm run bench:practice`: the practice service beside an empty Hono route, on the same machine and in the same run.
 */

const folder = mkdtempSync(join(tmpdir(), 'bench-practice-'))
const db = join(folder, 'practice.db')
fillStore(db)
const practice = await startPractice(db)
const empty = await startEmptyRoute()

const form = new URLSearchParams({ grant_type: 'client_credentials', ...account })
const { baseUrl, authUrl } = practice.places
const token = Token.parse(await (await fetch(`${authUrl}/o/token/`, { method: 'POST', body: form })).json())
const headers = { authorization: `Bearer ${token.access_token}` }
const json = { ...headers, 'content-type': 'application/json' }
const get = (path: string) => (): LoadRequest => ({ method: 'GET', path, headers })

/** A sale of one TagID each, until all are sold. */
function complete(n: number): LoadRequest | undefined {
  const items = sellable.slice(n, n + 1)
  if (items.length === 0) return undefined
  const body = JSON.stringify({ performed_at: '2026-11-02T10:15:00Z', order_id: `ORDER-${n}`, items })
  return { method: 'POST', path: '/api/v1.2/transactions/complete/', headers: json, body }
}

const rows: Record<string, Record<string, string | number>> = {}
const note = (name: string, figures: Figures, peer: Figures) => {
  rows[name] = {
    'requests/s': Math.round(figures.perSecond),
    'of empty route': `${((100 * figures.perSecond) / peer.perSecond).toFixed(1)} %`,
    'median ms': figures.median.toFixed(2),
    'p99 ms': figures.p99.toFixed(2),
    failed: figures.failed,
  }
}

const emptyGet = await load(empty.places.baseUrl, () => ({ method: 'GET', path: '/' }))
const emptyPost = await load(empty.places.baseUrl, () => ({ method: 'POST', path: '/', headers: json, body: '{}' }))
note('empty GET', emptyGet, emptyGet)
note('empty POST', emptyPost, emptyPost)
const tokenRequest = {
  method: 'POST',
  path: '/auth/o/token/',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: form.toString(),
} as const
note('token', await load(baseUrl, () => tokenRequest), emptyPost)
note('item', await load(baseUrl, (n) => get(`/api/v1.2/items/${anyTag(n * 7919)}/`)()), emptyGet)
note('case of 24', await load(baseUrl, get(`/api/v1.2/collections/case/${smallCase}/`)), emptyGet)
note('case of 1,000', await load(baseUrl, get(`/api/v1.2/collections/case/${largeCase}/`)), emptyGet)
note('package look-up', await load(baseUrl, get(`/api/v1.2/package-uids/${packageUid}/caseids/`)), emptyGet)
note('products page', await load(baseUrl, get('/api/v1.5/products/')), emptyGet)
note('complete', await load(baseUrl, complete), emptyPost)

practice.stop()
empty.stop()
console.log(
  `Practice service and an empty Hono route, ${tagCount.toLocaleString('en')} TagIDs, 8 connections, 2 s each:`,
)
console.table(rows)
console.log(
  `Start-up with ${tagCount.toLocaleString('en')} TagIDs in the database: ${Math.round(practice.startedIn)} ms`,
)
rmSync(folder, { recursive: true })
