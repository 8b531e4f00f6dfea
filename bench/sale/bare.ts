import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Agent, request } from 'undici'
import { OrderId } from '../../src-shared/ids'
import { completeRequest } from '../../src-shared/service/transactions'
import { Token } from '../../src-shared/service/token'
import { itemsPerSale } from './selling'
import type { SaleStation } from './station'
import { account } from '../sample'
import { itemOf } from './store'

/** The minimal cost of a sale without a station. Each function returns its duration in ms. */

const saleOf = (orderId: string, first: number) => ({
  orderId: OrderId.parse(orderId),
  tagIds: Array.from({ length: itemsPerSale }, (_, n) => itemOf(first + n)),
})

/** From the request for a sale with this many items, with an existing token, to the parsed answer. */
export async function bareRequest({ service }: Pick<SaleStation, 'service'>) {
  const dispatcher = new Agent({ pipelining: 1 })
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: account.clientId,
    client_secret: account.clientSecret,
  })
  const answer = await request(`${service.authUrl}/o/token/`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  const { access_token } = Token.parse(await answer.body.json())
  return {
    async report(orderId: string, first: number): Promise<number> {
      const start = performance.now()
      const { statusCode, body } = await request(`${service.baseUrl}/api/v1.2/transactions/complete/`, {
        dispatcher,
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(completeRequest({ ...saleOf(orderId, first), performedAt: new Date().toISOString() })),
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`a bare report was answered ${statusCode}: ${text}`)
      return performance.now() - start
    },
    close: () => dispatcher.close(),
  }
}

/** One row for a sale with this many items, in a database on the same file system with the station's pragmas. */
export function bareCommit({ folder }: Pick<SaleStation, 'folder'>) {
  const db = new Sqlite(join(folder, 'bare.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(
    'CREATE TABLE sale (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, payload TEXT NOT NULL)',
  )
  const insert = db.prepare('INSERT INTO sale (id, at, payload) VALUES (?, ?, ?)')
  return {
    commit(orderId: string, first: number): number {
      const start = performance.now()
      insert.run(
        randomUUID(),
        new Date().toISOString(),
        JSON.stringify({ kind: 'complete', ...saleOf(orderId, first) }),
      )
      return performance.now() - start
    },
    close: () => db.close(),
  }
}
