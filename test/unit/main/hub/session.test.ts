import { describe, expect, it } from 'vitest'
import { isOlderSession } from '../../../../src-main/hub/postgres/session'

describe('the session that a hub has of a station', () => {
  // The newest first: this start, one that never reached the hub, and three that did.
  const sessions = ['now', 'unheard', 'third', 'second', 'first']

  it.each([
    ['the newest that it has had', 'third', 'third', false],
    ['from before that: the hub was restored', 'second', 'third', true],
    ['from long before that', 'first', 'third', true],
    ['newer than this station knows: the answer was lost', 'unheard', 'third', false],
    ['this start', 'now', 'now', false],
    ['of another copy of the data', 'other', 'third', false],
    ['any, where none is known to have begun', 'first', undefined, false],
    ['any, where the newest that began is forgotten', 'first', 'forgotten', false],
  ])('%s', (_, stored, lastBegun, isOlder) => {
    expect(isOlderSession(stored, sessions, lastBegun)).toBe(isOlder)
  })
})
