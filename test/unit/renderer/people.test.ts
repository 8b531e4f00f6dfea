import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { PersonId } from '../../../src-shared/people'
import { JournalView } from '../../../src-renderer/journal/journal.svelte'
import { People, naming } from '../../../src-renderer/people/people.svelte'
import { createFakeWire, turn } from './fake-wire'

const ana = {
  ...{ id: PersonId.parse('0d6a3e0c-7a58-4a3e-8a53-0f5f7b8b2c44'), name: 'Ana Ruiz', shortName: 'AN' },
  role: 'counter' as const,
}

function createDesk() {
  const fake = createFakeWire()
  const plain = createClient(fake.wire)
  const seen: string[] = []
  const people = new People(plain, ({ name }) => seen.push(name))
  people.start()
  return { fake, people, seen, client: naming(plain, () => people.ask()) }
}

describe('a call that needs a name', () => {
  it('asks who it is, and is repeated once someone has signed in, on any page', async () => {
    const { fake, people, seen, client } = createDesk()
    const signed = client.call('store.backUp', undefined)
    await fake.next('store.backUp').refuse({ code: 'people/who' })
    expect([people.isAsking, people.isAwaited]).toEqual([true, true])
    await fake.emit('people.signed-in', { person: null })
    expect(people.isAsking).toBe(true)
    await fake.emit('people.signed-in', { person: ana })
    expect([people.isAsking, people.isAwaited, seen]).toEqual([false, false, ['Ana Ruiz']])
    await fake.next('store.backUp').refuse({ code: 'ipc/too-many' })
    expect(await signed).toEqual({ ok: false, error: { code: 'ipc/too-many' } })
  })

  it('is refused when the person leaves the question', async () => {
    const { fake, people, client } = createDesk()
    const signed = client.call('store.backUp', undefined)
    await fake.next('store.backUp').refuse({ code: 'people/who' })
    people.cancel()
    expect(await signed).toEqual({ ok: false, error: { code: 'people/who' } })
  })
})

describe('the journal on the screen', () => {
  const line = {
    ...{
      entry: 7,
      at: '2026-11-28T12:00:00.000Z',
      actor: 'person',
      what: 'export',
      report: null,
      from: null,
      to: null,
    },
    ...{ subject: null, name: 'Ana Ruiz', approvedBy: null, because: null, hash: 'h' },
  }

  it('reads on over parts that the filter leaves empty, and shows only what the newest filter leaves', async () => {
    const fake = createFakeWire()
    const journal = new JournalView(createClient(fake.wire))
    const first = journal.load()
    const old = fake.next('journal.page')
    journal.orderId = ' A-1 '
    const second = journal.load()
    await old.answer({ lines: [], older: 6_000 })
    await first
    const asked = fake.next('journal.page')
    expect(asked.input).toEqual({ filter: { orderId: 'A-1' } })
    await asked.answer({ lines: [], older: 4_000 })
    const next = fake.next('journal.page')
    expect(next.input).toEqual({ filter: { orderId: 'A-1' }, before: 4_000 })
    await next.answer({ lines: [line], older: null })
    await second
    await turn()
    expect(fake.asked).toEqual([])
    expect(journal.list.rows).toMatchObject([{ entry: 7 }])
    expect(journal.list.isWhole).toBe(true)
  })
})
