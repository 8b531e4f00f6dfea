import { createClient } from '../../../src-shared/ipc/client'
import type { DeliveryChange } from '../../../src-shared/ipc/contract/delivery'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { CaseView, ImportState } from '../../../src-shared/ipc/contract/receiving'
import { Receiving } from '../../../src-renderer/receiving/receiving.svelte'
import type { ScanOutcome } from '../../../src-renderer/scan/strip.svelte'
import {
  caseAdded,
  caseId,
  caseView,
  deliveryCase,
  deliveryChange,
  operation,
  operationId,
  packageAdded,
  packageView,
  product,
  productId,
} from './examples'
import { type FakeWire, createFakeWire } from './fake-wire'

export const uid = '1A4060300020081000006609'

/** A receiving screen that receives main's events. */
export function createReceiving() {
  const fake = createFakeWire()
  fake.always('receiving.prefills', [])
  fake.always('receiving.unreadCases', [])
  fake.always('receiving.forgetUnreadCase', null)
  const client = createClient(fake.wire)
  const told: ScanOutcome[] = []
  const receiving = new Receiving(client, (outcome) => told.push(outcome))
  client.on('receiving.changed', (change) => receiving.changed(change))
  client.on('outbox.changed', (operation) => receiving.operationChanged(operation))
  return { fake, receiving, told }
}

export const announce = (fake: FakeWire, fields: Partial<DeliveryChange>) =>
  fake.emit('receiving.changed', deliveryChange(fields))

/** Main announces what the scan of a package added, and answers the scan. */
export async function answerPackage(fake: FakeWire, packageUid = uid, cases: CaseView[] = []) {
  const asked = fake.next('receiving.addPackage')
  await announce(fake, {
    packages: [packageView(packageUid)],
    cases: cases.map((view) => deliveryCase(view, packageUid)),
  })
  await asked.answer(packageAdded(packageUid, cases))
}

/** The same for the scan of a case. */
export async function answerCase(fake: FakeWire, view: CaseView, asked = fake.next('receiving.addCase')) {
  const [only = null, ...others] = view.packageUids
  await announce(fake, { cases: [deliveryCase(view, others.length === 0 ? only : null)] })
  await asked.answer(caseAdded(view))
}

/** Main announces a new import state for the only product of a case in the package. */
export const announceState = (fake: FakeWire, number: number, state: ImportState) =>
  announce(fake, { cases: [deliveryCase(caseView(number, { packagedProducts: [product(number, state)] }), uid)] })

export async function receivingPackage(cases = [caseView(1), caseView(2)]) {
  const { fake, receiving, told } = createReceiving()
  const added = receiving.add({ kind: 'package', packageUid: uid })
  await answerPackage(fake, uid, cases)
  await added
  return { fake, receiving, told }
}

export async function receivingCases(...cases: CaseView[]) {
  const { fake, receiving } = createReceiving()
  for (const view of cases) {
    const added = receiving.add({ kind: 'case', identifier: view.identifier })
    await answerCase(fake, view)
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
    packagedProductId: productId(number),
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
