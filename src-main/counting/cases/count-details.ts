import type { ResultOf } from '../../../src-shared/errors'
import type { GateQuestion } from '../../../src-shared/gates'
import type { CaseId, CountId, DeliveryId, TagId } from '../../../src-shared/ids'
import type { CountDetail, CountExport, Resolve } from '../../../src-shared/ipc/contract/count'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { ok } from '../../../src-shared/result'
import type { CaseCountBook } from './count-book'
import type { CaseCountContext } from './count-context'
import { CaseDifferences, CountReports, type DifferencesContext, countExport } from './count-differences'
import { type NotResolved, Resolving } from './count-resolving'
import type { CaseCountRow } from './count-rows'
import { createOwnership } from './ownership'
import { type Whereabouts, isOtherThing } from './whereabouts'

/** Strangers asked about at a time, and in all, when a count is opened. */
const askedAtOnce = 8
const mostAsked = 200

/** What a count found, item by item, and how a person settles it. */
export class CountDetails {
  readonly #context: DifferencesContext
  readonly #differences: CaseDifferences
  readonly #resolving: Resolving

  constructor(context: CaseCountContext, book: CaseCountBook, whereabouts: Whereabouts) {
    const reports = new CountReports(context.outbox)
    this.#context = { ...context, book, whereabouts, reports, ownership: createOwnership(context) }
    this.#differences = new CaseDifferences(this.#context)
    this.#resolving = new Resolving(this.#context, this.#differences)
  }

  /** Asks again about items that could not be asked about when they were scanned. */
  async detail(countId: CountId): Promise<ResultOf<Omit<CountDetail, 'behind'>, 'receiving/no-count'>> {
    const { book, ownership, outbox, reporting } = this.#context
    const found = book.find(countId)
    if (!found.ok) return found
    const row = found.value
    await Promise.all([this.#lookInto(row), ownership.learn()])
    const again = book.find(countId)
    const count = book.viewOf(again.ok ? again.value : row)
    const { groups, differences } = await this.#differences.all(row, count.cases)
    const reported = new Set(differences.flatMap(({ operationId }) => operationId ?? []))
    const operations = [...reported].flatMap((id) => outbox.read.byId(id) ?? [])
    return ok({ count, groups, differences, operations: operations.map((one) => reporting.view(one)) })
  }

  /** The gate that resolving differences passes; null if none. */
  gateOf(request: Resolve): GateQuestion | null {
    const row = this.#context.book.find(request.countId)
    return row.ok ? this.#resolving.gateOf(row.value.seq, request) : null
  }

  async resolve(
    request: Resolve,
    because?: string,
  ): Promise<ResultOf<OperationView[], NotResolved | 'receiving/no-count'>> {
    const { book } = this.#context
    const row = book.find(request.countId)
    if (!row.ok) return row
    const resolved = await this.#resolving.resolve(row.value.seq, request, because)
    if (resolved.ok) book.announce(book.viewOf(row.value))
    return resolved
  }

  async export(countId: CountId): Promise<ResultOf<CountExport, 'receiving/no-count'>> {
    const { book } = this.#context
    const found = book.find(countId)
    if (!found.ok) return found
    const row = found.value
    const count = book.viewOf(row)
    const { differences } = await this.#differences.all(row, count.cases)
    const [expected, scanned, nameOf] = [
      book.rows.expected(row.seq),
      book.scans.scanned(row.seq),
      this.#differences.names(),
    ]
    const productOf = (tagId: TagId) => nameOf(tagId, expected.get(tagId) ?? null)
    return ok(countExport({ count, expected, scanned, differences, productOf }))
  }

  /** How many differences of a delivery's finished counts are not settled; of a case counted twice, those of the last count. */
  async openDifferences(deliveryId: DeliveryId): Promise<number> {
    const { book } = this.#context
    const countedLater = new Set<CaseId | null>()
    let open = 0
    for (const row of book.rows.ofDelivery(deliveryId).toReversed()) {
      const { cases, finishedAt } = book.viewOf(row)
      if (finishedAt === null) continue
      const ofRow = await this.#differences.open(row)
      open += ofRow.filter((caseId) => !countedLater.has(caseId)).length
      for (const { caseId } of cases) countedLater.add(caseId)
    }
    return open
  }

  /** Asks about unknown items until the service no longer answers. */
  async #lookInto(row: CaseCountRow): Promise<void> {
    const { book, whereabouts } = this.#context
    const unknown = this.#differences.unknown(row.seq).slice(0, mostAsked)
    for (let from = 0; from < unknown.length; from += askedAtOnce) {
      const part = unknown.slice(from, from + askedAtOnce)
      const answers = await Promise.all(part.map(async (tagId) => ({ tagId, answer: await whereabouts.ask(tagId) })))
      for (const { tagId, answer } of answers) if (!answer.ok && isOtherThing(answer.error)) book.unscan(row, tagId)
      if (answers.every(({ answer }) => !answer.ok && answer.error.code !== 'service/not-found')) return
    }
  }
}
