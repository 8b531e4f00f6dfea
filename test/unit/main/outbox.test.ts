import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from 'better-sqlite3'
import type { TagId } from '../../../src-shared/ids'
import { OperationId } from '../../../src-shared/ids'
import { silentLog } from '../../../src-main/log'
import { createLocks } from '../../../src-main/outbox/locks'
import type { Operation } from '../../../src-main/outbox/operation'
import type { Outcome } from '../../../src-main/outbox/outcome'
import { type Outbox, createOutbox } from '../../../src-main/outbox/outbox'
import type { Payload } from '../../../src-main/outbox/payload'
import { openStore } from '../../../src-main/store/open'
import { type HandClock, handClock } from '../../fakes/clock'
import { caseOf, order, packageUid, tag, thing } from '../../fakes/ids'

const accepted: Outcome = { kind: 'accepted', note: null }
const rejected: Outcome = { kind: 'rejected', reason: { code: 'service/refused', status: 400, detail: 'no' } }
const retry: Outcome = { kind: 'retry', reason: { code: 'service/unreachable' }, afterMs: null }
const unknown: Outcome = { kind: 'unknown', reason: { code: 'service/unreachable' }, afterMs: null }

const complete = (orderId: string, ...tagIds: TagId[]): Payload => ({
  kind: 'complete',
  orderId: order(orderId),
  tagIds,
})
const voiding = (orderId: string, ...tagIds: TagId[]): Payload => ({ kind: 'void', orderId: order(orderId), tagIds })
const returning = (orderId: string, ...tagIds: TagId[]): Payload => ({
  kind: 'return',
  orderId: order(orderId),
  tagIds,
})
const importing = (n: number, posProductId = 'P'): Payload => ({
  kind: 'import',
  caseId: caseOf(n),
  packagedProductId: thing(n),
  packageUid: packageUid(n),
  posProductId,
  posInventoryId: 'I',
  productName: null,
  itemCount: 2,
})
const removing = (n: number): Payload => ({
  kind: 'import-removal',
  caseId: caseOf(n),
  packagedProductId: thing(n),
  packageUid: packageUid(n),
  productName: null,
  itemCount: 2,
})

/** Tags 11 to 19 are in case 1, 21 to 29 in case 2, all others in no case that we know. */
const knownCase = (tagId: TagId) =>
  [1, 2].map(caseOf).find((_, i) => Array.from({ length: 9 }, (_, k) => tag((i + 1) * 10 + k + 1)).includes(tagId))

