import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Role } from '../../../../src-shared/people'
import { silentLog } from '../../../../src-main/core/log'
import { createSeal } from '../../../../src-main/privacy/seal'
import { hashPin, isPin } from '../../../../src-main/security/pin'
import { SharedLog } from '../../../../src-main/sharing/log'
import { peopleTopic } from '../../../../src-main/sharing/topics/people'
import { form, storePeople, valueOf } from '../people/store-people'
import { FakeHub } from './fake-hub'

const storeKey = createSeal([Buffer.alloc(32, 1)])
type StoreParts = ReturnType<typeof storePeople>

/** A station with a seal of its own. */
class Station {
  readonly store: StoreParts
  readonly #hub: FakeHub
  readonly #id: string
  isKeyKnown = true
  isOffline = true
  #log: { exchange: () => void } | undefined

  constructor(id: string, hub: FakeHub, key: number) {
    this.#id = id
    this.#hub = hub
    this.store = storePeople(undefined, { seal: createSeal([Buffer.alloc(32, key)]) })
    this.start()
  }

  /** Its next process, on the same data. */
  start(): void {
    const { db, settings, events, seal } = this.store
    const { epoch, log } = this.#hub.at(this.#id)
    const since: typeof log.since = (...asked) =>
      this.isOffline || !this.isKeyKnown ? Promise.resolve(undefined) : log.since(...asked)
    this.#log = new SharedLog(
      {
        ...{ db, settings, events, log: silentLog },
        hub: { epoch, log: { ...log, since }, stationId: this.#id, onNews: () => () => undefined },
      },
      peopleTopic({ db, events, seal, log: silentLog, storeSeal: () => (this.isKeyKnown ? storeKey : undefined) }),
    )
  }

  /** Online for this exchange only. */
  async exchange(): Promise<void> {
    this.isOffline = false
    this.#log?.exchange()
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    this.isOffline = true
  }

  all() {
    return this.store.people.active().map(({ name, shortName, role }) => [name, shortName, role])
  }

  /** What the hub doesn't have yet. */
  dirty(): unknown[] {
    return this.store.db.prepare(`SELECT key FROM dirty_key WHERE topic = 'people'`).all()
  }
}

const store = () => {
  const hub = new FakeHub()
  return { hub, one: new Station('one', hub, 2), two: new Station('two', hub, 3) }
}
const rounds = async (...stations: Station[]) => {
  for (let round = 0; round < 4; round++) for (const station of stations) await station.exchange()
}

