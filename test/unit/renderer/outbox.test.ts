import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import type { OperationView, OutboxGroup } from '../../../src-shared/ipc/contract/outbox'
import { OutboxLists } from '../../../src-renderer/outbox/outbox.svelte'
import { operation, operationId, step } from './examples'
import { type FakeWire, createFakeWire, turn } from './fake-wire'

const waiting = (number: number, fields: Partial<OperationView> = {}) =>
  operation({ id: operationId(number), seq: number, state: 'queued', ...fields })

const overview = (groups: OutboxGroup[] = []) => ({
  groups,
  total: groups.reduce((sum, { count }) => sum + count, 0),
  today: { accepted: 0, sales: 0, cancelled: 0 },
})
const group = (operations: OperationView[], fields: Partial<OutboxGroup> = {}): OutboxGroup => {
  const ids = operations.map(({ id }) => id)
  const reason = operations[0]?.reason ?? null
  return {
    key: ids.join(),
    count: ids.length,
    reason,
    isSameReason: true,
    isOneSubject: true,
    operations,
    canRetry: ids,
    canDismiss: ids,
    canAmend: { operationIds: [], without: [] },
    casesToImport: null,
    ...fields,
  }
}

const list = (operations: OperationView[], total = operations.length) => ({ operations, total })

function createOutbox() {
  const fake = createFakeWire()
  const reopened: string[] = []
  const imported: string[] = []
  const front = { isThere: true }
  const outbox = new OutboxLists({
    client: createClient(fake.wire),
    onReopened: ({ mode, note }) => reopened.push(`${mode} ${note}`),
    onImport: (caseIds) => imported.push(...caseIds),
    isInFront: () => front.isThere,
    serviceTime: () => Date.parse('2026-11-21T14:00:00Z'),
  })
  return { fake, outbox, reopened, imported, front }
}

/** Answers the three lists of one load, in the order of the calls. */
async function answerLists(fake: FakeWire, lists: { waiting?: unknown; attention?: unknown; recent?: unknown } = {}) {
  const nothing = list([])
  await fake.next('outbox.list').answer(lists.waiting ?? nothing)
  await fake.next('outbox.overview').answer(lists.attention ?? overview())
  await fake.next('outbox.list').answer(lists.recent ?? nothing)
}

const asks = (fake: FakeWire) =>
  fake.asked.filter(({ call }) => call === 'outbox.list' || call === 'outbox.overview').length

it('tells the cart of a reopened return with its note', async () => {
  const { fake, outbox, reopened } = createOutbox()
  void outbox.change(waiting(1, { kind: 'return', state: 'rejected' }))
  await fake.next('checkout.reopen').answer({ mode: 'return', revision: 4, note: 'torn bag' })
  expect(reopened).toEqual(['return torn bag'])
})

describe('the lists of the outbox', () => {
  it('are read one at a time, and show the total if not all rows are shown', async () => {
    const { fake, outbox } = createOutbox()
    void outbox.load()
    expect(fake.asked.map(({ call, input }) => [call, input])).toEqual([
      ['outbox.list', { show: 'waiting' }],
      ['outbox.overview', undefined],
      ['outbox.list', { show: 'recent' }],
    ])
    expect(outbox.isLoaded).toBe(false)
    await answerLists(fake, { waiting: list([waiting(1), waiting(2)], 1_240) })
    expect(outbox.isLoaded).toBe(true)
    expect(outbox.waiting.operations.map(({ seq }) => seq)).toEqual([1, 2])
    expect(outbox.waiting.total).toBe(1_240)
    expect(outbox.shows(operationId(2))).toBe(true)
    expect(outbox.shows(operationId(3))).toBe(false)
  })

  it('stay as they were if main refuses or is unreachable, and say so', async () => {
    const { fake, outbox } = createOutbox()
    void outbox.load()
    await answerLists(fake, { waiting: list([waiting(1)]) })
    void outbox.load()
    await fake.next('outbox.list').disconnect()
    await fake.next('outbox.overview').answer(overview())
    await fake.next('outbox.list').answer(list([]))
    expect(outbox.error?.code).toBe('ipc/disconnected')
    expect(outbox.waiting.total).toBe(1)
    void outbox.load()
    await answerLists(fake)
    expect(outbox.error).toBeNull()
  })

  it('are never replaced by an older answer that comes late', async () => {
    const { fake, outbox } = createOutbox()
    void outbox.load()
    const [first, second, third] = [fake.next('outbox.list'), fake.next('outbox.overview'), fake.next('outbox.list')]
    void outbox.load()
    await answerLists(fake, { recent: list([operation()]) })
    await first.answer(list([waiting(1)]))
    await second.answer(overview())
    await third.answer(list([]))
    expect(outbox.waiting.total).toBe(0)
    expect(outbox.recent.total).toBe(1)
  })

  it('keep the object of an unchanged row, so that it is not redrawn', async () => {
    const { fake, outbox } = createOutbox()
    void outbox.load()
    await answerLists(fake, { waiting: list([waiting(1), waiting(2)]) })
    const [one, two] = outbox.waiting.operations
    void outbox.load()
    await answerLists(fake, { waiting: list([waiting(1), waiting(2, { attempts: 5 })]) })
    expect(outbox.waiting.operations[0]).toBe(one)
    expect(outbox.waiting.operations[1]).not.toBe(two)
    expect(outbox.waiting.operations[1]?.attempts).toBe(5)
  })
})