describe('outbox', () => {
  let db: Database
  let clock: HandClock
  let outbox: Outbox

  const open = () =>
    createOutbox({ db, clock, serviceClock: clock.serviceClock, caseOf: knownCase, log: silentLog, random: () => 0.5 })
  const put = (payload: Payload): Operation => {
    const saved = outbox.enqueue(payload)
    if (!saved.ok) throw new Error(saved.error.code)
    return saved.value
  }
  const stateOf = ({ id }: Operation) => outbox.read.byId(id)?.state
  /** The orders (or case numbers) that can be claimed now, in order; each stays claimed. */
  const claimAll = () => {
    const claimed: Operation[] = []
    for (let next = outbox.claim(); next; next = outbox.claim()) claimed.push(next)
    return claimed
  }
  const seqs = (operations: Operation[]) => operations.map((operation) => operation.seq)

  beforeEach(() => {
    db = openStore(':memory:')
    clock = handClock()
    outbox = open()
  })
  afterEach(() => {
    db.close()
  })

  it('gives operations out in the order in which they were saved, whatever the clock says', () => {
    const first = put(complete('A', tag(1)))
    clock.advance(-86_400_000)
    const second = put(complete('B', tag(2)))
    expect(seqs(claimAll())).toEqual([first.seq, second.seq])
  })

  it('lets a void wait for its complete, and a return for the void', () => {
    const sale = put(complete('A', tag(1)))
    const back = put(voiding('A', tag(1)))
    const returned = put(returning('A', tag(1)))
    expect(seqs(claimAll())).toEqual([sale.seq])
    outbox.settle(sale.seq, accepted)
    expect(seqs(claimAll())).toEqual([back.seq])
    outbox.settle(back.seq, accepted)
    expect(seqs(claimAll())).toEqual([returned.seq])
  })

  it('lets sales wait for the import of their case, but not for each other; its removal waits for all of them', () => {
    const arrived = put(importing(1))
    const one = put(complete('A', tag(11)))
    const two = put(complete('B', tag(12)))
    const other = put(complete('C', tag(21)))
    const removed = put(removing(1))
    expect(seqs(claimAll())).toEqual([arrived.seq, other.seq])
    outbox.settle(arrived.seq, accepted)
    expect(seqs(claimAll())).toEqual([one.seq, two.seq])
    outbox.settle(two.seq, accepted)
    expect(claimAll()).toEqual([])
    outbox.settle(one.seq, accepted)
    expect(seqs(claimAll())).toEqual([removed.seq])
  })

  it('holds back who waits for a rejected operation, and nobody else', () => {
    const sale = put(complete('A', tag(1)))
    put(voiding('A', tag(1)))
    const other = put(complete('B', tag(2)))
    expect(outbox.claim()?.seq).toBe(sale.seq)
    outbox.settle(sale.seq, rejected)
    expect(seqs(claimAll())).toEqual([other.seq])
    expect(outbox.read.counts()).toEqual({ unsent: 2, attention: 1 })
  })

  it('lets the import of a case pass the sale that was refused for want of it, and the sale sent again waits for it', () => {
    const sale = put(complete('A', tag(11)))
    outbox.claim()
    const waiting = put(importing(1))
    expect(claimAll()).toEqual([])
    outbox.settle(sale.seq, rejected)
    expect(outbox.read.byId(waiting.id)?.blockers).toBe(0)
    outbox.retry(sale.id)
    expect(seqs(claimAll())).toEqual([waiting.seq])
    outbox.settle(waiting.seq, accepted)
    expect(seqs(claimAll())).toEqual([sale.seq])
  })

  it('never lets two operations wait for each other', () => {
    const sale = put(complete('A', tag(11)))
    outbox.claim()
    const back = put(voiding('A', tag(11)))
    const arrived = put(importing(1))
    outbox.settle(sale.seq, rejected)
    // The import waits for the void, which waits for the refused sale: sent again, it must not wait for the import.
    outbox.retry(sale.id)
    expect(seqs(claimAll())).toEqual([sale.seq])
    outbox.settle(sale.seq, accepted)
    expect(seqs(claimAll())).toEqual([back.seq])
    outbox.settle(back.seq, accepted)
    expect(seqs(claimAll())).toEqual([arrived.seq])
  })

  it('frees who waited once a person dismisses the rejected one with a reason', () => {
    const sale = put(complete('A', tag(1)))
    const next = put(complete('B', tag(1)))
    outbox.claim()
    outbox.settle(sale.seq, rejected)
    expect(outbox.dismiss(sale.id, 'rung up twice')).toMatchObject({
      ok: true,
      value: { state: 'cancelled', dismissedBecause: 'rung up twice' },
    })
    expect(seqs(claimAll())).toEqual([next.seq])
  })

  it('sends a corrected operation in its old place, before those who wait for it', () => {
    const refused = put(importing(1))
    const sale = put(complete('A', tag(11)))
    outbox.claim()
    outbox.settle(refused.seq, rejected)
    expect(outbox.correct(refused.id, importing(1, 'corrected'))).toMatchObject({
      ok: true,
      value: { seq: refused.seq },
    })
    expect(outbox.claim()).toMatchObject({ seq: refused.seq, payload: { posProductId: 'corrected' } })
    outbox.settle(refused.seq, accepted)
    expect(seqs(claimAll())).toEqual([sale.seq])
  })

  it('does not forget over a refusal that an earlier attempt may have been taken', () => {
    const sale = put(complete('A', tag(1)))
    outbox.claim()
    outbox.settle(sale.seq, unknown)
    outbox.dueNow()
    outbox.claim()
    outbox.settle(sale.seq, rejected)
    outbox.retry(sale.id)
    expect(outbox.read.byId(sale.id)).toMatchObject({ state: 'unknown', isUncertain: true })
    expect(outbox.withdraw(sale.id).ok).toBe(false)
  })

  it('puts a refused sale back to where it can be changed, in one commit or not at all', () => {
    const sale = put(complete('A', tag(1)))
    outbox.claim()
    outbox.settle(sale.seq, rejected)
    const failing = () =>
      outbox.reopen(sale.id, () => {
        throw new Error('the cart could not be filled')
      })
    expect(failing).toThrow('the cart could not be filled')
    expect(stateOf(sale)).toBe('rejected')
    expect(outbox.reopen(sale.id, () => undefined)).toMatchObject({
      ok: true,
      value: { state: 'cancelled', note: 'reopened' },
    })
    expect(outbox.reopen(sale.id, () => undefined)).toEqual({
      ok: false,
      error: { code: 'outbox/wrong-state', state: 'cancelled' },
    })
  })

  it('lets an operation of another version stand, and sends those around it', () => {
    const strange = put(complete('A', tag(1)))
    const good = put(complete('B', tag(2)))
    db.prepare(
      `UPDATE operation SET kind = 'teleport', payload = '{"kind":"teleport"}', note = 'odd' WHERE seq = ?`,
    ).run(strange.seq)
    expect(claimAll()).toMatchObject([{ seq: strange.seq, kind: 'unreadable', payload: null }, { seq: good.seq }])
  })

  it('does not wait for a time that a wrong clock wrote', () => {
    const sale = put(complete('A', tag(1)))
    clock.advance(86_400_000)
    outbox.claim()
    outbox.settle(sale.seq, { kind: 'retry', reason: { code: 'service/busy' }, afterMs: 60_000 })
    expect(outbox.claim()).toBeUndefined()
    clock.advance(-86_400_000)
    expect(outbox.claim()?.seq).toBe(sale.seq)
  })

  it('after an outage tries what could not be reached, and goes on waiting where it was told to', () => {
    const unreached = put(complete('A', tag(1)))
    const busy = put(complete('B', tag(2)))
    claimAll()
    outbox.settle(unreached.seq, retry)
    outbox.settle(busy.seq, { kind: 'retry', reason: { code: 'service/busy' }, afterMs: 60_000 })
    outbox.dueAfterOutage()
    expect(seqs(claimAll())).toEqual([unreached.seq])
    outbox.dueNow()
    expect(seqs(claimAll())).toEqual([busy.seq])
  })

  it('does not take a step back because somebody who was told of it fails', () => {
    const stop = outbox.onChange(() => {
      throw new Error('a listener is broken')
    })
    const sale = put(complete('A', tag(1)))
    expect(outbox.claim()?.seq).toBe(sale.seq)
    expect(() => {
      outbox.settle(sale.seq, accepted)
    }).not.toThrow()
    stop()
    expect(stateOf(sale)).toBe('accepted')
  })

  it('does not withdraw what others wait for', () => {
    const sale = put(complete('A', tag(1)))
    put(returning('A', tag(1)))
    expect(outbox.undoOf(sale)).toBeNull()
    expect(outbox.withdraw(sale.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'queued' } })
  })

  it('keeps the order when one goes from the middle of a chain', () => {
    const first = put(complete('A', tag(1), tag(2)))
    const middle = put(returning('A', tag(1)))
    const last = put(voiding('A', tag(1), tag(2)))
    expect(outbox.claim()?.seq).toBe(first.seq)
    db.prepare(`UPDATE operation SET state = 'cancelled' WHERE seq = ?`).run(middle.seq)
    createLocks(db).release(middle.seq)
    // Were the last one freed, it would overtake the sale that is still on the wire.
    expect(claimAll()).toEqual([])
    outbox.settle(first.seq, accepted)
    expect(seqs(claimAll())).toEqual([last.seq])
  })

  it('does not withdraw what was claimed, and says in which state it is', () => {
    const sale = put(complete('A', tag(1)))
    outbox.claim()
    expect(outbox.withdraw(sale.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'sending' } })
    outbox.settle(sale.seq, unknown)
    expect(outbox.withdraw(sale.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'unknown' } })
    expect(outbox.withdraw(OperationId.parse('9af49740-96f5-40ee-9e25-02420ae59635'))).toEqual({
      ok: false,
      error: { code: 'outbox/not-found' },
    })
  })

  it('withdraws what certainly never left, even after attempts', () => {
    const sale = put(complete('A', tag(1)))
    outbox.claim()
    outbox.settle(sale.seq, retry)
    expect(outbox.undoOf(outbox.read.byId(sale.id) ?? sale)).toBe('withdraw')
    expect(outbox.withdraw(sale.id).ok).toBe(true)
    clock.advance(120_000)
    expect(claimAll()).toEqual([])
  })

  it('offers the removal as undo of an import that was sent, once', () => {
    const arrived = put(importing(1))
    outbox.claim()
    outbox.settle(arrived.seq, accepted)
    const done = outbox.read.byId(arrived.id) ?? arrived
    expect(outbox.undoOf(done)).toBe('inverse')
    expect(outbox.enqueue(removing(1), { undoes: arrived.id }).ok).toBe(true)
    expect(outbox.undoOf(done)).toBeNull()
  })

  it('waits longer after each fault, forgets the faults at an answer, and never gives up', () => {
    const sale = put(complete('A', tag(1)))
    for (let fault = 0; fault < 200; fault++) {
      clock.advance(60_000)
      expect(outbox.claim()?.seq).toBe(sale.seq)
      outbox.settle(sale.seq, retry)
      expect(outbox.claim()).toBeUndefined()
    }
    outbox.dueNow()
    expect(outbox.claim()).toMatchObject({ seq: sale.seq, attempts: 201 })
    outbox.settle(sale.seq, accepted)
    expect(stateOf(sale)).toBe('accepted')
  })

  it('does not forget that an attempt may have arrived when the next one certainly did not', () => {
    const sale = put(complete('A', tag(1)))
    outbox.claim()
    outbox.settle(sale.seq, unknown)
    clock.advance(60_000)
    expect(outbox.claim()).toMatchObject({ isUncertain: true })
    outbox.settle(sale.seq, retry)
    expect(outbox.read.byId(sale.id)).toMatchObject({ state: 'unknown', isUncertain: true })
  })

  it('takes what was on the wire when the process ended for unknown, and tries it first', () => {
    const sale = put(complete('A', tag(1)))
    put(complete('B', tag(2)))
    outbox.claim()
    outbox = open()
    expect(stateOf(sale)).toBe('unknown')
    expect(outbox.claim()).toMatchObject({ seq: sale.seq, isUncertain: true })
  })

  it('sends a rejected operation again when a person says so, and only a rejected one', () => {
    const sale = put(complete('A', tag(1)))
    expect(outbox.retry(sale.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'queued' } })
    outbox.claim()
    outbox.settle(sale.seq, rejected)
    expect(outbox.retry(sale.id).ok).toBe(true)
    expect(outbox.claim()?.seq).toBe(sale.seq)
  })

  it('saves the operation and the local state together or not at all', () => {
    const failing = () =>
      outbox.enqueue(complete('A', tag(1)), {
        alongside: () => {
          throw new Error('the local state could not be changed')
        },
      })
    expect(failing).toThrow('the local state could not be changed')
    expect(outbox.read.counts().unsent).toBe(0)
    expect(db.prepare('SELECT count(*) AS n FROM journal').get()).toEqual({ n: 0 })
  })

  it('says "not saved" when the disk is full, and has then saved nothing', () => {
    put(complete('A', tag(1)))
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`)
    let answer = outbox.enqueue(complete('B', tag(2)))
    for (let n = 3; answer.ok && n < 2_000; n++) answer = outbox.enqueue(complete(`B${n}`, tag(n)))
    expect(answer).toEqual({ ok: false, error: { code: 'store/not-saved' } })
    const saved = outbox.read.open().length
    db.pragma('max_page_count = 100000')
    expect(outbox.read.open().length).toBe(saved)
    expect(outbox.enqueue(complete('later', tag(5_000))).ok).toBe(true)
  })

  it('keeps an operation that it cannot read, and offers it to be sent as such', () => {
    const sale = put(complete('A', tag(1)))
    db.prepare(`UPDATE operation SET payload = '{"kind":"complete"}' WHERE seq = ?`).run(sale.seq)
    expect(outbox.claim()).toMatchObject({ seq: sale.seq, payload: null })
    outbox.settle(sale.seq, { kind: 'rejected', reason: { code: 'outbox/unreadable' } })
    expect(outbox.retry(sale.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'rejected' } })
    expect(outbox.read.counts()).toEqual({ unsent: 0, attention: 1 })
  })

  it('keeps a journal of every step that nobody can rewrite', () => {
    const sale = put(complete('A', tag(1)))
    outbox.claim()
    outbox.settle(sale.seq, rejected)
    outbox.dismiss(sale.id, 'wrong item')
    const entries = db.prepare('SELECT actor, from_state, to_state FROM journal ORDER BY entry').all()
    expect(entries).toEqual([
      { actor: 'person', from_state: null, to_state: 'queued' },
      { actor: 'station', from_state: 'queued', to_state: 'sending' },
      { actor: 'station', from_state: 'sending', to_state: 'rejected' },
      { actor: 'person', from_state: 'rejected', to_state: 'cancelled' },
    ])
    expect(() => db.exec('DELETE FROM journal')).toThrow('append-only')
    expect(() => db.exec("UPDATE journal SET what = 'x'")).toThrow('append-only')
  })

  it('links a long chain by its neighbours only', () => {
    for (let n = 0; n < 200; n++) put(returning('A', tag(n)))
    expect(db.prepare('SELECT count(*) AS n FROM operation_wait').get()).toEqual({ n: 199 })
  })
})
