import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { caseName } from '../../src-shared/service/facts'
import { CaseInBrief } from '../lookup/seen'
import { parseStored } from '../store/settings'
import { likeOf } from '../store/like'
import type { FoundStore } from './found-store'
import { link } from './links'
import type { Candidate } from './ranking'

/** Things whose names this station has stored: of whatever Find has shown, of cases and of packages. */
export type StoredNames = (text: string) => Candidate[]

/** Cases that are read, the last ones seen first: a scan of them all would hold up the counter. */
const mostCases = 1_000
const mostOfAKind = 50

const Briefs = z.array(z.object({ json: z.string() }))
const Packages = z.array(z.string())

export function createStoredNames(db: Database, store: Pick<FoundStore, 'search'>): StoredNames {
  // The quick look first: only where the first word stands at all is the case parsed. Items are most of it.
  const cases = db.prepare(`
    SELECT json_set(json_remove(facts, '$.tags'), '$.tagCount', json_array_length(facts, '$.tags')) AS json
    FROM (SELECT facts FROM seen_case ORDER BY seen_at DESC LIMIT ${mostCases})
    WHERE facts LIKE ? ESCAPE '\\' AND json_valid(facts) LIMIT ${mostOfAKind * 4}`)
  const packages = db
    .prepare(
      `SELECT package_uid FROM seen_package WHERE package_uid LIKE ? ESCAPE '\\' ORDER BY seen_at DESC LIMIT ${mostOfAKind}`,
    )
    .pluck()

  return (text) => {
    const [longest = ''] = text.split(/\s+/).toSorted((a, b) => b.length - a.length)
    const found: Candidate[] = store.search(longest, mostOfAKind * 4)
    const briefs = Briefs.parse(cases.all(likeOf(JSON.stringify(longest).slice(1, -1))))
    const ofCases = briefs.flatMap(({ json }) => {
      const brief = parseStored(CaseInBrief, json)
      return brief ? candidatesOf(brief) : []
    })
    const ofPackages = Packages.parse(packages.all(likeOf(longest))).map((uid) => ({
      link: link('package', uid),
      words: [uid],
    }))
    return [...found, ...ofCases, ...ofPackages]
  }
}

/** A case, its products and its packages. */
function candidatesOf(one: CaseInBrief): Candidate[] {
  const names = one.packagedProducts.flatMap(({ productName, sku, batchName }) => [productName, sku, batchName])
  const name = caseName(one)
  return [
    ...one.packagedProducts.map(({ productId, productName, sku, brandName }) => ({
      link: link('product', productId, productName, sku ?? brandName),
      words: [productName, sku, brandName],
    })),
    {
      link: link('collection', one.caseId, name, one.identifier === one.caseId ? null : one.identifier),
      words: [one.name, one.identifier, ...names],
    },
    ...one.packageUids.map((uid) => ({ link: link('package', uid), words: [uid] })),
  ]
}
