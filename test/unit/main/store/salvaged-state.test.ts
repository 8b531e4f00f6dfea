import { describe, expect, it } from 'vitest'
import type { OperationState } from '../../../../src-shared/ipc/contract/outbox'
import { salvagedState } from '../../../../src-main/store/salvage/settle'

/** The state in the row, the states in the journal, the salvaged state, and why. */
const cases: [OperationState, OperationState[], OperationState, string][] = [
  ['queued', ['queued'], 'unknown', 'it may have been sent since'],
  ['sending', ['queued', 'sending'], 'unknown', 'it may have arrived'],
  ['unknown', ['queued', 'sending', 'unknown'], 'unknown', 'it is looked into anyway'],
  ['queued', [], 'unknown', 'its journal is lost'],
  ['accepted', ['queued', 'sending'], 'accepted', 'the end of its journal is lost'],
  ['cancelled', [], 'cancelled', 'withdrawn stays withdrawn'],
  ['queued', ['queued', 'cancelled'], 'cancelled', 'its row is older than its withdrawal'],
  ['sending', ['queued', 'sending', 'accepted'], 'accepted', 'its row is older than the answer'],
  ['sending', ['queued', 'sending', 'rejected'], 'rejected', 'its row is older than the refusal'],
  ['rejected', ['queued', 'sending', 'rejected'], 'rejected', 'a person must look'],
  ['rejected', ['queued', 'sending'], 'rejected', 'the end of its journal is lost'],
  ['rejected', [], 'rejected', 'its journal is lost'],
  ['rejected', ['queued', 'sending', 'rejected', 'queued'], 'unknown', 'it was sent again since'],
  ['rejected', ['queued', 'sending', 'rejected', 'queued', 'sending', 'accepted'], 'accepted', 'sent again, and taken'],
  ['unknown', ['queued', 'sending', 'rejected', 'unknown', 'cancelled'], 'cancelled', 'sent again, and given up'],
]

describe('the state of a salvaged operation', () => {
  it.each(cases)('%s, journal %j: %s, for %s', (row, steps, expected) => {
    expect(salvagedState(row, steps)).toBe(expected)
  })
})
