import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { createSettings } from '../../../../src-main/database/settings'
import type { HubLog, LogRecord } from '../../../../src-main/hub/port'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { SharedLog } from '../../../../src-main/sharing/log'
import { type SharedSetting, settingsTopic } from '../../../../src-main/sharing/topics/settings'
import { posIdsTopic } from '../../../../src-main/sharing/topics/pos-ids'
import { type Beside, stepOf } from '../../../../src-main/sharing/topic'
import { silentLog } from '../../../../src-main/core/log'
import { eventsOf } from '../../../fakes/events'
import { thing } from '../../../fakes/ids'

type Kept = LogRecord & { turn: number }
type Fault = 'none' | 'no-answer' | 'lost-answer' | 'late'

/** A hub as `hub/postgres/log.ts` keeps one: that the server does the same is tested against it. */
class FakeHub {
  #id = 'first'
  #turn = 0
  #revisions = new Map<string, number>()
  #records = new Map<string, Kept>()
  /** Pushes that reach it later than newer ones, if at all. */
  #late: (() => void)[] = []
  fault: Fault = 'none'

  /** It is made anew, and knows nothing. */
  lose(id: string): void {
    this.#id = id
    this.#records.clear()
    this.#revisions.clear()
    this.#late = []
  }

  arriveLate(): void {
    for (const push of this.#late.splice(0)) push()
  }

  at(stationId: string): HubLog {
    return {
      turn: () => Promise.resolve(this.fault === 'no-answer' ? undefined : ++this.#turn),
      push: (topic, known, records) => {
        const { fault } = this
        const push = () => this.#push(stationId, topic, known, records)
        if (fault === 'late') this.#late.push(push)
        if (fault === 'no-answer' || fault === 'late') return Promise.resolve(undefined)
        const pushed = push()
        return Promise.resolve(fault === 'lost-answer' ? undefined : pushed)
      },
      since: (topic, revision) => {
        if (this.fault === 'no-answer') return Promise.resolve(undefined)
        const records = [...this.#records.entries()]
          .filter(([name, one]) => name.startsWith(`${topic} `) && one.revision > revision)
          .map(([, one]) => one)
        return Promise.resolve({
          ...{ hubId: this.#id, revision: this.#revisions.get(topic) ?? 0, hasMore: false },
          records: records.toSorted((one, other) => one.revision - other.revision),
        })
      },
    }
  }

  #push(
    stationId: string,
    topic: string,
    known: { upTo: number; turn: number },
    records: Pick<LogRecord, 'key' | 'body'>[],
  ) {
    const revision = (this.#revisions.get(topic) ?? 0) + 1
    this.#revisions.set(topic, revision)
    const pushed = new Set<string>()
    for (const { key, body } of records) {
      const before = this.#records.get(`${topic} ${key}`)
      const isNewer = before?.stationId === stationId ? before.turn < known.turn : (before?.revision ?? 0) <= known.upTo
      if (!isNewer) continue
      this.#records.set(`${topic} ${key}`, { key, body, stationId, at: revision, turn: known.turn, revision })
      pushed.add(key)
    }
    return pushed
  }
}

const products = [thing(1), thing(2), thing(3)]

class Station {
  readonly id: string
  readonly #hub: FakeHub
  readonly db: Database = emptyDatabase(schemaVersion)
  readonly overtaken: string[] = []
  #logs: { exchange: () => void; stop: () => Promise<void> }[] = []

  constructor(id: string, hub: FakeHub) {
    this.id = id
    this.#hub = hub
    this.start()
  }

  /** Its next process: what was under way is gone. */
  start(): void {
    const { db } = this
    const settings = createSettings(db, silentLog)
    const events = eventsOf(db)
    events.on('hub.overtaken', 'test', ({ name }) => this.overtaken.push(name))
    const context = {
      ...{ db, settings, events, log: silentLog },
      hub: { log: this.#hub.at(this.id), stationId: this.id, onNews: () => () => undefined },
    }
    const shared: SharedSetting[] = [
      {
        name: 'outbox.limits',
        read: () => this.setting(),
        apply: (value) => {
          if (typeof value !== 'number') return false
          this.setSetting(value)
          return true
        },
      },
    ]
    this.#logs = [
      new SharedLog(context, posIdsTopic(db)),
      new SharedLog(context, settingsTopic(shared, { events, log: silentLog })),
    ]
  }

  setting(): number | undefined {
    const text = this.db.prepare(`SELECT value FROM setting WHERE name = 'outbox.limits'`).pluck().get()
    return typeof text === 'string' ? Number(text) : undefined
  }

  setSetting(value: number): void {
    this.db
      .prepare(`INSERT INTO setting VALUES ('outbox.limits', ?) ON CONFLICT DO UPDATE SET value = excluded.value`)
      .run(String(value))
  }

  enter(product: string, posProductId: string, at: number): void {
    this.db
      .prepare(
        `INSERT INTO pos_mapping (product_id, package_uid, pos_product_id, pos_inventory_id, sku, at) VALUES (?, 'P 1', ?, 'I', NULL, ?)
         ON CONFLICT DO UPDATE SET pos_product_id = excluded.pos_product_id, at = excluded.at`,
      )
      .run(product, posProductId, at)
  }

  /** Waits for what was asked to be over: nothing here waits for anything but promises. */
  async exchange(): Promise<void> {
    for (const log of this.#logs) log.exchange()
    await new Promise(setImmediate)
  }

  posIds(): unknown[] {
    return this.db.prepare('SELECT product_id, pos_product_id, at FROM pos_mapping ORDER BY product_id').raw().all()
  }

  dirty(): unknown[] {
    return this.db.prepare('SELECT topic, key FROM dirty_key').raw().all()
  }
}

const station = fc.constantFrom('one' as const, 'two' as const)
const step = fc.oneof(
  fc.record({ does: fc.constant('enter' as const), station, product: fc.constantFrom(...products) }),
  fc.record({ does: fc.constant('set' as const), station }),
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('exchange' as const),
      station,
      fault: fc.constantFrom<Fault>('none', 'none', 'no-answer', 'lost-answer', 'late'),
    }),
  },
  fc.record({ does: fc.constant('arrive-late' as const) }),
  fc.record({ does: fc.constant('restart' as const), station }),
  fc.record({ does: fc.constant('lose-hub' as const) }),
)

describe('what two stations share', () => {
  it('is the same at both in the end, and the newest entry of each, whatever is lost, doubled, late or made anew', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const hub = new FakeHub()
        const stations = { one: new Station('one', hub), two: new Station('two', hub) }
        const newest = new Map<string, unknown[]>()
        const values: number[] = []
        for (const [index, one] of steps.entries()) {
          if (one.does === 'enter') {
            stations[one.station].enter(one.product, `POS-${index}`, index)
            newest.set(one.product, [one.product, `POS-${index}`, index])
          } else if (one.does === 'set') {
            values.push(index)
            stations[one.station].setSetting(index)
          } else if (one.does === 'exchange') {
            hub.fault = one.fault
            await stations[one.station].exchange()
            hub.fault = 'none'
          } else if (one.does === 'arrive-late') hub.arriveLate()
          else if (one.does === 'restart') stations[one.station].start()
          else hub.lose(`hub ${index}`)
        }
        hub.arriveLate()
        for (let round = 0; round < 3; round++) for (const each of [stations.one, stations.two]) await each.exchange()
        const expected = [...newest.values()].toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1))
        expect(stations.one.posIds()).toEqual(expected)
        expect(stations.two.posIds()).toEqual(expected)
        expect(stations.one.setting()).toBe(stations.two.setting())
        if (values.length > 0) expect(values).toContain(stations.one.setting())
        expect([...stations.one.dirty(), ...stations.two.dirty()]).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('keeps an edit that was made before a restart and not pushed, unless another station was first', async () => {
    const hub = new FakeHub()
    const [one, two] = [new Station('one', hub), new Station('two', hub)]
    one.setSetting(1)
    for (const each of [one, two]) await each.exchange()
    two.setSetting(2)
    two.start()
    for (const each of [two, one]) await each.exchange()
    expect([one.setting(), two.setting()]).toEqual([2, 2])
    one.setSetting(3)
    two.setSetting(4)
    two.start()
    for (const each of [one, two, one]) await each.exchange()
    expect([one.setting(), two.setting(), two.overtaken]).toEqual([3, 3, ['outbox.limits']])
  })

  it('tells the station whose edit came second, and no station that joins', async () => {
    const hub = new FakeHub()
    const one = new Station('one', hub)
    one.setSetting(1)
    await one.exchange()
    const two = new Station('two', hub)
    two.setSetting(2)
    await two.exchange()
    expect([two.setting(), two.overtaken]).toEqual([1, []])
    one.setSetting(3)
    two.setSetting(4)
    await one.exchange()
    await two.exchange()
    await one.exchange()
    expect([one.setting(), two.setting(), one.overtaken, two.overtaken]).toEqual([3, 3, [], ['outbox.limits']])
  })
})

describe('a record of the hub', () => {
  const newer = (mine: number | null, theirs: number | null) => ((mine ?? 0) > (theirs ?? 0) ? 'mine' : 'theirs')
  it.each<[string, Beside<number>, ReturnType<typeof stepOf>]>([
    ['as it is here', { mine: 1, theirs: 1, isKnown: false, isDirty: true }, 'same'],
    ['newer than here', { mine: 1, theirs: 2, isKnown: false, isDirty: true }, 'take'],
    ['that is not here', { mine: null, theirs: 2, isKnown: false, isDirty: false }, 'take'],
    ['older than here', { mine: 2, theirs: 1, isKnown: false, isDirty: false }, 'push'],
    ['pushed before a newer edit here', { mine: 1, theirs: 2, isKnown: true, isDirty: true }, 'newer-here'],
    ['pushed by newer data of this station', { mine: 1, theirs: 2, isKnown: true, isDirty: false }, 'take'],
  ])('%s', (_, beside, step) => {
    expect(stepOf(beside, newer)).toBe(step)
  })
})
