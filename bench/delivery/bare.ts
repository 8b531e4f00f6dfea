import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { PackageCases } from '../../src-shared/service/imports'
import { Token } from '../../src-shared/service/token'
import { practiceKnobs } from '../../test/fakes/practice-admin'
import { startPractice } from '../servers'
import { account } from '../sample'
import { caseCount, fillStore, importBody, packageCode, packageCount } from './data'

/** The same requests at the same kind of service, `lanes` at a time, with nothing around them. */
export interface Bare {
  /** From the question about the first package to its last case, and about the others one after the other, in ms. */
  readOne: number
  readOthers: number
  /** Until the last import is answered, in ms. */
  imports: number
}

/** What lanes, latency and the service itself allow: no outbox, no journal, no memory, no screen. */
export async function benchBare({ lanes, latency }: { lanes: number; latency: number }): Promise<Bare> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-delivery-bare-'))
  const db = join(folder, 'service.db')
  fillStore(db)
  const service = await startPractice(db)
  const { baseUrl, authUrl, adminUrl } = service.places
  const { clientId: client_id, clientSecret: client_secret } = account
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const answer: unknown = await (await fetch(`${authUrl}/o/token/`, { method: 'POST', body: form })).json()
  await practiceKnobs(adminUrl).setFaults({ rules: [{ kind: 'latency', ms: latency }] })
  const headers = { authorization: `Bearer ${Token.parse(answer).access_token}`, 'content-type': 'application/json' }

  const pool = new Pool(new URL(baseUrl).origin, { connections: lanes })
  const ask = async (method: 'GET' | 'POST', path: string, body?: string) => {
    const { statusCode, body: said } = await pool.request({
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
    })
    const text = await said.text()
    if (statusCode >= 300) throw new Error(`${path} was refused: ${statusCode} ${text}`)
    return text
  }
  /** Runs `count` requests over all lanes. */
  const overLanes = async (count: number, request: (n: number) => Promise<unknown>) => {
    let next = 0
    const lane = async () => {
      while (next < count) await request(next++)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }
  const readPackage = async (n: number) => {
    const text = await ask('GET', `/api/v1.2/package-uids/${packageCode(n)}/caseids/`)
    const caseIds = Object.keys(PackageCases.parse(JSON.parse(text)).case_ids)
    await overLanes(caseIds.length, (at) => ask('GET', `/api/v1.2/collections/case/${caseIds[at] ?? ''}/`))
  }
  const timed = async (run: () => Promise<void>) => {
    const began = performance.now()
    await run()
    return performance.now() - began
  }
  try {
    return {
      readOne: await timed(() => readPackage(0)),
      readOthers: await timed(async () => {
        for (let n = 1; n < packageCount; n++) await readPackage(n)
      }),
      imports: await timed(() =>
        overLanes(caseCount, (n) => ask('POST', '/api/v1.2/caseids/import/', JSON.stringify(importBody(n)))),
      ),
    }
  } finally {
    await pool.close()
    service.stop()
    rmSync(folder, { recursive: true })
  }
}
