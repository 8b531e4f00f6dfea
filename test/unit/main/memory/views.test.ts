import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asOf } from '../../../../src-main/memory/find/entities'
import { Memory } from '../../../../src-main/memory/store'
import { bounds } from '../../../../src-main/memory/views'
import { iso } from '../../../../src-main/core/clock'
import { openStore } from '../../../../src-main/database/open'
import type { Entity, EntityView } from '../../../../src-shared/ipc/contract/find'
import { caseOf, tag, thing } from '../../../fakes/ids'

const watched: EntityView['watched'] = { ids: [], kinds: [], newSales: false }
const meta = {
  knowledge: { source: 'now', knownAt: '2026-10-01T10:00:00.000Z' },
  unreachable: null,
  missing: [],
  facts: [],
  operations: [],
  watched,
} as const
const batch = (n: number, name: string, facts: Entity<'batch'>['facts'] = []): Entity<'batch'> => ({
  kind: 'batch',
  ...meta,
  missing: [],
  operations: [],
  watched,
  ref: { kind: 'batch', id: thing(n) },
  name,
  facts,
  coas: [
    {
      link: { kind: 'coa', id: thing(1), name: null, detail: null },
      verdict: 'passed',
      expiresOn: '2026-10-05T00:00:00Z',
      isExpired: false,
      word: 'passed',
    },
  ],
  packagedProducts: [],
})

describe('the views shown by Find', () => {
  let db: Database
  let store: Memory
  beforeEach(() => {
    db = openStore(':memory:').db
    store = new Memory(db)
  })
  afterEach(() => {
    db.close()
  })

  it('are those requested last, in whatever order the answers arrive', () => {
    store.views.keep(batch(1, 'new'), 20, 30)
    store.views.keep(batch(1, 'old'), 10, 40)
    expect(store.views.find('batch', thing(1))).toMatchObject({
      view: { name: 'new', knowledge: { source: 'stored', knownAt: iso(20) } },
      via: null,
    })
  })

  it('are replaced if they were written before the clock was set back', () => {
    store.views.keep(batch(1, 'of the future'), 9_000, 9_010)
    store.views.keep(batch(1, 'of now'), 50, 60)
    expect(store.views.find('batch', thing(1))?.view.name).toBe('of now')
  })

  it('are not replaced by what a case says about the same entry', () => {
    store.views.keep(batch(1, 'its own page'), 10, 20)
    store.views.keep(batch(1, 'of a case'), 30, 40, caseOf(1))
    expect(store.views.find('batch', thing(1))).toMatchObject({ view: { name: 'its own page' }, via: null })
    store.views.keep(batch(2, 'of a case'), 30, 40, caseOf(1))
    expect(store.views.find('batch', thing(2))).toMatchObject({ via: caseOf(1) })
  })

  it('are listed as recent if a person opened them, but not if they came from a case only', () => {
    store.views.keep(batch(1, 'one'), 10, 10)
    store.views.keep(batch(2, 'two'), 10, 10)
    store.views.keep(batch(3, 'three'), 10, 10, caseOf(1))
    store.views.noteShown('batch', thing(1), 30)
    store.views.noteShown('batch', thing(2), 20)
    expect(store.views.recent(20).map(({ name }) => name)).toEqual(['one', 'two'])
    expect(store.views.recent(1)).toHaveLength(1)
  })

  const kept = (via: string) => db.prepare(`SELECT count(*) FROM memory WHERE via IS ${via}`).pluck().get()

  it('are limited in number: the oldest are removed', () => {
    const { things } = bounds.shown
    store.views.together(() => {
      for (let n = 0; n < things + 5; n++) store.views.keep(batch(n, `B ${n}`), n, n)
    })
    expect(kept('NULL')).toBe(things)
    expect(store.views.find('batch', thing(4))).toBeUndefined()
    expect(store.views.find('batch', thing(5))?.view.name).toBe('B 5')
    store.views.keep(batch(things + 5, 'one more'), things + 5, things + 5)
    expect([kept('NULL'), store.views.find('batch', thing(5))]).toEqual([things, undefined])
  })

  it('are limited in bytes', () => {
    // Two bytes per character, in a fact that isn't searched: only its size matters here.
    const long = { name: 'brand', value: 'é'.repeat(1_000_000), form: 'text' } as const
    for (let n = 0; n < 20; n++) store.views.keep(batch(n, `B ${n}`, [long]), n, n)
    const size = Number(db.prepare('SELECT sum(length(CAST(content AS BLOB))) FROM memory').pluck().get())
    expect(size).toBeGreaterThan(bounds.shown.size / 2)
    expect(size).toBeLessThanOrEqual(bounds.shown.size)
    expect([store.views.find('batch', thing(0)), store.views.find('batch', thing(19))?.view.knowledge.knownAt]).toEqual(
      [undefined, iso(19)],
    )
  })

  it('have a separate limit for views that no person opened', () => {
    const { shown, unopened } = bounds
    store.views.together(() => {
      for (let n = 0; n < shown.things; n++) store.views.keep(batch(n, `B ${n}`), n, n)
      for (let n = 0; n < unopened.things + 5; n++)
        store.views.keep(batch(10_000 + n, 'told'), 5_000 + n, 9_000, caseOf(1))
    })
    expect([kept('NULL'), kept('NOT NULL')]).toEqual([shown.things, unopened.things])
    expect(store.views.find('batch', thing(0))).toBeDefined()
    expect([store.views.find('batch', thing(10_004)), store.views.find('batch', thing(10_005))?.via]).toEqual([
      undefined,
      caseOf(1),
    ])
  })

  it('are trimmed with an index, without reading their contents', () => {
    const plan = db
      .prepare(
        'EXPLAIN QUERY PLAN SELECT rowid, sum(size) OVER (ORDER BY shown_at DESC, asked_at DESC, rowid DESC) FROM memory INDEXED BY memory_view WHERE size IS NOT NULL AND shown_at IS NOT NULL',
      )
      .all()
    expect(JSON.stringify(plan)).toContain('COVERING INDEX memory_view')
  })

  it('list the batches of a product, the latest first', () => {
    const of = (productNumber: number) => ({
      packagedProductId: thing(70),
      product: { kind: 'product' as const, id: thing(productNumber), name: null, detail: null },
      batch: null,
      regulatoryId: null,
      packagedOn: null,
      useBy: null,
    })
    store.views.keep({ ...batch(1, 'one'), packagedProducts: [of(50), of(51)] }, 10, 10)
    store.views.keep({ ...batch(2, 'two'), packagedProducts: [of(50)] }, 20, 20, caseOf(1))
    store.views.keep(batch(3, 'three'), 30, 30)
    const names = (productNumber: number) => store.views.batchesOf(thing(productNumber)).map(({ name }) => name)
    expect([names(50), names(51), names(52)]).toEqual([['two', 'one'], ['one'], []])
    db.prepare("UPDATE memory SET content = '{' WHERE name = 'two'").run()
    expect(names(50)).toEqual(['one'])
  })

  it('can be forgotten, and then disappear from all lists', () => {
    store.views.keep(batch(1, 'one'), 10, 10)
    store.views.forget('coa', thing(1), 20, 20)
    expect(store.views.find('batch', thing(1))).toBeDefined()
    store.views.forget('batch', thing(1), 20, 20)
    expect([store.views.find('batch', thing(1)), store.views.recent(20), store.links(thing(1))]).toEqual([
      undefined,
      [],
      [],
    ])
  })

  it('are not deleted by a "not found" from an earlier request, whenever it arrives', () => {
    store.views.keep(batch(1, 'one'), 20, 30)
    store.views.forget('batch', thing(1), 10, 40)
    expect(store.views.find('batch', thing(1))?.view.name).toBe('one')
    // Written before the clock was set back.
    store.views.keep(batch(2, 'of the future'), 9_000, 9_010)
    for (const n of [1, 2]) store.views.forget('batch', thing(n), 50, 60)
    expect([store.views.find('batch', thing(1)), store.views.find('batch', thing(2))]).toEqual([undefined, undefined])
  })

  it("count as never seen if they can't be parsed", () => {
    store.views.keep(batch(1, 'one'), 10, 10)
    for (const json of ['{}', '{', '{"kind":"batch"}', 'null']) {
      db.prepare('UPDATE memory SET content = ?').run(json)
      expect(store.views.find('batch', thing(1)), json).toBeUndefined()
    }
  })

  it('are found by name, ignoring case and accents, and by printed number; SQL wildcards are taken literally', () => {
    store.views.keep(batch(1, 'Früh_Stück', [{ name: 'regulatory-id', value: '1A4-77', form: 'text' }]), 10, 10)
    const ids = (text: string) => store.views.withWords(text, 10).map(({ link }) => link.id)
    for (const text of ['fruh_', 'STÜCK', '1a4-77']) expect(ids(text), text).toEqual([thing(1)])
    for (const text of ['fruhxs', '%', "'", '\\']) expect(ids(text), text).toEqual([])
  })

  it('are stored without operations, and without the reason why a fresh answer was missing', () => {
    store.views.keep({ ...batch(1, 'one'), unreachable: { code: 'service/unreachable' } }, 10, 10)
    expect(store.views.find('batch', thing(1))?.view).toMatchObject({ unreachable: null, operations: [] })
  })
})

