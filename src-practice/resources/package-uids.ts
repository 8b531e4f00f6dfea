import type { Hono } from 'hono'
import { z } from 'zod'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter, requireToken } from '../http/endpoint'
import { latest } from '../payloads/collections'
import { query } from '../store/query'

/** A packaged product of a case in a package, and its import if there is one. */
const Part = z.object({
  case_uuid: z.string(),
  packaged_product_uuid: z.string().nullable(),
  imported_on: z.string().nullable(),
  package_uid: z.string().nullable(),
  dispensary_uuid: z.string().nullable(),
  dispensary_name: z.string().nullable(),
  dispensary_state: z.string().nullable(),
  is_own: z.number(),
})
type Part = z.infer<typeof Part>

/**
 * The contents of a package. An item's package is the newest regulator collection that holds it; a case is listed if
 * the package was sent to the caller's dispensary (or to no particular one), or if the caller's company imported it.
 */
const partsOfPackage = `
WITH asked (package_uid, dispensary_uuid, company_uuid) AS (VALUES (?, ?, ?)),
in_regulator AS (
  SELECT m.tag_uuid, c.identifier, c.dispensary_uuid,
    row_number() OVER (PARTITION BY m.tag_uuid ORDER BY julianday(c.added_on) DESC, c.rowid DESC) AS age
  FROM memberships m JOIN collections c ON c.uuid = m.collection_uuid
  WHERE c.collection_type = 'regulator' AND c.removed_on IS NULL AND m.removed_on IS NULL
    AND m.tag_uuid IN (SELECT n.tag_uuid FROM memberships n JOIN collections e ON e.uuid = n.collection_uuid
      WHERE e.identifier = (SELECT package_uid FROM asked))
),
held AS (
  SELECT DISTINCT k.uuid AS case_uuid, t.packaged_product_uuid, r.dispensary_uuid AS sent_to, 0 AS is_by_import
  FROM in_regulator r JOIN asked a ON a.package_uid = r.identifier
    JOIN tag_ids t ON t.uuid = r.tag_uuid
    JOIN memberships m ON m.tag_uuid = r.tag_uuid AND m.removed_on IS NULL
    JOIN collections k ON k.uuid = m.collection_uuid AND k.collection_type = 'case' AND k.removed_on IS NULL
  WHERE r.age = 1
  UNION
  SELECT i.case_uuid, i.packaged_product_uuid, NULL, 1 FROM imports i JOIN asked a ON a.package_uid = i.package_uid
)
SELECT DISTINCT h.case_uuid, h.packaged_product_uuid, i.imported_on, i.package_uid, d.uuid AS dispensary_uuid,
  d.name AS dispensary_name, d.state AS dispensary_state, coalesce(d.company_uuid = a.company_uuid, 0) AS is_own
FROM held h JOIN asked a JOIN collections c ON c.uuid = h.case_uuid
  LEFT JOIN imports i ON i.case_uuid = h.case_uuid AND i.packaged_product_uuid = h.packaged_product_uuid
  LEFT JOIN dispensaries d ON d.uuid = i.dispensary_uuid
WHERE d.company_uuid = a.company_uuid
  OR (NOT h.is_by_import AND (h.sent_to IS NULL OR h.sent_to = a.dispensary_uuid))
ORDER BY julianday(c.added_on), c.rowid`

/** `GET /api/v1.2/package-uids/<package_uid>/caseids/`. Spec: Package UID lookup entry. */
export function packageUidEndpoint(app: Hono<Env>, parts: Parts): void {
  const partsOf = query(parts.store, partsOfPackage, Part)

  endpoint(app, 'GET', '/api/v1.2/package-uids/:package_uid/caseids/', [requireToken(parts)], (c) => {
    const packageUid = parameter(c, 'package_uid')
    const { dispensaryUuid, companyUuid } = c.get('caller')
    const found = dispensaryUuid === null ? [] : partsOf.all(packageUid, dispensaryUuid, companyUuid)
    const byCase = Map.groupBy(found, (part) => part.case_uuid)
    const entries = [...byCase].map(([caseUuid, held]) => [caseUuid, lookupEntry(held, packageUid)] as const)
    return c.json({ package_uid: packageUid, case_ids: Object.fromEntries(entries) })
  })
}

/**
 * `is_imported` means that an import would fail, so it is true only if everything in this package from the case is
 * imported. Only the company of the import learns whose it is.
 */
function lookupEntry(held: Part[], packageUid: string) {
  const importable = held.filter((part) => part.packaged_product_uuid !== null)
  const own = held.filter((part) => part.is_own === 1)
  const shown = own.find((part) => part.package_uid === packageUid) ?? own[0]
  return {
    is_imported: importable.length > 0 && importable.every((part) => part.imported_on !== null),
    imported_on: latest(held.map((part) => part.imported_on)),
    package_uid: shown?.package_uid ?? null,
    dispensary:
      shown === undefined
        ? null
        : { uuid: shown.dispensary_uuid, name: shown.dispensary_name, state: shown.dispensary_state },
  }
}