describe('many changes in a row', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('read the lists soon after the first one and then twice a second', async () => {
    const { fake, outbox } = createOutbox()
    fake.always('outbox.list', list([]))
    fake.always('outbox.overview', overview())
    const invoke = vi.spyOn(fake.wire, 'invoke')
    outbox.operationChanged(waiting(1))
    expect(invoke).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(100)
    expect(invoke).toHaveBeenCalledTimes(3)
    for (let ms = 0; ms < 10_000; ms += 5) {
      outbox.operationChanged(waiting(1))
      await vi.advanceTimersByTimeAsync(5)
    }
    const loads = invoke.mock.calls.length / 3 - 1
    expect(loads).toBeGreaterThanOrEqual(18)
    expect(loads).toBeLessThanOrEqual(20)
  })

  it('always end with reading the lists', async () => {
    const { fake, outbox } = createOutbox()
    outbox.operationChanged(waiting(1))
    await vi.advanceTimersByTimeAsync(100)
    expect(asks(fake)).toBe(3)
    outbox.operationChanged(waiting(1))
    await vi.advanceTimersByTimeAsync(499)
    expect(asks(fake)).toBe(3)
    await vi.advanceTimersByTimeAsync(1)
    expect(asks(fake)).toBe(6)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asks(fake)).toBe(6)
  })

  it('read nothing while the screen is hidden, but mark its lists as out of date', async () => {
    const { fake, outbox, front } = createOutbox()
    fake.always('outbox.list', list([]))
    fake.always('outbox.overview', overview())
    await outbox.load()
    front.isThere = false
    outbox.operationChanged(waiting(1))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asks(fake)).toBe(0)
    expect(outbox.isLoaded).toBe(false)
  })
})

describe('the history of an operation', () => {
  const one = waiting(1)

  it('is read when it is opened, and dropped when it is closed', async () => {
    const { fake, outbox } = createOutbox()
    void outbox.histories.toggle(one.id)
    expect(outbox.histories.get(one.id)?.entries).toBeNull()
    await fake.next('outbox.journal').answer([step('saved', { from: null, to: 'queued', actor: 'person' })])
    expect(outbox.histories.get(one.id)?.entries).toHaveLength(1)
    await outbox.histories.toggle(one.id)
    expect(outbox.histories.has(one.id)).toBe(false)
  })

  it('says why it can’t be read, and can be read again', async () => {
    const { fake, outbox } = createOutbox()
    void outbox.histories.toggle(one.id)
    await fake.next('outbox.journal').refuse({ code: 'outbox/not-found' })
    const history = outbox.histories.get(one.id)
    expect([history?.entries, history?.error?.code]).toEqual([null, 'outbox/not-found'])
    void history?.load()
    await fake.next('outbox.journal').answer([])
    expect([history?.entries, history?.error]).toEqual([[], null])
  })

  it('is read again only after a change of its own operation', async () => {
    const { fake, outbox } = createOutbox()
    fake.always('outbox.list', list([one]))
    fake.always('outbox.overview', overview())
    void outbox.histories.toggle(one.id)
    await fake.next('outbox.journal').answer([step('saved')])
    outbox.operationChanged(waiting(2))
    await outbox.load()
    expect(fake.asked).toEqual([])
    outbox.operationChanged(one)
    void outbox.load()
    await fake.next('outbox.journal').answer([step('saved'), step('claimed')])
    expect(outbox.histories.get(one.id)?.entries).toHaveLength(2)
  })

  it('never gets shorter after a late answer', async () => {
    const { fake, outbox } = createOutbox()
    void outbox.histories.toggle(one.id)
    const history = outbox.histories.get(one.id)
    const late = fake.next('outbox.journal')
    void history?.load()
    await fake.next('outbox.journal').answer([step('saved'), step('claimed')])
    await late.answer([step('saved')])
    expect(history?.entries).toHaveLength(2)
  })
})

