import type { Hono } from 'hono'
import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'
import { createAdditions } from '../collections/additions'
import { deny } from '../collections/denial'
import { v12, v15 } from '../collections/versions'
import { type Refusal, refuse } from '../http/answers'
import { readJson } from '../http/body'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createChangedCollection } from '../payloads/changed-collection'

/**
 * `POST /api/v1.2|v1.5/collections/case/<uuid>/add-items/`: TagIDs that exist come into a case, all or none.
 * Spec: Endpoints > Collections (v1.5); v1.2 endpoints.
 */
export function addItemsEndpoint(app: Hono<Env>, parts: Parts): void {
  const answers = createChangedCollection(parts)

  for (const [version, answer] of [
    [v12, answers.v12],
    [v15, answers.v15],
  ] as const) {
    const addItems = parts.store.transaction(createAdditions(parts, version).addItems)
    endpoint(app, 'POST', `${version.prefix}/collections/case/:uuid/add-items/`, [requireToken(parts)], async (c) => {
      const json = await readJson(c)
      if (!json.ok) return json.error
      const list = readList(json.value)
      if (!list.ok) return refuse(c, list.error)
      const { companyUuid } = c.get('caller')
      const added = addItems.immediate(parameter(c, 'uuid'), list.value, companyUuid)
      return added.ok ? c.json(answer(added.value, companyUuid)) : deny(c, added.error)
    })
  }
}

function readList(json: unknown): Result<unknown[], Refusal> {
  const list = z.array(z.unknown()).safeParse(json)
  if (!list.success) return err({ body: { non_field_errors: ['Invalid data. Expected a list of TagIDs.'] } })
  return list.data.length > 0 ? ok(list.data) : err({ body: { non_field_errors: ['This list may not be empty.'] } })
}
