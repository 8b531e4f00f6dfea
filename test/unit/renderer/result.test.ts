import { describe, expect, it } from 'vitest'
import { say } from '../../../src-renderer/text/text.svelte'
import { resultOf } from '../../../src-renderer/checkout/result'
import { operation } from './examples'

const title = (fields: Parameters<typeof operation>[0]) =>
  say(resultOf(operation({ orderId: '10482', itemCount: 6, ...fields })).title)

describe('the result of an import', () => {
  it('says what an unsent report waits for', () => {
    expect(title({ kind: 'import', state: 'queued' })).toBe('Saved. Will be sent when the connection is back.')
    expect(title({ kind: 'import', state: 'queued', waitsFor: 1 })).toBe(
      'Saved. Waiting for an earlier report of these items.',
    )
    expect(title({ kind: 'import', state: 'sending' })).toBe('Saved. The service has not confirmed it yet.')
  })

  it('says why a report was refused', () => {
    const refused = operation({
      kind: 'import',
      state: 'rejected',
      reason: { code: 'service/not-imported', tagIds: ['x'] },
    })
    expect(say(resultOf(refused).title)).toBe('1 item is not in our inventory.')
    expect(resultOf(refused)).toMatchObject({ sound: 'bad' })
  })
})
