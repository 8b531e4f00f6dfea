import { describe, expect, it } from 'vitest'
import type { OperationName, OperationView } from '../../../src-shared/ipc/contract/outbox'
import { say } from '../../../src-renderer/text/text.svelte'
import {
  operationChip,
  operationTitle,
  permittedText,
  takenBackText,
  waitingReasons,
} from '../../../src-renderer/outbox/operation-text'
import type { TagId } from '../../../src-shared/ids'
import { tag } from '../../fakes/ids'
import { at, caseId, operation, operationId } from './examples'

const name = (fields: Partial<OperationName> = {}): OperationName => ({
  id: operationId(2),
  kind: 'complete',
  state: 'rejected',
  orderId: '17',
  caseId: null,
  collectionId: null,
  productName: null,
  ...fields,
})

const waits = (fields: Partial<OperationView>, connection: 'online' | 'unreachable' | 'failing' = 'online') =>
  waitingReasons(operation({ state: 'queued', attempts: 0, ...fields }), connection).map(say)

describe('a refused sale that was put back into the cart', () => {
  const takenBack = (...tagIds: TagId[]) => {
    const missing = tagIds.map((tagId) => ({ tagId, productName: tagId === tag(1) ? null : 'Blue Dune, 3.5 g' }))
    return operation({ state: 'cancelled', note: 'taken-back', kind: 'complete', itemCount: 5, missing })
  }
  const all = [1, 2, 3, 4, 5].map(tag)

  it('is marked until it is sent again, and says which items are missing', () => {
    expect(operationChip(takenBack(...all))).toEqual({
      tone: 'attention',
      text: { key: 'operation.note.taken-back' },
    })
    const said = (...missing: TagId[]) => {
      const text = takenBackText(takenBack(...missing))
      return text && say(text)
    }
    expect(said(...all)).toMatch(/^Its items were put back into the cart and not sent again\. /)
    expect(said(tag(1))).toMatch(`1 of 5 items was not sent again: ${tag(1)}. `)
    expect(said(...all.slice(1))).toContain('4 of 5 items were not sent again: Blue Dune, 3.5 g. ')
    expect(said(...all.slice(0, 2))).toContain(`2 of 5 items were not sent again: ${tag(1)} and Blue Dune, 3.5 g. `)
    expect(takenBackText(operation({ state: 'cancelled', note: 'reopened' }))).toBeNull()
  })

  it('shows the reason for which it was dismissed', () => {
    const { text } = operationChip({ ...takenBack(), note: 'reopened', dismissedBecause: 'stayed here' })
    expect(say(text)).toBe('Dismissed: stayed here')
  })
})

describe('a waiting operation', () => {
  it.each([
    [name(), 'Waits for the sale of order 17, which needs attention.'],
    [name({ state: 'queued' }), 'Waits for the sale of order 17, which is not sent yet.'],
    [name({ state: 'sending', kind: 'return' }), 'Waits for the return for order 17, which is being sent.'],
    [name({ state: 'unknown', kind: 'void' }), 'Waits for the void of order 17, which isn’t confirmed yet.'],
    [
      name({ kind: 'import', orderId: null, productName: 'Blue Dune, 3.5 g' }),
      'Waits for the import of Blue Dune, 3.5 g, which needs attention.',
    ],
    [
      name({ kind: 'import-removal', orderId: null, caseId: caseId(1), state: 'queued' }),
      `Waits for the import removal of ${caseId(1)}, which is not sent yet.`,
    ],
    [
      name({ kind: 'unreadable', orderId: null }),
      'Waits for a report that this version can’t read, which needs attention.',
    ],
  ])('names the operation it waits for: %#', (heldUpBy, text) => {
    expect(waits({ waitsFor: 1, heldUpBy })).toEqual([text])
  })

  it('says how many operations it waits for if there are several', () => {
    expect(waits({ waitsFor: 3, heldUpBy: name() })).toEqual([
      'Waits for the sale of order 17, which needs attention.',
      'Waiting for 3 earlier reports of these items.',
    ])
  })

  it('still says that it waits when the other operation is unknown', () => {
    expect(waits({ waitsFor: 1 })).toEqual(['Waiting for an earlier report of these items.'])
  })

  it('says why the last attempt failed and when the next one is due', () => {
    const [reason, next, ...more] = waits({
      reason: { code: 'service/busy' },
      nextAttemptAt: '2026-11-12T14:02:11Z',
      attempts: 1,
    })
    expect(reason).toBe('The service is too busy.')
    expect(next).toMatch(/^Next try at \d{1,2}:02:11/)
    expect(more).toEqual([])
  })

  it('names the connection as the reason to wait before its first attempt', () => {
    expect(waits({}, 'unreachable')).toEqual(['Goes out when the connection is back.'])
    expect(waits({}, 'failing')).toEqual(['Goes out when the service works again.'])
    expect(waits({}, 'online')).toEqual(['Goes out in a moment.'])
  })

  it('says after a lost answer that the report is checked first', () => {
    expect(waits({ state: 'unknown', reason: { code: 'service/unreachable' } })).toEqual([
      'No connection to the service.',
      'It was sent, but no answer confirms it. We check before sending it again.',
    ])
  })
})

describe('a title', () => {
  it('names the order, the product, or the case if there is no product', () => {
    expect(say(operationTitle(operation({ kind: 'void', orderId: '8' })))).toBe('Void: order 8')
    expect(say(operationTitle(operation({ kind: 'import', productName: 'Blue Dune' })))).toBe('Import: Blue Dune')
    expect(say(operationTitle(operation({ kind: 'import', caseId: caseId(1) })))).toBe(`Import: ${caseId(1)}`)
  })
})

describe('a change that was made with a reason', () => {
  const printed = (fields: Partial<OperationView>) =>
    permittedText({ at, operation: operation({ kind: 'void', orderId: '17', ...fields }), reason: 'Wrong case' })

  it('has its state, unless it is reported', () => {
    expect(printed({ state: 'accepted' })).toMatch(/ · Wrong case$/)
    expect(printed({ state: 'queued' })).toMatch(/ · Wrong case · Waiting$/i)
    expect(printed({ state: 'rejected' })).toMatch(/ · Wrong case · Refused$/i)
  })
})

describe('the state of a report that needs a person', () => {
  const chip = (reason: OperationView['reason']) => say(operationChip(operation({ state: 'rejected', reason })).text)

  it('is "Refused" only if the service refused it', () => {
    expect(chip({ code: 'service/items-missing' })).toBe('Refused')
    expect(chip({ code: 'service/refused', status: 400, detail: 'no' })).toBe('Refused')
    expect(chip({ code: 'outbox/time-unknown' })).toBe('Not reported')
    expect(chip({ code: 'outbox/customer-lost' })).toBe('Not reported')
    expect(chip({ code: 'outbox/unreadable' })).toBe('Not reported')
  })
})
