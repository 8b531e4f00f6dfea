import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { Token } from '../../src-shared/service/token'
import { practiceKnobs } from '../../test/fakes/practice-admin'
import { startPractice } from '../servers'
import { account } from '../sample'
import { caseCount, fillStore, importBody } from './data'

/**
 * The same imports at a service just like the station's, `lanes` at a time, with nothing around them: no outbox, no
 * journal, no screen. Gives the ms until the last one is answered.
 */
export async function benchBareImports({ lanes, latency }: { lanes: number; latency: number }): Promise<number> {
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
  let next = 0
  const importSome = async () => {
    while (next < caseCount) {
      const body = JSON.stringify(importBody(next++))
      const path = '/api/v1.2/caseids/import/'
      const { statusCode, body: said } = await pool.request({ method: 'POST', path, headers, body })
      if (statusCode >= 300) throw new Error(`an import was refused: ${statusCode} ${await said.text()}`)
      await said.dump()
    }
  }
  const began = performance.now()
  try {
    await Promise.all(Array.from({ length: lanes }, importSome))
    return performance.now() - began
  } finally {
    await pool.close()
    service.stop()
    rmSync(folder, { recursive: true })
  }
}
