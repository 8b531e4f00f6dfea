import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../../src-main/outbox/operation'
import { createUndo } from '../../../../src-main/receiving/import/undo'
import { ShortUuid } from '../../../../src-shared/ids'
import { caseOf, tag } from '../../../fakes/ids'
import { accepted, importing, rejected, useDesk } from './desk'

describe('an undo of a refused report', () => {
  const desk = useDesk()
  const undo = (operation: Operation) => {
    const undone = createUndo(desk.outbox).undo(operation.id)
    if (!undone.ok) throw new Error(undone.error.code)
    return undone.value
  }
  /** An import that was undone while it was being sent, and was refused afterwards. */
  const refused = () => {
    const operation = desk.put(importing(1))
    desk.outbox.claim()
    const removal = undo(operation)
    expect(removal).toMatchObject({ kind: 'import-removal', state: 'queued', undoes: operation.id })
    desk.outbox.settle(operation.seq, rejected)
    // The refused import left nothing to remove.
    expect(desk.claimAll()).toEqual([])
    return { operation, removal }
  }
  const stepsOf = ({ id }: Operation) => {
    const journal = desk.outbox.journalOf(id)
    return journal.ok ? journal.value.map(({ actor, what, to }) => [actor, what, to]) : []
  }

  it("is canceled with the dismissed import, so that another till's import is not removed", () => {
    const { operation, removal } = refused()
    const heard: string[] = []
    desk.events.on('operation.changed', 'test', ({ id, state }) =>
      heard.push(`${id === removal.id ? 'removal' : 'import'} ${state}`),
    )
    expect(desk.outbox.dismiss(operation.id, 'it is in already').ok).toBe(true)
    expect(desk.stateOf(removal)).toBe('cancelled')
    expect(desk.claimAll()).toEqual([])
    expect(stepsOf(removal).at(-1)).toEqual(['station', 'withdrawn', 'cancelled'])
    expect(heard).toEqual(['removal cancelled', 'import cancelled'])
    desk.restart()
    expect(desk.claimAll()).toEqual([])
  })

  it('is canceled when the report is reopened', () => {
    const { operation, removal } = refused()
    expect(desk.outbox.reopen(operation.id, () => undefined).ok).toBe(true)
    expect(desk.stateOf(removal)).toBe('cancelled')
    expect(desk.claimAll()).toEqual([])
  })

  it('is canceled when the import is corrected', () => {
    const { operation, removal } = refused()
    desk.outbox.correct(operation.id, importing(1, 'P-2'))
    expect(desk.claimAll().map((one) => one.id)).toEqual([operation.id])
    desk.outbox.settle(operation.seq, accepted)
    expect(desk.claimAll()).toEqual([])
    expect(desk.stateOf(removal)).toBe('cancelled')
  })

  it('still follows an import that is resent unchanged', () => {
    const { operation, removal } = refused()
    desk.outbox.retry(operation.id)
    expect(desk.claimAll().map((one) => one.id)).toEqual([operation.id])
    desk.outbox.settle(operation.seq, accepted)
    expect(desk.claimAll().map((one) => one.id)).toEqual([removal.id])
  })

  it.each(['remove-collection', 'restore-collection'] as const)(
    "is cancelled at once with a refused %s, so that another till's change is not undone",
    (kind) => {
      const collectionId = ShortUuid.parse(caseOf(5))
      const of = { collectionId, collectionType: 'case', collectionName: null, identifier: 'HF 5', itemCount: 1 }
      const operation = desk.put({ kind, ...of })
      desk.outbox.claim()
      const inverse = undo(operation)
      const heard: string[] = []
      desk.events.on('operation.changed', 'test', ({ id, state }) =>
        heard.push(`${id === inverse.id ? 'inverse' : 'change'} ${state}`),
      )
      desk.outbox.settle(operation.seq, rejected)
      expect([desk.stateOf(operation), desk.stateOf(inverse)]).toEqual(['rejected', 'cancelled'])
      expect(heard).toEqual(['inverse cancelled', 'change rejected'])
      desk.restart()
      expect(desk.claimAll()).toEqual([])
    },
  )

  it('is canceled with all operations that undo it, and unblocks the waiting ones', () => {
    const operation = desk.put({ kind: 'add-items', caseId: caseOf(5), productName: null, tagIds: [tag(11)] })
    desk.outbox.claim()
    const removal = undo(operation)
    const again = desk.outbox.enqueue(
      { kind: 'restore-item', caseId: caseOf(5), productName: null, tagId: tag(11) },
      { undoes: removal.id },
    )
    const later = desk.put({ kind: 'remove-item', caseId: caseOf(5), productName: null, tagId: tag(11) })
    desk.outbox.settle(operation.seq, rejected)
    desk.outbox.dismiss(operation.id, 'not ours')
    expect([removal, again.ok ? again.value : removal].map(desk.stateOf)).toEqual(['cancelled', 'cancelled'])
    expect(desk.claimAll().map((one) => one.id)).toEqual([later.id])
  })
})
