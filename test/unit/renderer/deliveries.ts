import { createClient } from '../../../src-shared/ipc/client'
import type { CaseView } from '../../../src-shared/ipc/receiving-view'
import { Receiving } from '../../../src-renderer/receiving/receiving.svelte'
import { caseAdded, caseView, packageAdded, caseId, operation, operationId } from './examples'
import { createFakeWire } from './fake-wire'
import type { OperationView } from '../../../src-shared/ipc/operation-view'

export const uid = '1A4060300020081000006609'

/** A receiving screen whose events are taken in at once. */
export function createReceiving() {
  const fake = createFakeWire()
  fake.always('receiving.prefills', [])
  return { fake, receiving: new Receiving(createClient(fake.wire), (run) => run()) }
}

export async function receivingPackage(cases = [caseView(1), caseView(2)]) {
  const { fake, receiving } = createReceiving()
  const added = receiving.add({ kind: 'package', packageUid: uid })
  await fake.next('receiving.addPackage').answer(packageAdded(uid, cases))
  await added
  return { fake, receiving }
}

export async function receivingCases(...cases: CaseView[]) {
  const { fake, receiving } = createReceiving()
  for (const view of cases) {
    const added = receiving.add({ kind: 'case', identifier: view.identifier })
    await fake.next('receiving.addCase').answer(caseAdded(view))
    await added
  }
  return { fake, receiving }
}

/** Types the POS ids of the selected case. */
export function fill(receiving: Receiving) {
  const ids = receiving.form?.ids
  ids?.choose('posProductId', 'P-1')
  ids?.choose('posInventoryId', 'I-1')
}

export const importOf = (number: number, fields: Partial<OperationView> = {}) =>
  operation({
    id: operationId(number),
    seq: number,
    kind: 'import',
    caseId: caseId(number),
    state: 'queued',
    ...fields,
  })

/** Three cases of three products, the POS ids of all but the last filled in. */
export async function readyPackage() {
  const setup = await receivingPackage([caseView(1), caseView(2), caseView(3)])
  for (const number of [1, 2]) {
    setup.receiving.select(caseId(number))
    fill(setup.receiving)
  }
  return setup
}
