import { describe, expect, it } from 'vitest'
import { say } from '../../../src-renderer/text/text.svelte'
import { resultOf } from '../../../src-renderer/checkout/result.svelte'
import { operation } from './examples'

const title = (fields: Parameters<typeof operation>[0]) =>
  say(resultOf(operation({ orderId: '10482', itemCount: 6, ...fields })).title)

describe('the result of a report', () => {
  it('says what was reported', () => {
    expect(title({ kind: 'complete' })).toBe('Order 10482 reported, 6 items')
    expect(title({ kind: 'return', itemCount: 1 })).toBe('Return for order 10482 reported, 1 item')
    expect(title({ kind: 'void' })).toBe('Order 10482 voided')
  })

  it('says what an unsent report waits for', () => {
    expect(title({ state: 'queued' })).toBe('Saved. Will be sent when the connection is back.')
    expect(title({ state: 'queued', waitsFor: 1 })).toBe(
      'Saved. Will be sent after 1 earlier report that it depends on.',
    )
    expect(title({ state: 'sending' })).toBe('Saved. The service has not answered yet.')
  })

  it('says why a report was refused, and stays open until it is closed', () => {
    const refused = operation({ state: 'rejected', reason: { code: 'service/not-imported', tagIds: ['x'] } })
    expect(say(resultOf(refused).title)).toBe('1 item is not in our inventory.')
    expect(resultOf(refused)).toMatchObject({ sound: 'bad', staysOpen: true })
  })
})
