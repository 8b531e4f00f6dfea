import type { Hono } from 'hono'
import { parseId } from '../../src-shared/ids'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createCollections } from '../payloads/collections'
import { createFinder } from '../payloads/finder'
import { memberPayload } from '../payloads/members'

/** `GET /api/v1.2/collections/<identifier>/`: a collection with its items. Spec: Endpoints > v1.2 endpoints. */
export function collectionEndpoint(app: Hono<Env>, parts: Parts): void {
  const find = createFinder(parts)
  const { contents, fields } = createCollections(parts)

  endpoint(app, 'GET', '/api/v1.2/collections/:identifier/', [requireToken(parts)], (c) => {
    const { companyUuid } = c.get('caller')
    const identifier = parameter(c, 'identifier')
    const row = find.byUuid(parseId(identifier) ?? '', companyUuid) ?? find.byIdentifier(identifier, companyUuid)
    if (row === undefined) return notFound(c)
    const found = contents(row)
    const payload = (member: (typeof found.items)[number]) =>
      memberPayload(member, row, companyUuid, parts.settings.tagUrl)
    return c.json({
      ...fields(found, companyUuid),
      items: found.items.map(payload),
      removed_items: found.removedItems.map(payload),
    })
  })
}
