import type { CartMode } from '../../../src-shared/ipc/contract/checkout'
import { type Station, idIn } from './station'

export const pos = { posProductId: 'POS-1', posInventoryId: 'INV-1' }

/** A person's steps at the station; `station()` returns the station of the running test. */
export function stepsOf(station: () => Station) {
  const fillCart = async (orderId: string, tagIds: string[]) => {
    await station().ask('checkout.setOrder', { mode: 'sale', orderId })
    for (const tagId of tagIds) await station().ask('checkout.addItem', { mode: 'sale', tagId })
  }
  const seen = async (mode: CartMode) => {
    const { orderId, itemCount, revision } = await station().ask('checkout.cart', { mode })
    return { mode, orderId, itemCount, revision }
  }
  /** Finishes as a person who confirms what there is to confirm, and waits a moment for what becomes of it. */
  const finish = async (mode: CartMode) => {
    const finished = await station().ask('checkout.finish', { ...(await seen(mode)), isMeant: true })
    return { ...finished, ...(await station().outcomeOf(finished.id)) }
  }
  const voidOrder = async (orderId: string) =>
    station().outcomeOf((await station().ask('checkout.void', { orderId })).id)
  const revisionOf = async (mode: CartMode) => (await seen(mode)).revision
  return {
    seen,
    clear: async (mode: CartMode) => station().ask('checkout.clear', { mode, revision: await revisionOf(mode) }),
    hold: async () => station().ask('checkout.hold', { revision: await revisionOf('sale') }),
    finish,
    /** Voids an order, and waits a moment for what becomes of it. */
    voidOrder,
    finishRefused: async (mode: CartMode) => station().refused('checkout.finish', await seen(mode)),
    /** The first case to import from the first package, with the input of its import. */
    caseToImport: async () => {
      const [packageUid = ''] = await station().codes('package')
      const view = await station().ask('receiving.package', { packageUid })
      const found = view.cases.find((one) => one.importState.kind === 'to-import')?.case
      const product = found?.packagedProducts[0]
      if (!found || !product) throw new Error('the practice store has no case to import')
      return {
        tagCount: found.tagCount,
        form: { packageUid, caseId: found.caseId, packagedProductId: product.packagedProductId, ...pos },
      }
    },
    /** Items that can be sold right away. */
    sellable: async (count: number) => (await station().codes('tag')).slice(-count).map(idIn),
    fillCart,
    sell: async (orderId: string, tagIds: string[]) => {
      await fillCart(orderId, tagIds)
      return finish('sale')
    },
    /** The transactions at the service, oldest first. */
    held: async () =>
      (await station().knobs.transactions()).map(({ kind, orderId, tagIds }) => ({ kind, orderId, tagIds })),
  }
}
