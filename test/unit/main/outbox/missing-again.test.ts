import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../../src-main/outbox/operation'
import { tag } from '../../../fakes/ids'
import { complete, rejected, returning, useDesk } from './desk'

describe('a refused return that was taken back, and settled by a later return', () => {
  const desk = useDesk()
  const refuse = (operation: Operation) => {
    expect(desk.claimAll().map(({ seq }) => seq)).toEqual([operation.seq])
    desk.outbox.settle(operation.seq, rejected)
    return operation
  }
  const isOpen = ({ id }: Operation) => desk.outbox.read.byId(id)?.isUnsettled
  /** The return, a sale of the same items that was refused since, and the return of that sale. */
  const settled = (undoes: boolean, ...items: number[]) => {
    const first = refuse(desk.put(returning('1', tag(1))))
    expect(desk.outbox.reopen(first.id, () => undefined).ok).toBe(true)
    expect(isOpen(first)).toBe(true)
    const sale = refuse(desk.put(complete('2', tag(1), tag(2))))
    const later = desk.outbox.enqueue(returning('2', ...items.map(tag)), undoes ? { undoes: sale.id } : {})
    if (!later.ok) throw new Error(later.error.code)
    expect(isOpen(first)).toBe(false)
    const heard: string[] = []
    desk.events.on('operation.changed', 'test', ({ id }) => heard.push(id))
    return { first, sale, later: later.value, heard }
  }

  it('needs attention again if that is withdrawn with a dismissed sale', () => {
    const { first, sale, later, heard } = settled(true, 1)
    expect(desk.outbox.dismiss(sale.id, 'Rung up on the wrong register').ok).toBe(true)
    expect(desk.stateOf(later)).toBe('cancelled')
    expect(isOpen(first)).toBe(true)
    expect(heard).toEqual([first.id, later.id, sale.id])
  })

  it('needs attention again if that is withdrawn with a sale that is put back into the cart', () => {
    const { first, sale } = settled(true, 1)
    expect(desk.outbox.reopen(sale.id, () => undefined).ok).toBe(true)
    expect(isOpen(first)).toBe(true)
  })

  it.each([[[1]], [[1, 2]]])(
    'needs attention again if its item is taken out of the sale, the later return of %j',
    (items) => {
      const { first, sale, heard } = settled(false, ...items)
      expect(desk.outbox.correct(sale.id, complete('2', tag(2))).ok).toBe(true)
      expect(isOpen(first)).toBe(true)
      expect(heard).toContain(first.id)
    },
  )
})
