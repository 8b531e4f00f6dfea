import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createUndo, createUndoDelivery } from '../../../../src-main/receiving/import/undo'
import { DeliveryId } from '../../../../src-shared/ids'
import { receivingContext } from '../../../fakes/receiving-context'
import { accepted, importing, useDesk } from '../outbox/desk'

const desk = useDesk()

it('an import that is sent while its delivery is taken back without an approval is left', async () => {
  const { outbox, clock } = desk
  const context = receivingContext({ ...desk })
  const rows = context.deliveries
  const undoDelivery = createUndoDelivery(context, createUndo(outbox))
  const { id, seq } = rows.start(DeliveryId.parse(randomUUID()), clock.now())
  for (let n = 1; n <= 26; n++) rows.link(seq, desk.put(importing(n)).seq)
  expect(undoDelivery.gateOf(id)).toBeNull()
  const undone = undoDelivery.undo(id, false)
  // After 25 of them it pauses: the last one is sent.
  const sent = outbox.claim()
  if (!sent) throw new Error('nothing is left to send')
  outbox.settle(sent.seq, accepted)
  const done = await undone
  expect(done).toMatchObject({ ok: true, value: { refused: [{ error: { code: 'outbox/wrong-state' } }] } })
  expect(done.ok && done.value.saved.length).toBe(25)
  expect(outbox.read.counts().unsent).toBe(0)
})
