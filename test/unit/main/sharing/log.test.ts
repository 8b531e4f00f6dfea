import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { createSettings } from '../../../../src-main/database/settings'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { SharedLog } from '../../../../src-main/sharing/log'
import { type SharedSetting, settingsTopic } from '../../../../src-main/sharing/topics/settings'
import { posIdsTopic } from '../../../../src-main/sharing/topics/pos-ids'
import { type Beside, stepOf } from '../../../../src-main/sharing/topic'
import { silentLog } from '../../../../src-main/core/log'
import { eventsOf } from '../../../fakes/events'
import { thing } from '../../../fakes/ids'
import { FakeHub, type Fault } from './fake-hub'

const products = [thing(1), thing(2), thing(3)]

class Station {
  readonly id: string
  readonly #hub: FakeHub
  readonly db: Database = emptyDatabase(schemaVersion)
  readonly overtaken: string[] = []
  isDiskFull = false
  readonly #joinedAt = new Set<number>()
  #logs: { exchange: () => void; stop: () => Promise<void> }[] = []

  constructor(id: string, hub: FakeHub) {
    this.id = id
    this.#hub = hub
    this.start()
  }

  /** Its next process, on the same data. */
  start(): void {
    const { db } = this
    const settings = createSettings(db, silentLog)
    const events = eventsOf(db)
    events.on('hub.overtaken', 'test', ({ name }) => this.overtaken.push(name))
    const context = {
      ...{ db, settings, events, log: silentLog },
      hub: { ...this.#hub.at(this.id), stationId: this.id, onNews: () => () => undefined },
    }
    const shared: SharedSetting[] = [
      {
        name: 'outbox.limits',
        read: () => this.setting(),
        apply: (value) => {
          if (typeof value !== 'number') return 'unreadable'
          if (this.isDiskFull) return 'not-saved'
          this.setSetting(value)
          return 'used'
        },
      },
    ]
    this.#logs = [
      new SharedLog(context, posIdsTopic(db)),
      new SharedLog(context, settingsTopic(shared, { db, events, log: silentLog })),
    ]
  }

  setting(): number | undefined {
    const text = this.db.prepare(`SELECT value FROM setting WHERE name = 'outbox.limits'`).pluck().get()
    return typeof text === 'string' ? Number(text) : undefined
  }

  /** Whether the station had read the hub before this edit: one that joins has edited nothing. */
  hasJoinedBefore(value: number): boolean {
    return this.#joinedAt.has(value)
  }

  setSetting(value: number): void {
    if (this.db.prepare(`SELECT 1 FROM setting WHERE name = 'hub.log.settings'`).get() !== undefined)
      this.#joinedAt.add(value)
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
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  }

  posIds(): unknown[] {
    return this.db.prepare('SELECT product_id, pos_product_id, at FROM pos_mapping ORDER BY product_id').raw().all()
  }

  dirty(): unknown[] {
    return this.db.prepare('SELECT topic, key FROM dirty_key').raw().all()
  }
}

const station = fc.constantFrom('one' as const, 'two' as const)
const edit = fc.oneof(
  fc.record({ does: fc.constant('enter' as const), station, product: fc.constantFrom(...products) }),
  fc.record({ does: fc.constant('set' as const), station }),
)
const exchange = fc.record({
  does: fc.constant('exchange' as const),
  station,
  fault: fc.constantFrom<Fault>('none', 'none', 'no-answer', 'lost-answer', 'late'),
  /** Between what it reads and what it pushes. */
  meanwhile: fc.option(fc.oneof(edit, fc.record({ does: fc.constant('other-exchanges' as const) }))),
})
const step = fc.oneof(
  { weight: 2, arbitrary: edit },
  { weight: 3, arbitrary: exchange },
  fc.record({ does: fc.constantFrom('arrive-late' as const, 'back-up' as const, 'lose-hub' as const) }),
  fc.record({ does: fc.constant('restart' as const), station }),
  fc.record({ does: fc.constant('restore-hub' as const), isNoticed: fc.boolean() }),
)
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** Two stations, their hub, and what was entered at them. */
class Store {
  readonly hub = new FakeHub()
  readonly one = new Station('one', this.hub)
  readonly two = new Station('two', this.hub)
  /** The newest entry of each product, and every edit of the setting. */
  readonly newest = new Map<string, unknown[]>()
  readonly edits: { station: 'one' | 'two'; value: number }[] = []
  #backup = this.hub.backup()
  #moment = 0

  async run(one: Step): Promise<void> {
    switch (one.does) {
      case 'enter':
      case 'set':
        this.#edit(one)
        return
      case 'exchange':
        return this.#exchange(one)
      case 'arrive-late':
        this.hub.arriveLate()
        return
      case 'back-up':
        this.#backup = this.hub.backup()
        return
      case 'lose-hub':
        this.hub.lose(`hub ${++this.#moment}`)
        return
      case 'restore-hub':
        this.hub.restore(this.#backup, one.isNoticed ? `hub ${++this.#moment}` : 'first')
        return
      case 'restart':
        this[one.station].start()
    }
  }

  #edit(one: Edit): void {
    const moment = ++this.#moment
    if (one.does === 'set') {
      this.edits.push({ station: one.station, value: moment })
      this[one.station].setSetting(moment)
    } else {
      this.newest.set(one.product, [one.product, `POS-${moment}`, moment])
      this[one.station].enter(one.product, `POS-${moment}`, moment)
    }
  }

