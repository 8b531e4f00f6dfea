import type { Hono } from 'hono'
import { z } from 'zod'
import type { ImportRemovalRequest, ImportRequest } from '../../src-shared/service/imports'
import { endpoint, refuse, requireDispensary, requireToken, retail } from '../http/endpoint'
import { type FieldsOf, OptionalId, OptionalText, readFields, readJson, RequiredId, RequiredText } from '../http/body'
import type { Env, Parts } from '../http/context'
import { createImportRemoval, createImportRules, recordImport } from '../imports'

const ImportFields = z.object({
  case_uuid: RequiredId,
  packaged_product_uuid: RequiredId,
  pos_product_id: RequiredText,
  pos_inventory_id: RequiredText,
  package_uid: RequiredText,
  sku: OptionalText,
} satisfies FieldsOf<ImportRequest>)

/** `POST /api/v1.2/caseids/import/`. Spec: Endpoints > Import request; Errors > Import errors. */
export function importEndpoint(app: Hono<Env>, parts: Parts): void {
  const { store, now } = parts
  const refusal = createImportRules(store)

  const takeIn = store.transaction((fields: z.infer<typeof ImportFields>, dispensaryUuid: string) => {
    const refused = refusal(fields, dispensaryUuid)
    if (refused) return refused
    recordImport(store, { ...fields, dispensary_uuid: dispensaryUuid, imported_on: now().toISOString() })
    return undefined
  })

  endpoint(app, 'POST', '/api/v1.2/caseids/import/', [requireToken(parts), requireDispensary], async (c) => {
    const json = await readJson(c)
    if (!json.ok) return json.error
    const fields = readFields(json.value, ImportFields)
    if (!fields.ok) return refuse(c, fields.error)
    const refused = takeIn.immediate(fields.value, retail(c).dispensaryUuid)
    if (refused) return refuse(c, refused)
    const { case_uuid, packaged_product_uuid, package_uid } = fields.value
    return c.json({ case_uuid, packaged_product_uuid, package_uid })
  })
}

const RemovalFields = z.object({
  case_uuid: RequiredId,
  package_uid: RequiredText,
  packaged_product_uuid: OptionalId,
} satisfies FieldsOf<ImportRemovalRequest>)

/** `POST /api/v1.2/caseids/import/remove/`; answers the removed imports. Spec: Endpoints > Import remove request. */
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
