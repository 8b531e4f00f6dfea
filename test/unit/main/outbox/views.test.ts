import { describe, expect, it } from 'vitest'
import { viewOperation } from '../../../../src-main/outbox/views'
import type { Payload } from '../../../../src-main/outbox/payload'
import type { AppError } from '../../../../src-shared/errors'
import { OperationId } from '../../../../src-shared/ids'
import { tag } from '../../../fakes/ids'
import { accepted, complete, importing, rejected, retry, returning, unknown, useDesk, voiding } from './desk'

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

  it('names what a person can do to a waiting operation: undo what no other waits for', () => {
    const sale = desk.put(complete('17', tag(1)))
    expect(view(sale.id).actions).toEqual(['undo'])
    desk.put(returning('17', tag(1)))
    expect(view(sale.id).actions).toEqual([])
    const sent = desk.put(importing(3))
    for (const { seq } of desk.claimAll()) desk.outbox.settle(seq, unknown)
    expect(view(sale.id).actions).toEqual([])
    expect(view(sent.id)).toMatchObject({ state: 'unknown', undo: 'inverse', actions: ['undo'] })
  })

  it('names the steps after a refusal: a corrected order only if the service names some of its items', () => {
    const refuse = (payload: Payload, reason: AppError = { code: 'service/refused', status: 400, detail: 'no' }) => {
      const { id, seq } = desk.put(payload)
      desk.outbox.claim()
      desk.outbox.settle(seq, { kind: 'rejected', reason })
      return view(id).actions
    }
    const notImported = (n: number): AppError => ({ code: 'service/not-imported', tagIds: [tag(n)] })
    expect(refuse(complete('17', tag(1)))).toEqual(['retry', 'reopen', 'dismiss'])
    expect(refuse(complete('18', tag(2), tag(3)), notImported(2))).toEqual(['retry', 'reopen', 'amend', 'dismiss'])
    expect(refuse(returning('19', tag(4)), notImported(4))).toEqual(['retry', 'reopen', 'amend', 'dismiss'])
    expect(refuse(voiding('20', tag(5)), notImported(5))).toEqual(['retry', 'dismiss'])
    expect(refuse(importing(2))).toEqual(['retry', 'dismiss'])
  })

  it('offers to confirm an order that may have been accepted, but not to sell its items again', () => {
    const sale = desk.put(complete('17', tag(1)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, {
      kind: 'unknown',
      reason: { code: 'outbox/unsettled', status: 200, said: '' },
      afterMs: 0,
    })
    expect(view(sale.id).actions).toEqual(['confirm', 'retry', 'dismiss'])
    desk.clock.advance(60_000)
    desk.outbox.claim()
    expect(view(sale.id)).toMatchObject({ state: 'sending', actions: [] })
    desk.outbox.settle(sale.seq, { kind: 'rejected', reason: { code: 'service/already-processed', detail: 'd' } })
    expect(view(sale.id).actions).toEqual(['confirm', 'retry', 'dismiss'])
    desk.outbox.confirm(sale.id)
    expect(view(sale.id).actions).toEqual([])
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
