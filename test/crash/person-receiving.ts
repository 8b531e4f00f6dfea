import type { Intent } from './ledger'
import type { At, PersonParts } from './person-checkout'
import type { Deed } from './script'
import { kept } from './sight'
import { type Lot, countedCases, lots } from './store'

/** What the person enters where a gate asks. */
const approval = { reason: 'Crash suite' }

const posIdsOf = (posInventoryId: string) => ({ posProductId: 'POS-1', posInventoryId })
const formOf = (lot: Lot, posInventoryId: string) => ({
  caseId: lot.caseId,
  packagedProductId: lot.packagedProductId,
  packageUid: lot.packageUid,
  ...posIdsOf(posInventoryId),
})

/** What a person does at the receiving desk. */
export function createClerk({ client, teller, ledger }: PersonParts) {
  const receive = (at: At, lot: Lot, posInventoryId: string) => {
    const { caseId, productName } = lot
    const intent: Intent = { kind: 'import', caseId, productName, posInventoryId }
    return teller.mean(
      at.n,
      intent,
      () => client.call('receiving.import', { ...formOf(lot, posInventoryId), approval }),
      at.patience,
    )
  }

  /** The last import or removal of a lot, if the lot is imported or on its way. */
  const isReceived = async (received: readonly Lot[]) =>
    (await kept(client)).findLast(
      ({ kind, caseId, productName, state }) =>
        (kind === 'import' || kind === 'import-removal') &&
        received.some((lot) => caseId === lot.caseId && productName === lot.productName) &&
        state !== 'cancelled' &&
        state !== 'rejected',
    )

  /** Counts a case; undefined when the station can't. */
  const countItems = async ({ n }: At, { counted, present }: Extract<Deed, { do: 'count' }>) => {
    const { caseId } = counted
    await teller.ask(n, 'receiving.case', { identifier: caseId })
    const open = await teller.ask(n, 'receiving.openCount', undefined)
    if (open && open.caseId !== caseId) await teller.ask(n, 'receiving.finishCount', { countId: open.id })
    const count = open?.caseId === caseId ? open : await teller.ask(n, 'receiving.startCount', { caseId })
    if (!count) return undefined
    ledger.write({ line: 'counts', n, countId: count.id })
    for (const tagId of present) await teller.ask(n, 'receiving.countTag', { countId: count.id, tagId })
    return count.id
  }

  return {
    /**
     * Opens every case except the unseen ones, so that the station knows their contents, whatever happens to the
     * connection later.
     */
    async open({ n }: At) {
      const cases = new Set(lots.filter((one) => one.place !== 'unseen').map((one) => one.caseId))
      await Promise.all([...cases].map((identifier) => teller.ask(n, 'receiving.case', { identifier })))
      // Opens the items beside the cases as well.
      const open = await teller.ask(n, 'receiving.openCount', undefined)
      if (open) await teller.ask(n, 'receiving.finishCount', { countId: open.id })
      for (const { caseId, beside } of countedCases) {
        const count = await teller.ask(n, 'receiving.startCount', { caseId })
        if (!count) continue
        for (const { tagId } of beside) await teller.ask(n, 'receiving.countTag', { countId: count.id, tagId })
        await teller.ask(n, 'receiving.finishCount', { countId: count.id })
      }
    },
    async import(at: At, lot: Lot, posInventoryId: string) {
      // A person doesn't import a case that the screen shows as imported, or on its way.
      const last = await isReceived([lot])
      if (last?.kind === 'import') ledger.write({ line: 'found', n: at.n, view: last })
      else await receive(at, lot, posInventoryId)
    },
    async importBlind(at: At, { label, lots: inside, posInventoryId }: Extract<Deed, { do: 'blind import' }>) {
      const last = await isReceived(inside)
      if (last?.kind === 'import') {
        ledger.write({ line: 'found', n: at.n, view: last })
        return
      }
      const packageUid = (inside[0] ?? lots[0])?.packageUid ?? ''
      const form = { scanned: label, packageUid, ...posIdsOf(posInventoryId) }
      const intent: Intent = { kind: 'blind-import', label, posInventoryId }
      await teller.mean(at.n, intent, () => client.call('receiving.importBlind', form), at.patience)
    },
    correct: (at: At, lot: Lot) => receive(at, lot, `INV-corrected-${at.n}`),
    async undo(at: At, operationId: string) {
      // If a crash interrupted the undo, the operation is canceled or has its inverse: the station refuses to undo it
      // again.
      const intent: Intent = { kind: 'undo', operationId }
      await teller.mean(at.n, intent, () => client.call('receiving.undo', { operationId, approval }), at.patience)
    },
    /**
     * Counts a case and reports the differences. `before`: the count of the same deed, if the station died during it.
     */
    async count(at: At, deed: Extract<Deed, { do: 'count' }>, before: string | undefined) {
      const { n } = at
      const { caseId } = deed.counted
      const open = before === undefined ? null : await teller.ask(n, 'receiving.openCount', undefined)
      const isOver = before !== undefined && open?.id !== before
      const countId = isOver ? before : await countItems(at, deed)
      if (countId === undefined) return
      await teller.ask(n, 'receiving.finishCount', { countId })
      const detail = await teller.ask(n, 'receiving.countDetail', { countId })
      const left = (detail?.differences ?? []).filter(
        ({ resolution, operationId }) => resolution === 'open' && operationId === null,
      )
      for (const [kind, how] of [
        ['missing', 'remove'],
        ['stranger', 'add'],
      ] as const) {
        const tagIds = left.filter((one) => one.kind === kind).map(({ tagId }) => tagId)
        if (tagIds.length === 0) continue
        const intent: Intent = { kind: 'change', how, caseId, tagIds }
        const call = () => client.call('receiving.resolve', { countId, changes: [{ caseId, tagIds }], how, approval })
        await teller.mean(n, intent, call, at.patience)
      }
    },
  }
}
