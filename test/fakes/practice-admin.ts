import { request } from 'undici'
import { z } from 'zod'
import type { FaultsInput } from '../../src-practice/admin'

const Transaction = z.object({
  kind: z.enum(['complete', 'void', 'return']),
  order_id: z.string(),
  items: z.array(z.string()),
  performed_at: z.string(),
})
const Import = z.looseObject({ case_uuid: z.string(), packaged_product_uuid: z.string(), package_uid: z.string() })
const Seen = z.looseObject({ method: z.string(), path: z.string(), status: z.number().nullable() })

/** The knobs and the book of a practice service, over HTTP: what the service really holds, not the station's view. */
export interface PracticeKnobs {
  setFaults(faults: FaultsInput): Promise<void>
  expireTokens(): Promise<void>
  /** Oldest first. */
  transactions(): Promise<{ kind: string; orderId: string; tagIds: string[]; performedAt: string }[]>
  imports(): Promise<{ caseId: string; packagedProductId: string; packageUid: string }[]>
  requests(): Promise<{ method: string; path: string; status: number | null }[]>
}

export function practiceKnobs(adminUrl: string): PracticeKnobs {
  const ask = async (method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<unknown> => {
    const response = await request(`${adminUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    async setFaults(faults) {
      await ask('PUT', '/faults', faults)
    },
    async expireTokens() {
      await ask('POST', '/tokens/expire')
    },
    async transactions() {
      const all = z.array(Transaction).parse(await ask('GET', '/transactions'))
      return all.map((one) => ({
        kind: one.kind,
        orderId: one.order_id,
        tagIds: one.items,
        performedAt: one.performed_at,
      }))
    },
    async imports() {
      const all = z.array(Import).parse(await ask('GET', '/imports'))
      return all.map((one) => ({
        caseId: one.case_uuid,
        packagedProductId: one.packaged_product_uuid,
        packageUid: one.package_uid,
      }))
    },
    requests: async () => z.array(Seen).parse(await ask('GET', '/requests')),
  }
}