  async #exchange({ station, fault, meanwhile }: Extract<Step, { does: 'exchange' }>): Promise<void> {
    this.hub.fault = fault
    this.hub.beforePush = async () => {
      if (meanwhile?.does === 'other-exchanges') await this[station === 'one' ? 'two' : 'one'].exchange()
      else if (meanwhile) this.#edit(meanwhile)
    }
    await this[station].exchange()
    this.hub.fault = 'none'
    this.hub.beforePush = undefined
  }

  /** All that is late arrives, both are started again, and nothing is in the way. */
  async settle(): Promise<void> {
    this.hub.arriveLate()
    for (const each of [this.one, this.two]) each.start()
    for (let round = 0; round < 4; round++) for (const each of [this.one, this.two]) await each.exchange()
  }
}

describe('what two stations share', () => {
  it('is the same at both in the end, and no entry is lost, whatever is lost, doubled, late, restored or made anew', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = new Store()
        for (const one of steps) await store.run(one)
        await store.settle()
        const expected = [...store.newest.values()].toSorted((one, other) =>
          String(one[0]) < String(other[0]) ? -1 : 1,
        )
        expect(store.one.posIds()).toEqual(expected)
        expect(store.two.posIds()).toEqual(expected)
        const setting = store.one.setting()
        expect(store.two.setting()).toBe(setting)
        if (store.edits.length > 0) expect(store.edits.map(({ value }) => value)).toContain(setting)
        expect([...store.one.dirty(), ...store.two.dirty()]).toEqual([])
        // The last edit of the station was at the hub, or counts, or its station was told, or joined with it.
        for (const name of ['one', 'two'] as const) {
          const last = store.edits.findLast((one) => one.station === name)?.value
          const isKnown = last === undefined || last === setting || store.hub.settings.has(last)
          expect(isKnown || store[name].overtaken.length > 0 || !store[name].hasJoinedBefore(last)).toBe(true)
        }
      }),
      { numRuns: 400 },
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

  it('keeps the edit of the station that was first, also between what the other one reads and pushes', async () => {
    const hub = new FakeHub()
    const [one, two] = [new Station('one', hub), new Station('two', hub)]
    one.setSetting(1)
    for (const each of [one, two]) await each.exchange()
    two.setSetting(2)
    hub.beforePush = async () => {
      one.setSetting(3)
      await one.exchange()
    }
    for (const each of [two, one]) await each.exchange()
    expect([one.setting(), two.setting(), one.overtaken, two.overtaken]).toEqual([3, 3, [], ['outbox.limits']])
  })

  it('tries again what could not be saved', async () => {
    const hub = new FakeHub()
    const [one, two] = [new Station('one', hub), new Station('two', hub)]
    one.setSetting(1)
    for (const each of [one, two]) await each.exchange()
    one.setSetting(2)
    await one.exchange()
    two.isDiskFull = true
    await two.exchange()
    expect(two.setting()).toBe(1)
    two.isDiskFull = false
    await two.exchange()
    expect([two.setting(), two.dirty()]).toEqual([2, []])
  })

  it('gives a hub from a backup the newer edit, also if the station has not made it', async () => {
    const hub = new FakeHub()
    const [one, two] = [new Station('one', hub), new Station('two', hub)]
    two.setSetting(1)
    for (const each of [two, one, two]) await each.exchange()
    const backup = hub.backup()
    one.setSetting(2)
    for (const each of [one, two]) await each.exchange()
    hub.restore(backup, 'restored')
    for (const each of [two, one]) await each.exchange()
    expect([one.setting(), two.setting(), one.overtaken, two.overtaken]).toEqual([2, 2, [], []])
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
  const newer = (mine: number, theirs: number) => (mine === theirs ? 'even' : mine > theirs ? 'mine' : 'theirs')
  const even = () => 'even' as const
  it.each<[string, Beside<number>, typeof newer, ReturnType<typeof stepOf>]>([
    ['as it is here', { mine: 1, theirs: 1, isOwn: false, isDirty: true }, newer, 'same'],
    ['newer than here', { mine: 1, theirs: 2, isOwn: false, isDirty: true }, newer, 'take'],
    ['that is not here', { mine: undefined, theirs: 2, isOwn: false, isDirty: false }, newer, 'take'],
    ['older than here', { mine: 2, theirs: 1, isOwn: false, isDirty: false }, newer, 'push'],
    ['of newer data of this station', { mine: 1, theirs: 2, isOwn: true, isDirty: true }, newer, 'take'],
    ['pushed before another edit here', { mine: 1, theirs: 2, isOwn: true, isDirty: true }, even, 'push'],
    ['pushed by this station, not edited since', { mine: 1, theirs: 2, isOwn: true, isDirty: false }, even, 'take'],
    ['of another station that was first', { mine: 1, theirs: 2, isOwn: false, isDirty: true }, even, 'take'],
  ])('%s', (_, beside, better, step) => {
    expect(stepOf(beside, better)).toBe(step)
  })
})
