import type { Intent } from './ledger'
import type { At, PersonParts } from './person-checkout'
import { kept } from './sight'
import { type Lot, lots } from './store'

const formOf = (lot: Lot, posInventoryId: string) => ({
  caseId: lot.caseId,
  packagedProductId: lot.packagedProductId,
  packageUid: lot.packageUid,
  posProductId: 'POS-1',
  posInventoryId,
})

/** What a person does at the receiving desk. */
export function createClerk({ client, teller, ledger }: PersonParts) {
  const receive = (at: At, lot: Lot, posInventoryId: string) => {
    const { caseId, productName } = lot
    const intent: Intent = { kind: 'import', caseId, productName, posInventoryId }
    return teller.mean(at.n, intent, () => client.call('receiving.import', formOf(lot, posInventoryId)), at.patience)
  }

  return {
    /** Looks at every case, so that the station knows what is in it, whatever happens to the line later. */
    async open({ n }: At) {
      const cases = new Set(lots.map((one) => one.caseId))
      await Promise.all([...cases].map((identifier) => teller.ask(n, 'receiving.case', { identifier })))
    },
    async import(at: At, lot: Lot, posInventoryId: string) {
      // Nobody imports what the screen calls imported, or on its way.
      const last = (await kept(client)).findLast(
        ({ caseId, productName, state }) =>
          caseId === lot.caseId && productName === lot.productName && state !== 'cancelled' && state !== 'rejected',
      )
      if (last?.kind === 'import') ledger.write({ line: 'found', n: at.n, view: last })
      else await receive(at, lot, posInventoryId)
    },
    correct: (at: At, lot: Lot) => receive(at, lot, `INV-corrected-${at.n}`),
    async undo(at: At, operationId: string) {
      // Undone over a crash it is cancelled, or has its inverse: the station refuses to do it again.
      const intent: Intent = { kind: 'undo', operationId }
      await teller.mean(at.n, intent, () => client.call('receiving.undo', { operationId }), at.patience)
    },
  }
}