describe('a stored view', () => {
  it('shows when a certificate has expired since', () => {
    const before = Date.parse('2026-10-04T00:00:00Z')
    const ended = (now: number) => {
      const view = asOf(batch(1, 'one'), { now, ownSale: () => undefined, batchesOf: () => [] })
      return view.kind === 'batch' && view.coas[0]?.isExpired
    }
    expect([ended(before), ended(before + 2 * 86_400_000)]).toEqual([false, true])
  })

  it("shows our own sale of the item instead of the service's day of sale", () => {
    const view: Entity<'tag'> = {
      kind: 'tag',
      ...meta,
      missing: [],
      operations: [],
      ref: { kind: 'tag', id: tag(1) },
      name: null,
      facts: [{ name: 'sold-on', value: '2026-10-01T00:00:00Z', form: 'instant' }],
      pictureUrl: null,
      product: null,
      batch: null,
      coas: [],
      holders: [],
      pastHolders: [],
      standing: null,
      sale: { orderId: null, at: '2026-10-01T00:00:00Z', by: 'service' },
    }
    const at = '2026-10-02T00:00:00.000Z'
    expect(asOf(view, { now: 0, ownSale: () => ({ orderId: 'A-1', at }), batchesOf: () => [] })).toMatchObject({
      sale: { orderId: 'A-1', at, by: 'this-station' },
      facts: [
        { name: 'sold-on', value: at },
        { name: 'sold-in-order', value: 'A-1' },
      ],
    })
    expect(asOf(view, { now: 0, ownSale: () => undefined, batchesOf: () => [] })).toEqual(view)
  })
})
