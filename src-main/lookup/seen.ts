import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { CaseId, PackageUid, TagId } from '../../src-shared/ids'
import { CaseFacts, TagFacts } from '../../src-shared/service/facts'
import { PackageCases } from '../../src-shared/service/package-uids'
import { parseStored } from '../store/settings'

/** Something the station saw, and when (ms since 1970). */
export interface Seen<T> {
  value: T
  seenAt: number
}

/** What the station remembers of the service, for the time without a network. */
export interface SeenStore {
  keepCase(facts: CaseFacts, at: number): void
  /** By CaseID or by the brand's identifier. */
  case(idOrIdentifier: string): Seen<CaseFacts> | undefined
  keepTag(facts: TagFacts, at: number): void
  tag(tagId: TagId): Seen<TagFacts> | undefined
  /** The case that an item was last seen in. */
  caseOf(tagId: TagId): CaseId | undefined
  keepPackage(packageUid: PackageUid, cases: PackageCases, at: number): void
  package(packageUid: PackageUid): Seen<PackageCases> | undefined
}

const Row = z.object({ json: z.string(), seen_at: z.number() })

export function createSeenStore(db: Database): SeenStore {
  const upsertCase = db.prepare(`
    INSERT INTO seen_case (case_id, identifier, facts, seen_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (case_id) DO UPDATE SET identifier = excluded.identifier, facts = excluded.facts, seen_at = excluded.seen_at`)
  const upsertTag = db.prepare(`
    INSERT INTO seen_tag (tag_id, facts, seen_at) VALUES (?, ?, ?)
    ON CONFLICT (tag_id) DO UPDATE SET facts = excluded.facts, seen_at = excluded.seen_at`)
  const upsertPackage = db.prepare(`
    INSERT INTO seen_package (package_uid, cases, seen_at) VALUES (?, ?, ?)
    ON CONFLICT (package_uid) DO UPDATE SET cases = excluded.cases, seen_at = excluded.seen_at`)
  const selectCase = db.prepare(
    'SELECT facts AS json, seen_at FROM seen_case WHERE case_id = @id OR identifier = @id ORDER BY seen_at DESC LIMIT 1',
  )
  const selectTag = db.prepare('SELECT facts AS json, seen_at FROM seen_tag WHERE tag_id = ?')
  const selectPackage = db.prepare('SELECT cases AS json, seen_at FROM seen_package WHERE package_uid = ?')

  const tag = (tagId: TagId) => parseSeen(TagFacts, selectTag.get(tagId))

  return {
    keepCase: db.transaction((facts: CaseFacts, at: number) => {
      upsertCase.run(facts.caseId, facts.identifier, JSON.stringify(facts), at)
      for (const of of facts.tags) upsertTag.run(of.tagId, JSON.stringify(of), at)
    }),
    case: (id) => parseSeen(CaseFacts, selectCase.get({ id })),
    keepTag: (facts, at) => void upsertTag.run(facts.tagId, JSON.stringify(facts), at),
    tag,
    caseOf: (tagId) => tag(tagId)?.value.caseId ?? undefined,
    keepPackage: (packageUid, cases, at) => void upsertPackage.run(packageUid, JSON.stringify(cases), at),
    package: (packageUid) => parseSeen(PackageCases, selectPackage.get(packageUid)),
  }
}

/** What no longer parses (written by another version) counts as never seen: the service will tell it anew. */
function parseSeen<T>(schema: z.ZodType<T>, row: unknown): Seen<T> | undefined {
  const parsed = Row.safeParse(row)
  if (!parsed.success) return undefined
  const value = parseStored(schema, parsed.data.json)
  return value === undefined ? undefined : { value, seenAt: parsed.data.seen_at }
}
