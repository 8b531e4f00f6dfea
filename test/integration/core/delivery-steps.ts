import type { PracticeCode } from '../../../src-shared/ipc/contract/app'
import type { ManyDone } from '../../../src-shared/ipc/contract/receiving'
import type { DeliveryCase, DeliveryChange, DeliveryView } from '../../../src-shared/ipc/contract/delivery'
import { type Station, idIn } from './station'
import { pos } from './steps'

/** A clerk's steps with a delivery; `station()` returns the station of the running test. */
export function deliverySteps(station: () => Station) {
  const view = async (): Promise<DeliveryView> => {
    const delivery = await station().ask('receiving.delivery', undefined)
    if (!delivery) throw new Error('there is no delivery')
    return delivery
  }
  /** Every product without an import, each in the package that lists its case. */
  const formsOf = async () =>
    (await view()).cases.flatMap(({ caseId, packageUid, case: found }) =>
      (found?.packagedProducts ?? [])
        .filter((one) => one.importState.kind === 'to-import')
        .map(({ packagedProductId }) => ({ caseId, packagedProductId, packageUid: packageUid ?? 'none', ...pos })),
    )
  return {
    deliveryNow: view,
    /** Adds a case, and returns it as the delivery shows it then. */
    addCase: async (identifier: string): Promise<DeliveryCase> => {
      const { caseId } = await station().ask('receiving.addCase', { identifier })
      const added = (await view()).cases.find((one) => one.caseId === caseId)
      if (!added) throw new Error('the case is not listed')
      return added
    },
    /** Packages that were sent to us. */
    packages: () => station().codes('package'),
    /** The printed text of a case. */
    caseCode: async (about: PracticeCode['about']) => idIn((await station().codes('case', about))[0] ?? ''),
    formsOf,
    /** Splits the imports over as many calls as needed. */
    importAll: async (): Promise<ManyDone> => {
      const forms = await formsOf()
      const done: ManyDone = { saved: [], refused: [] }
      for (let from = 0; from < forms.length; from += 500) {
        const { saved, refused } = await station().ask('receiving.importMany', {
          imports: forms.slice(from, from + 500),
        })
        done.saved.push(...saved)
        done.refused.push(...refused)
      }
      return done
    },
    /** Resolves with the delivery once this many cases are listed and none is being read. */
    allRead: async (count: number): Promise<DeliveryView> => {
      for (let look = 0; look < 1_200; look++) {
        const delivery = await view()
        if (delivery.cases.length >= count && delivery.cases.every((one) => !one.isReading)) return delivery
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`not read: ${JSON.stringify(await view()).slice(0, 2_000)}`)
    },
    /** Collects events until it is stopped. */
    reads: () => {
      const heard: DeliveryChange[] = []
      const stop = station().client.on('receiving.changed', (change) => heard.push(change))
      return {
        stop,
        count: () => heard.length,
        changes: () => heard,
        deliveries: () => [...new Set(heard.map((one) => one.delivery?.id))],
        /** The cases of these events, without those still being read. */
        cases: () => heard.flatMap((one) => one.cases.filter(({ isReading }) => !isReading)),
        packages: () => heard.flatMap((one) => one.packages),
      }
    },
  }
}
