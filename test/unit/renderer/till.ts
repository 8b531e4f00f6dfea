import type { CaseId, TagId } from '../../../src-shared/ids'
import type { CartView } from '../../../src-shared/ipc/contract/checkout'
import { createClient } from '../../../src-shared/ipc/client'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { CallName } from '../../../src-shared/ipc/contract'
import type { Sound } from '../../../src-renderer/scan/sounds'
import { ScanStrip } from '../../../src-renderer/scan/strip.svelte'
import { Gate } from '../../../src-renderer/ui/gate.svelte'
import { Checkout } from '../../../src-renderer/checkout/checkout.svelte'
import { cart, itemAdded } from './examples'
import { type Asked, type FakeWire, createFakeWire } from './fake-wire'

/** The checkout connected to a wire that the test answers by hand. */
export function createCheckout() {
  const fake = createFakeWire()
  const sounds: Sound[] = []
  const play = (sound: Sound) => sounds.push(sound)
  const strip = new ScanStrip(play)
  const opened: CaseId[] = []
  const client = createClient(fake.wire)
  const checkout = new Checkout({
    client,
    gate: new Gate(client),
    strip,
    play,
    modeChanged: () => undefined,
    isInFront: () => true,
    openBudtenders: () => undefined,
    openReport: () => undefined,
    openCase: (caseId) => opened.push(caseId),
  })
  client.on('checkout.cart', (view) => checkout.cartChanged(view))
  client.on('checkout.cartStep', (step) => void checkout.cartStepped(step))
  client.on('checkout.flags', (changes) => checkout.flagsChanged(changes))
  client.on('checkout.reports', (view) => checkout.reports.show(view))
  client.on('checkout.held', (list) => checkout.held.show(list))
  return { fake, sounds, strip, opened, checkout, scan: (tag: TagId) => checkout.scanItem(checkout.sale, tag) }
}

/** Main's answer to a command that changes a cart: the cart as an event, then the revision. */
export async function changed(fake: FakeWire, command: CallName | Asked, view: CartView): Promise<void> {
  const asked = typeof command === 'string' ? fake.next(command) : command
  await fake.emit('checkout.cart', view)
  await asked.answer({ mode: view.mode, revision: view.revision })
}

/** Main's answer to a scan: the cart as an event, then the result for the item (the last item unless named). */
export async function added(fake: FakeWire, view: CartView, tagId?: TagId, asked = fake.next('checkout.addItem')) {
  await fake.emit('checkout.cart', view)
  await asked.answer(itemAdded(view, tagId))
}

/** Main's answer to a saved report: the empty cart as an event, then the operation. */
export async function reported(fake: FakeWire, operation: OperationView, asked = fake.next('checkout.finish')) {
  const mode = operation.kind === 'return' ? 'return' : 'sale'
  await fake.emit('checkout.cart', cart(mode, [], { id: 2, revision: 9 }))
  await asked.answer({ ...operation, mode, revision: 9 })
}
