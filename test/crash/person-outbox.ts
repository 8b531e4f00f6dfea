import { assertNever } from '../../src-shared/result'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { At, PersonParts, createCashier } from './person-checkout'
import type { createClerk } from './person-receiving'
import type { Deed } from './script'
import type { PracticeKnobs } from '../fakes/practice-admin'
import { inNeed, waiting } from './sight'
import { lots } from './store'

interface OutboxParts extends PersonParts {
  cashier: ReturnType<typeof createCashier>
  clerk: ReturnType<typeof createClerk>
  /** The service's own list, which the person reads before settling an operation that the station could not settle. */
  knobs: Pick<PracticeKnobs, 'transactions' | 'imports'>
}

/** What a person does with the operations that didn't go through. */
export function createDatabaseHost({ client, teller, cashier, clerk, knobs }: OutboxParts) {
  const retry = ({ n, patience }: At, { id: operationId }: OperationView) =>
    teller.mean(
      n,
      { kind: 'retry', operationId },
      () => client.call('outbox.retry', { operationId, approval: { reason: 'sent again' } }),
      patience,
    )

  const dismiss = ({ n, patience }: At, operationId: string) => {
    const because = `customer did not come back, ${n}`
    const call = () => client.call('outbox.dismiss', { operationId, reason: because })
    return teller.mean(n, { kind: 'dismiss', operationId, because }, call, patience)
  }

  /** Whether the service's own list has the operation that the station could not settle. */
  const isThere = async (one: OperationView) =>
    one.orderId === null
      ? (await knobs.imports()).some(({ caseId }) => caseId === one.caseId) === (one.kind === 'import')
      : (await knobs.transactions()).some(({ kind, orderId }) => kind === one.kind && orderId === one.orderId)

  /** Settles such an operation according to the service's list. */
  const settle = async (at: At, one: OperationView) => {
    const operationId = one.id
    return (await isThere(one)) ? teller.ask(at.n, 'outbox.confirm', { operationId }) : retry(at, one)
  }

  return {
    dismiss,
    settle,
    async attend(at: At, which: number, how: Extract<Deed, { do: 'attend' }>['how']) {
      const all = await inNeed(client)
      const one = all[which % Math.max(all.length, 1)]
      if (!one) return
      if (one.state === 'unknown') return settle(at, one)
      // What was put back into the cart and not sent again is opened once more, or given up.
      if (one.note === 'taken-back' && how !== 'reopen') return dismiss(at, one.id)
      switch (how) {
        case 'retry':
          return retry(at, one)
        case 'dismiss':
          return dismiss(at, one.id)
        case 'reopen': {
          if (one.kind !== 'complete' && one.kind !== 'return') return retry(at, one)
          const refused = one.reason && 'tagIds' in one.reason ? one.reason.tagIds : []
          return cashier.reopen(at, one.id, one.kind === 'complete' ? 'sale' : 'return', refused)
        }
        case 'correct': {
          const isBlind = one.kind === 'blind-import'
          // Only a person can say which of several products was meant.
          const lot = lots.find(
            (each) => each.caseId === one.caseId && (isBlind || each.productName === one.productName),
          )
          return (isBlind || one.kind === 'import') && lot ? clerk.correct(at, lot) : dismiss(at, one.id)
        }
        default:
          return assertNever(how)
      }
    },
    async withdraw(at: At, which: number) {
      const all = (await waiting(client)).filter((one) => one.undo === 'withdraw')
      const operationId = all[which % Math.max(all.length, 1)]?.id
      if (operationId === undefined) return
      const call = () => client.call('outbox.withdraw', { operationId })
      await teller.mean(at.n, { kind: 'withdraw', operationId }, call, at.patience)
    },
  }
}
