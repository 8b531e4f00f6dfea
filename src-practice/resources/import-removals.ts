import type { Hono } from 'hono'
import { z } from 'zod'
import { refuse } from '../http/answers'
import { readJson } from '../http/body'
import type { Env, Parts } from '../http/context'
import { endpoint } from '../http/endpoint'
import { OptionalId, RequiredId, RequiredText, readFields } from '../http/fields'
import { requireDispensary, requireToken, retail } from '../http/guards'
import { createImportRemoval } from '../imports/remove'

const RemovalFields = z.object({
  case_uuid: RequiredId,
  package_uid: RequiredText,
  packaged_product_uuid: OptionalId,
})

/** `POST /api/v1.2/caseids/import/remove/`; answers what it took back. Spec: Endpoints > Import remove request. */
export function importRemovalEndpoint(app: Hono<Env>, parts: Parts): void {
  const { store, now } = parts
  const remove = store.transaction(createImportRemoval(store, now))

  endpoint(app, 'POST', '/api/v1.2/caseids/import/remove/', [requireToken(parts), requireDispensary], async (c) => {
    const json = await readJson(c)
    if (!json.ok) return json.error
    const fields = readFields(json.value, RemovalFields)
    if (!fields.ok) return refuse(c, fields.error)
    const refused = remove.immediate(fields.value, retail(c).dispensaryUuid)
    if (refused) return refuse(c, refused)
    return c.json(fields.value)
  })
}
