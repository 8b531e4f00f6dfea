import { describe, expect, it } from 'vitest'
import { tag } from '../../../fakes/ids'
import { accepted, retry, unknown, complete, seqs, useDesk } from './desk'

describe('the outbox over time', () => {
  const desk = useDesk()

  it('ignores a time written by a wrong clock', () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.clock.advance(86_400_000)
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, { kind: 'retry', reason: { code: 'service/busy' }, afterMs: 60_000 })
    expect(desk.outbox.claim()).toBeUndefined()
    desk.clock.advance(-86_400_000)
    expect(desk.outbox.claim()?.seq).toBe(sale.seq)
  })

  it('retries unsent operations after an outage, but keeps waits that the service asked for', () => {
    const unreached = desk.put(complete('A', tag(1)))
    const busy = desk.put(complete('B', tag(2)))
    desk.claimAll()
    desk.outbox.settle(unreached.seq, retry)
    desk.outbox.settle(busy.seq, { kind: 'retry', reason: { code: 'service/busy' }, afterMs: 60_000 })
    desk.outbox.retryAfterOutage()
    expect(seqs(desk.claimAll())).toEqual([unreached.seq])
    desk.outbox.retryAll()
    expect(seqs(desk.claimAll())).toEqual([busy.seq])
  })

  it('retries at the pace of a drain only what was not answered', () => {
    const unreached = desk.put(complete('A', tag(1)))
    const failing = desk.put(complete('B', tag(2)))
    const locked = desk.put(complete('C', tag(3)))
    desk.claimAll()
    desk.outbox.settle(unreached.seq, retry)
    desk.outbox.settle(failing.seq, {
      kind: 'retry',
      reason: { code: 'service/failing', status: 500 },
      afterMs: 60_000,
    })
    desk.outbox.settle(locked.seq, { kind: 'retry', reason: { code: 'keychain/locked' }, afterMs: 60_000 })
    desk.outbox.retryUnreached()
    expect(seqs(desk.claimAll())).toEqual([unreached.seq])
    desk.outbox.retryAfterOutage()
    expect(seqs(desk.claimAll())).toEqual([failing.seq, locked.seq])
  })

  it('waits after each of 200 faults, and never gives up', () => {
    const sale = desk.put(complete('A', tag(1)))
    for (let fault = 0; fault < 200; fault++) {
      desk.clock.advance(60_000)
      expect(desk.outbox.claim()?.seq).toBe(sale.seq)
      desk.outbox.settle(sale.seq, retry)
      expect(desk.outbox.claim()).toBeUndefined()
    }
    desk.outbox.retryAll()
    expect(desk.outbox.claim()).toMatchObject({ seq: sale.seq, attempts: 201 })
    desk.outbox.settle(sale.seq, accepted)
    expect(desk.stateOf(sale)).toBe('accepted')
  })

  it("remembers that an attempt may have arrived although the next one certainly didn't", () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, unknown)
    desk.clock.advance(60_000)
    expect(desk.outbox.claim()).toMatchObject({ isUncertain: true })
    desk.outbox.settle(sale.seq, retry)
    expect(desk.outbox.read.byId(sale.id)).toMatchObject({ state: 'unknown', isUncertain: true })
  })

  it('treats reports on the wire at the end of the process as unknown, and tries them first', () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.put(complete('B', tag(2)))
    desk.outbox.claim()
    desk.restart()
    expect(desk.stateOf(sale)).toBe('unknown')
    expect(desk.outbox.claim()).toMatchObject({ seq: sale.seq, isUncertain: true })
  })
})
