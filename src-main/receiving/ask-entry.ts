import type { CaseFacts } from '../../src-shared/service/facts'
import type { Lookup } from '../memory/lookup'
import type { Entry } from './case-views'

/** A case rarely has its items in more packages than one: these many are asked about. */
const packagesAsked = 3

/** What the package look-ups say of a case that was scanned by itself; null when they could not be asked. */
export async function askEntry({ caseId, packageUids }: CaseFacts, lookup: Lookup): Promise<Entry> {
  const answers = await Promise.all(packageUids.slice(0, packagesAsked).map((uid) => lookup.package(uid)))
  const entries = answers.flatMap((answer) => (answer.ok ? (answer.value.value.case_ids[caseId] ?? []) : []))
  return entries[0] ?? (answers.every((answer) => answer.ok) ? undefined : null)
}
