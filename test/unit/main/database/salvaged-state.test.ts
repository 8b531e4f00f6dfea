import { describe, expect, it } from 'vitest'
import type { OperationState } from '../../../../src-shared/ipc/contract/outbox'
import { salvagedState } from '../../../../src-main/database/salvage/settle'

/** The state in the row, the states in the journal, the salvaged state, and why. */
const cases: [OperationState, OperationState[], OperationState, string][] = [
  ['queued', ['queued'], 'unknown', 'it may have been sent later'],
  ['sending', ['queued', 'sending'], 'unknown', 'it may have arrived'],
  ['unknown', ['queued', 'sending', 'unknown'], 'unknown', 'it is checked anyway'],
  ['queued', [], 'unknown', 'its journal is lost'],
  ['accepted', ['queued', 'sending'], 'accepted', 'the end of its journal is lost'],
  ['cancelled', [], 'cancelled', 'a withdrawn operation stays withdrawn'],
  ['queued', ['queued', 'cancelled'], 'cancelled', 'its row is older than its withdrawal'],
  ['sending', ['queued', 'sending', 'accepted'], 'accepted', 'its row is older than the answer'],
  ['sending', ['queued', 'sending', 'rejected'], 'rejected', 'its row is older than the refusal'],
  ['rejected', ['queued', 'sending', 'rejected'], 'rejected', 'a person must decide'],
  ['rejected', ['queued', 'sending'], 'rejected', 'the end of its journal is lost'],
  ['rejected', [], 'rejected', 'its journal is lost'],
  ['rejected', ['queued', 'sending', 'rejected', 'queued'], 'unknown', 'it was sent again later'],
  [
    'rejected',
    ['queued', 'sending', 'rejected', 'queued', 'sending', 'accepted'],
    'accepted',
    'it was sent again and accepted',
  ],
  [
    'unknown',
    ['queued', 'sending', 'rejected', 'unknown', 'cancelled'],
    'cancelled',
    'it was sent again and dismissed',
  ],
]

describe('the state of a salvaged operation', () => {
  it.each(cases)('%s, journal %j: %s, because %s', (row, steps, expected) => {
    expect(salvagedState(row, steps)).toBe(expected)
  })
})
