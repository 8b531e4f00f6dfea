import type { CaseId, TagId } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import type { Sound } from '../../../src-renderer/scan/sounds'
import { ScanStrip } from '../../../src-renderer/scan/strip.svelte'
import { Checkout } from '../../../src-renderer/checkout/checkout.svelte'
import { createFakeWire } from './fake-wire'

/** The checkout at a wire that tests answer by hand. */
export function createCheckout() {
  const fake = createFakeWire()
  const sounds: Sound[] = []
  const play = (sound: Sound) => sounds.push(sound)
  const strip = new ScanStrip(play)
  const opened: CaseId[] = []
  const checkout = new Checkout({
    client: createClient(fake.wire),
    strip,
    play,
    modeChanged: () => undefined,
    isInFront: () => true,
    openCase: (caseId) => opened.push(caseId),
  })
  return { fake, sounds, strip, opened, checkout, scan: (tag: TagId) => checkout.scanItem(checkout.sale, tag) }
}