describe('the people of a store', () => {
  it('are the same at both stations, with their PINs and badges, of which the hub sees nothing', async () => {
    const { hub, one, two } = store()
    const id = one.store.add('Ana', 'AN', 'manager')
    valueOf(one.store.people.setPin(id, await hashPin('2468')))
    valueOf(one.store.people.setBadge(id, 'CARD-77'))
    await rounds(one, two)
    const there = two.store.people.byBadge('card-77')
    expect(there).toMatchObject({ id, name: 'Ana', role: 'manager' })
    const pin = there?.secret?.pin
    expect(pin && (await isPin('2468', pin))).toBe(true)
    const news = await hub.at('three').log.since('people', 0)
    expect(news?.records).toHaveLength(1)
    expect(JSON.stringify(news)).not.toContain(pin?.hash)
    // The stations' own seals differ: neither reads the other's disk.
    const [mine, theirs] = [one, two].map(({ store }) => store.db.prepare('SELECT secret FROM person').pluck().get())
    expect(mine).not.toBe(theirs)
    expect([...one.dirty(), ...two.dirty()]).toEqual([])
  })

  it('are removed everywhere, also by a station that was offline while another one changed them', async () => {
    const { hub, one, two } = store()
    const id = one.store.add('Ana', 'AN')
    const key = one.store.add('Kim', 'KI', 'manager')
    await rounds(one, two)
    valueOf(two.store.people.remove(id))
    two.start()
    for (const name of ['Anna', 'Anne', 'Annie']) {
      valueOf(one.store.people.save(id, form(name, 'AN', 'lead')))
      await one.exchange()
    }
    await rounds(two, one)
    for (const station of [one, two]) expect(station.all()).toEqual([['Kim', 'KI', 'manager']])
    // It stays removed at a hub from before.
    hub.lose('made anew')
    await rounds(one, two)
    for (const station of [one, two]) expect(station.all()).toEqual([['Kim', 'KI', 'manager']])
    // Bringing them back counts at both.
    valueOf(one.store.people.restore(id))
    await rounds(one, two)
    expect(two.all()).toEqual(one.all())
    // As they were known where they were removed.
    expect(two.store.people.byId(id)?.name).toBe('Ana')
    expect(two.store.people.byId(key)).toBeDefined()
  })

  it('stay removed, however often a station edited them that had not heard of it, also where the hub was lost between', async () => {
    const { hub, one, two } = store()
    const id = one.store.add('Ana', 'AN')
    one.store.add('Kim', 'KI', 'manager')
    await rounds(one, two)
    valueOf(two.store.people.remove(id))
    await two.exchange()
    hub.lose('made anew')
    for (const role of ['clerk', 'lead'] as const) {
      valueOf(one.store.people.save(id, form('Ana', 'AN', role)))
      await one.exchange()
    }
    await rounds(one, two)
    for (const station of [one, two]) expect(station.all()).toEqual([['Kim', 'KI', 'manager']])
  })

  it('keep the edit of the station that was first', async () => {
    const { one, two } = store()
    const id = one.store.add('Ana', 'AN')
    await rounds(one, two)
    valueOf(one.store.people.save(id, form('First', 'AN')))
    valueOf(two.store.people.save(id, form('Second', 'AN')))
    await rounds(one, two)
    expect([one.all(), two.all()]).toEqual([[['First', 'AN', 'clerk']], [['First', 'AN', 'clerk']]])
  })

  it('change nothing while the store’s key isn’t known, and lose nothing', async () => {
    const { one, two } = store()
    one.store.add('Ana', 'AN')
    two.isKeyKnown = false
    await rounds(one, two)
    expect(two.all()).toEqual([])
    two.isKeyKnown = true
    await rounds(two)
    expect(two.all()).toEqual([['Ana', 'AN', 'clerk']])
  })

  it('are the same in the end, and no removal is lost, whatever is lost, late or restored', async () => {
    const station = fc.constantFrom('one' as const, 'two' as const)
    const step = fc.oneof(
      fc.record({
        does: fc.constant('save' as const),
        station,
        who: fc.nat(2),
        role: fc.constantFrom<Role>('clerk', 'lead'),
      }),
      fc.record({ does: fc.constantFrom('remove' as const, 'restart' as const), station, who: fc.nat(2) }),
      fc.record({
        does: fc.constant('exchange' as const),
        station,
        fault: fc.constantFrom(
          'none' as const,
          'none' as const,
          'no-answer' as const,
          'lost-answer' as const,
          'late' as const,
        ),
      }),
      fc.record({ does: fc.constant('lose-hub' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { hub, one, two } = store()
        const stations = { one, two }
        const ids = ['AA', 'BB', 'CC'].map((short) => one.store.add(short, short))
        await rounds(one, two)
        const removed = new Set<string>()
        for (const each of steps) {
          if (each.does === 'lose-hub') hub.lose(`hub ${Math.random()}`)
          else if (each.does === 'restart') stations[each.station].start()
          else if (each.does === 'exchange') {
            hub.fault = each.fault
            await stations[each.station].exchange()
            hub.fault = 'none'
          } else {
            const { people } = stations[each.station].store
            const id = ids[each.who]
            const known = id === undefined ? undefined : people.byId(id)
            if (!known) continue
            if (each.does === 'save') valueOf(people.save(known.id, form(known.name, known.shortName, each.role)))
            else {
              valueOf(people.remove(known.id))
              removed.add(known.id)
            }
          }
        }
        hub.arriveLate()
        await rounds(one, two)
        expect(two.all()).toEqual(one.all())
        for (const id of removed) expect(one.store.people.byId(id)).toBeUndefined()
        expect([...one.dirty(), ...two.dirty()]).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})
