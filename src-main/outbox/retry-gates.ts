import type { Gate, GateQuestion } from '../../src-shared/gates'
import type { CaseId, OperationId, ShortUuid } from '../../src-shared/ids'
import { gateOfKind } from './kinds/gates'
import { nameOf } from './kinds/kinds'
import type { Operation } from './operation'
import type { Outbox } from './outbox'

/** Whether the remembered certificate of a product, or of any product of the case, speaks against its import. */
type IsAgainstCertificate = (caseId: CaseId, packagedProductId: ShortUuid | null) => boolean

/** The gates that reports pass when they are sent again: what a person permitted before is not asked about twice. */
export class RetryGates {
  readonly #outbox: Pick<Outbox, 'read' | 'actionsOf' | 'isPermitted'>
  readonly #isAgainstCertificate: IsAgainstCertificate

  constructor(outbox: Pick<Outbox, 'read' | 'actionsOf' | 'isPermitted'>, isAgainstCertificate: IsAgainstCertificate) {
    this.#outbox = outbox
    this.#isAgainstCertificate = isAgainstCertificate
  }

  /** The question about one report; null if it passes no gate. */
  ofOne(id: OperationId): GateQuestion | null {
    const operation = this.#outbox.read.byId(id)
    const gate = operation && this.#gateOf(operation)
    return operation && gate ? questionOf(gate, [operation]) : null
  }

  /** The question about many: about those of one gate, since no question names two. Null if none passes a gate. */
  ofMany(ids: readonly OperationId[]): GateQuestion | null {
    const all = [...new Set(ids)].flatMap((id) => this.#outbox.read.byId(id) ?? [])
    const asked = all.flatMap((operation) => {
      const gate = this.#gateOf(operation)
      return gate ? { gate, operation } : []
    })
    const [first] = asked
    if (!first) return null
    return questionOf(
      first.gate,
      asked.filter(({ gate }) => gate === first.gate).map(({ operation }) => operation),
    )
  }

  #ofImport({ payload, reason }: Operation): Gate | null {
    if (reason?.code === 'receiving/bad-certificate') return 'import-against-certificate'
    if (payload?.kind !== 'import' && payload?.kind !== 'blind-import') return null
    const { caseId } = payload
    const product = payload.kind === 'import' ? payload.packagedProductId : null
    return caseId !== null && this.#isAgainstCertificate(caseId, product) ? 'import-against-certificate' : null
  }

  #gateOf(operation: Operation): Gate | null {
    const outbox = this.#outbox
    if (!outbox.actionsOf(operation).includes('retry') || outbox.isPermitted(operation)) return null
    return gateOfKind[operation.kind] ?? this.#ofImport(operation)
  }
}

function questionOf(gate: Gate, operations: Operation[]): GateQuestion {
  const [first, another] = operations
  const count = operations.reduce((sum, { payload }) => sum + countOf(payload), 0)
  return { gate, count, name: first?.payload && !another ? nameOf(first.payload) : null }
}

/** Items for a change of items, otherwise reports. */
const countOf = (payload: Operation['payload']) => (payload && 'tagIds' in payload ? payload.tagIds.length : 1)