describe("a person's action in the outbox", () => {
  it('shows a refusal only beside its own operation', async () => {
    const { fake, outbox } = createOutbox()
    fake.always('outbox.list', list([]))
    fake.always('outbox.overview', overview())
    void outbox.retry(waiting(1))
    await fake.next('outbox.retry').refuse({ code: 'outbox/wrong-state', state: 'accepted' })
    await turn()
    expect(outbox.errors.get(operationId(1))?.code).toBe('outbox/wrong-state')
    expect(outbox.error).toBeNull()
  })

  it('asks before a sale is withdrawn, but not before an import is', async () => {
    const { fake, outbox } = createOutbox()
    fake.always('outbox.list', list([]))
    fake.always('outbox.overview', overview())
    void outbox.undo(waiting(1))
    expect(fake.asked).toEqual([])
    expect(outbox.asking).toMatchObject({ what: 'withdraw', operation: { id: operationId(1) } })
    void outbox.answer('')
    await fake.next('outbox.withdraw').answer(waiting(1, { state: 'cancelled' }))
    expect(outbox.asking).toBeNull()
    void outbox.undo(waiting(2, { kind: 'import' }))
    await fake.next('receiving.undo').answer(waiting(2, { kind: 'import', state: 'cancelled' }))
  })
})

describe('a group of reports', () => {
  const many = [1, 2, 3, 4, 5].map((n) => waiting(n, { kind: 'remove-item', state: 'rejected' }))
  const opened = async () => {
    const { fake, outbox } = createOutbox()
    void outbox.load()
    await answerLists(fake, { attention: overview([group(many, { key: 'cause' })]) })
    const [shown] = outbox.overview.groups
    if (!shown) throw new Error('no group')
    return { fake, outbox, shown }
  }

  it('is closed if it is large, and opens for a report that another screen leads to', async () => {
    const { fake, outbox, shown } = await opened()
    expect(outbox.isOpen(shown)).toBe(false)
    expect(outbox.isOpen(group(many.slice(0, 2)))).toBe(true)
    outbox.wanted = operationId(3)
    void outbox.load()
    await answerLists(fake, { attention: overview([group(many, { key: 'cause' })]) })
    expect(outbox.isOpen(shown)).toBe(true)
    outbox.toggleGroup(shown)
    expect(outbox.isOpen(shown)).toBe(false)
  })

  it('is dismissed with one reason, and says how many were and which were not', async () => {
    const { fake, outbox, shown } = await opened()
    outbox.asking = { what: 'dismiss-many', group: shown }
    void outbox.answer('belongs to the brand')
    const asked = fake.next('outbox.dismissMany')
    expect(asked.input).toEqual({ operationIds: many.map(({ id }) => id), reason: 'belongs to the brand' })
    expect(outbox.isBusy).toBe(true)
    await asked.answer({
      done: 4,
      refused: [{ operationId: operationId(2), error: { code: 'outbox/wrong-state', state: 'cancelled' } }],
    })
    expect(outbox.outcome).toMatchObject({ what: 'dismiss', done: 4 })
    expect(outbox.errors.get(operationId(2))?.code).toBe('outbox/wrong-state')
    await answerLists(fake)
    expect([outbox.isBusy, outbox.overview.groups]).toEqual([false, []])
  })

  it('says so if main refuses the whole step', async () => {
    const { fake, outbox, shown } = await opened()
    void outbox.retryAll(shown)
    await fake.next('outbox.retryMany').refuse({ code: 'security/locked' })
    await answerLists(fake, { attention: overview([group(many, { key: 'cause' })]) })
    expect([outbox.error?.code, outbox.outcome]).toEqual(['security/locked', null])
    expect(outbox.overview.groups[0]?.operations[0]).toBe(shown.operations[0])
  })
})
