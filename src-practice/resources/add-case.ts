import type { Hono } from 'hono'
import { z } from 'zod'
import { createAdditions } from '../collections/additions'
import { deny } from '../collections/denial'
import { v12, v15 } from '../collections/versions'
import { refuse } from '../http/answers'
import { readJson } from '../http/body'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { OptionalId, RequiredId, readFields } from '../http/fields'
import { requireToken } from '../http/guards'
import { createChangedCollection } from '../payloads/changed-collection'

const AddCaseFields = z.object({ case_uuid: RequiredId, packaged_product_uuid: OptionalId })

/**
 * `POST /api/v1.2|v1.5/collections/regulator/<identifier>/add-case/`: the items of a case, or those of one packaged
 * product of it, come into a regulator collection. The newest such collection is the package that an item is in.
 * Spec: Endpoints > Collections (v1.5); v1.2 endpoints.
 */
export function addCaseEndpoint(app: Hono<Env>, parts: Parts): void {
  const answers = createChangedCollection(parts)

  for (const [version, answer] of [
    [v12, answers.v12],
    [v15, answers.v15],
  ] as const) {
    const addCase = parts.store.transaction(createAdditions(parts, version).addCase)
    const path = `${version.prefix}/collections/regulator/:identifier/add-case/`
    endpoint(app, 'POST', path, [requireToken(parts)], async (c) => {
      const json = await readJson(c)
      if (!json.ok) return json.error
      const fields = readFields(json.value, AddCaseFields)
      if (!fields.ok) return refuse(c, fields.error)
      const { companyUuid } = c.get('caller')
      const added = addCase.immediate(parameter(c, 'identifier'), fields.value, companyUuid)
      return added.ok ? c.json(answer(added.value, companyUuid)) : deny(c, added.error)
    })
  }
}
