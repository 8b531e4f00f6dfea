import type { CallName } from '../../src-shared/ipc/contract'
import type { Client } from '../../src-shared/ipc/client'
import type { ScanStrip } from './strip.svelte'

/**
 * Commands that change what a screen shows. Whatever the strip says of earlier scans may not be so after them: "added" of an
 * item that was removed, "can't be imported" of a case that was.
 */
const changing: ReadonlySet<CallName> = new Set<CallName>([
  'checkout.removeItem',
  'checkout.clear',
  'checkout.finish',
  'checkout.hold',
  'checkout.resume',
  'checkout.dropHeld',
  'checkout.reopen',
  'checkout.void',
  'checkout.amend',
  'checkout.amendMany',
  'collection.remove',
  'collection.restore',
  'collection.removeItem',
  'collection.restoreItem',
  'collection.addItems',
  'collection.addCase',
  'receiving.import',
  'receiving.importBlind',
  'receiving.importMany',
  'receiving.undo',
  'receiving.undoDelivery',
  'receiving.dropPackage',
  'receiving.dropCase',
  'receiving.finishDelivery',
  'receiving.reopenDelivery',
  'receiving.startCount',
  'receiving.joinCount',
  'receiving.uncountTag',
  'receiving.finishCount',
  'receiving.reopenCount',
  'receiving.resolve',
  'receiving.takeOverSettling',
  'outbox.withdraw',
  'outbox.dismiss',
  'outbox.confirm',
  'outbox.retry',
  'outbox.dismissMany',
  'outbox.retryMany',
])

/**
 * A client whose commands clear the strip once they are done, whatever key or button they come from. A scan's own command
 * doesn't: its notice says what came of it.
 */
export function clearing(client: Client, strip: Pick<ScanStrip, 'clear'>): Client {
  return {
    async call(name, input) {
      const answer = await client.call(name, input)
      if (answer.ok && changing.has(name)) strip.clear()
      return answer
    },
    on: client.on.bind(client),
  }
}
