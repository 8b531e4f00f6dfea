import { describe, expect, it } from 'vitest'
import { viewOperation } from '../../../../src-main/outbox/views'
import { OperationId } from '../../../../src-shared/ids'
import { tag } from '../../../fakes/ids'
import { accepted, complete, rejected, retry, returning, unknown, useDesk, voiding } from './desk'

describe('the view of an operation', () => {
  const desk = useDesk()
  const view = (id: OperationId) => {
    const operation = desk.outbox.read.byId(id)
    if (!operation) throw new Error('not there')
    return viewOperation(operation, desk.outbox, desk.clock)
  }

  it('names the first operation it waits for, over a chain of any length', () => {
    const sale = desk.put(complete('17', tag(1)))
    const back = desk.put(returning('17', tag(1)))
    const end = desk.put(voiding('17', tag(1)))
    expect(view(sale.id).heldUpBy).toBeNull()
    expect(view(back.id).heldUpBy).toMatchObject({ id: sale.id, kind: 'complete', orderId: '17', state: 'queued' })
    expect(view(end.id).heldUpBy).toMatchObject({ id: sale.id })
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    expect(view(end.id).heldUpBy).toMatchObject({ id: sale.id, state: 'rejected' })
    desk.outbox.dismiss(sale.id, 'rung up twice')
    expect(view(end.id).heldUpBy).toMatchObject({ id: back.id })
  })

  it.each([
    ['queued', retry],
    ['unknown', unknown],
  ] as const)('says when a %s operation is tried next, and only while it waits for that', (state, outcome) => {
    const sale = desk.put(complete('17', tag(1)))
    expect(view(sale.id).nextAttemptAt).toBeNull()
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, outcome)
    expect(view(sale.id)).toMatchObject({ state, nextAttemptAt: '2026-11-21T14:00:00.500Z' })
    desk.clock.advance(500)
    expect(view(sale.id).nextAttemptAt).toBeNull()
    desk.outbox.claim()
    desk.clock.advance(-100)
    expect(view(sale.id)).toMatchObject({ state: 'sending', nextAttemptAt: null })
  })

  it('contains its whole history: actor, time, step, states and reason', () => {
    const sale = desk.put(complete('17', tag(1)))
    desk.clock.advance(1_000)
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, retry)
    desk.clock.advance(60_000)
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    desk.outbox.retry(sale.id)
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    desk.outbox.dismiss(sale.id, 'rung up twice')
    const story = desk.outbox.journalOf(sale.id)
    expect(story.ok && story.value.map(({ actor, what, from, to }) => [actor, what, from, to])).toEqual([
      ['person', 'saved', null, 'queued'],
      ['station', 'claimed', 'queued', 'sending'],
      ['station', 'retry', 'sending', 'queued'],
      ['station', 'claimed', 'queued', 'sending'],
      ['station', 'rejected', 'sending', 'rejected'],
      ['person', 'sent again', 'rejected', 'queued'],
      ['station', 'claimed', 'queued', 'sending'],
      ['station', 'rejected', 'sending', 'rejected'],
      ['person', 'dismissed', 'rejected', 'cancelled'],
    ])
    expect(story.ok && story.value[2]).toMatchObject({
      at: '2026-11-21T14:00:01.000Z',
      reason: { code: 'service/unreachable' },
    })
    expect(story.ok && story.value[4]?.reason).toMatchObject({ code: 'service/refused', detail: 'no' })
    expect(story.ok && story.value.at(-1)?.because).toBe('rung up twice')
  })

  it('is refused for an unknown id, and reads a step that another version wrote', () => {
    expect(desk.outbox.journalOf(OperationId.parse('00000000-0000-4000-8000-000000000000'))).toEqual({
      ok: false,
      error: { code: 'outbox/not-found' },
    })
    const sale = desk.put(complete('17', tag(1)))
    desk.db.exec(`INSERT INTO journal (operation_seq, at, actor, what, to_state, detail)
      VALUES (${sale.seq}, 0, 'station', 'teleported', 'queued', 'no json')`)
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, accepted)
    const story = desk.outbox.journalOf(sale.id)
    expect(story.ok && story.value.map(({ what }) => what)).toEqual(['saved', 'other', 'claimed', 'accepted'])
  })
})
