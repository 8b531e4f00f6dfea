import { type ResultOf, isUnanswered } from '../../src-shared/errors'
import type { CaseId, TagId } from '../../src-shared/ids'
import { err, ok } from '../../src-shared/result'
import type { Collection } from '../../src-shared/service/collections'
import type { CaseFacts } from '../../src-shared/service/facts'
import type { PackageCase } from '../../src-shared/service/imports'
import type { ServiceCode } from '../service/reply'
import type { Ledger } from './ledger'
import type { CaseReading } from './ledger-items'
import type { StockContext } from './stock-context'

/** A case rarely has its items in more packages. */
const packagesAsked = 3

/** Since when the items of a case are in an inventory, in ms since 1970; without an item's own time, that of its case. */
export function importsOf(
  { tags }: Pick<CaseFacts, 'tags'>,
  collection: Collection | null,
  entry: PackageCase | undefined | null,
): ReadonlyMap<TagId, number> {
  const members = new Map(collection?.items.map((item) => [item.tag_id, item.imported_to_inventory_on]))
  return new Map(
    tags.flatMap(({ tagId }): [TagId, number][] => {
      const on = members.get(tagId) ?? entry?.imported_on ?? null
      return on === null ? [] : [[tagId, Date.parse(on)]]
    }),
  )
}

/** Reads a whole case from the service: its items, since when they are in an inventory, and in whose. */
export class CaseReader {
  readonly #context: StockContext
  readonly #ledger: Pick<Ledger, 'rows' | 'askMove'>

  constructor(context: StockContext, ledger: Pick<Ledger, 'rows' | 'askMove'>) {
    this.#context = context
    this.#ledger = ledger
  }

  async read(caseId: CaseId): Promise<ResultOf<CaseReading, ServiceCode>> {
    const { lookup, client, clock } = this.#context
    const position = this.#ledger.rows.position()
    const [askedAt, askedMove] = [clock.now(), this.#ledger.askMove()]
    const asking = client.collections.get(caseId)
    const facts = await lookup.readCase(caseId, asking)
    const collection = await asking
    if (!facts.ok) return facts
    if (!collection.ok) return collection
    const entry = await this.#entryOf(facts.value)
    if (!entry.ok) return entry
    const imports = importsOf(facts.value, collection.value, entry.value)
    return ok({ facts: facts.value, entry: entry.value, position, askedAt, askedMove, imports })
  }

  /** The case in the look-ups of its packages: undefined if none lists it, null if they could not be asked. */
  async #entryOf({ caseId, packageUids }: CaseFacts): Promise<ResultOf<CaseReading['entry'], ServiceCode>> {
    const { lookup, seen } = this.#context
    const own = this.#ledger.rows.packageOf(caseId)
    const uids = [...new Set([...(own === undefined ? [] : [own]), ...packageUids])].slice(0, packagesAsked)
    let isAsked = false
    for (const uid of uids) {
      const stored = seen.package(uid)
      const answer = stored ? ok({ value: stored.value, unreachable: null }) : await lookup.package(uid)
      // The holder of this package can't be read, however often it is asked.
      if (!answer.ok && (!isUnanswered(answer.error) || answer.error.code === 'service/unreadable')) continue
      if (!answer.ok) return answer
      if (answer.value.unreachable) return err(answer.value.unreachable)
      isAsked = true
      const entry = answer.value.value.case_ids[caseId]
      if (entry?.dispensary) return ok(entry)
    }
    return ok(isAsked ? undefined : null)
  }
}
