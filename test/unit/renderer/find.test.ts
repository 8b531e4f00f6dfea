import { afterEach, describe, expect, it, vi } from 'vitest'
import { Trail } from '../../../src-renderer/find/shown.svelte'
import { say } from '../../../src-renderer/text/text.svelte'
import { PackageUid } from '../../../src-shared/ids'
import { at, cart, caseId, tagId } from './examples'
import { caseThing, create, inOrders, link, matches, product, tagScan, tagView, withCase } from './finding'

afterEach(() => {
  vi.useRealTimers()
})

describe('the trail', () => {
  it('leads back and forward, and drops the entries ahead once another thing is opened', () => {
    const trail = new Trail<string>(3)
    expect([trail.current, trail.back(), trail.forward()]).toEqual([null, false, false])
    for (const entry of ['a', 'b', 'c']) trail.add(entry)
    expect([trail.back(), trail.current, trail.back(), trail.current, trail.back()]).toEqual([
      true,
      'b',
      true,
      'a',
      false,
    ])
    expect([trail.forward(), trail.current]).toEqual([true, 'b'])
    trail.add('d')
    expect([trail.current, trail.canGoForward, trail.forward()]).toEqual(['d', false, false])
    trail.add('e')
    trail.add('f')
    expect([trail.back(), trail.back(), trail.back(), trail.current]).toEqual([true, true, false, 'd'])
  })
})

describe('looking things up', () => {
  it('shows the newest scan, however late an older answer comes, and names the type of each', async () => {
    const { fake, find } = create()
    const first = find.scan(tagScan(1))
    const slow = fake.next('find.entity')
    const second = find.scan(tagScan(2))
    await fake.next('find.entity').answer(tagView(2))
    await slow.answer(tagView(1))
    expect(find.shown?.view?.name).toBe('Item 2')
    expect([say((await first).what), say((await second).what)]).toEqual(['Item: Item 1', 'Item: Item 2'])
    expect(find.back()).toBe(true)
    expect(find.shown?.view?.name).toBe('Item 1')
  })

  it('reads an item again when another page scans it into an order, or takes it out', async () => {
    const { fake, find } = create()
    const opened = find.scan(tagScan(1))
    await fake.next('find.entity').answer(tagView(1))
    await opened
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    find.cartChanged(cart('sale', [tagId(2)]))
    await vi.runAllTimersAsync()
    expect(fake.asked).toEqual([])
    find.cartChanged(cart('sale', [tagId(1)]))
    await vi.runAllTimersAsync()
    const standing = { ...cart('sale', [tagId(1)]).lines[0]?.items[0]?.verdict, kind: 'in-open-order', level: 'refuse' }
    void fake.next('find.entity').answer({ ...tagView(1), standing })
    await vi.runAllTimersAsync()
    find.cartChanged(cart('sale', [tagId(1)]))
    await vi.runAllTimersAsync()
    expect(fake.asked).toEqual([])
    find.cartChanged(cart('sale', []))
    await vi.runAllTimersAsync()
    expect(fake.next('find.entity').input).toEqual({ kind: 'tag', id: tagId(1) })
  })

  it('does not open the result of a slow search after a newer scan', async () => {
    const { fake, find } = create()
    const first = find.scan(tagScan(1, false))
    const slow = fake.next('find.search')
    expect(slow.input).toEqual({ text: tagId(1) })
    const second = find.scan(tagScan(2))
    await fake.next('find.entity').answer(tagView(2))
    await slow.answer(matches([link({ kind: 'collection', id: caseId(1) })]))
    expect(find.shown?.ref).toEqual({ kind: 'tag', id: tagId(2) })
    expect(find.matches).toBeNull()
    expect((await first).what).toMatchObject({ key: 'find.matches' })
    await second
  })

  it('opens the result of a scan even if its first keys were typed into the search field', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { fake, find } = create()
    find.text = 'https'
    find.typed()
    // The wedge listener removes the typed keys.
    find.text = ''
    find.typed()
    const scanned = find.scan(tagScan(1, false))
    const slow = fake.next('find.search')
    await vi.runAllTimersAsync()
    expect(fake.asked).toEqual([])
    void slow.answer(matches([link({ kind: 'collection', id: caseId(1) })]))
    await vi.runAllTimersAsync()
    void fake.next('find.entity').answer(caseThing())
    await vi.runAllTimersAsync()
    expect(say((await scanned).what)).toBe('Collection: A case')
  })

  it('searches once for what was typed, at the next pause', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { fake, find } = create()
    for (const text of ['s', 'se', 'sea']) {
      find.text = text
      find.typed()
    }
    expect(fake.asked).toEqual([])
    await vi.runAllTimersAsync()
    expect(fake.asked.map(({ input }) => input)).toEqual([{ text: 'sea' }])
    find.text = 'seal'
    find.typed()
    void find.enter()
    await vi.runAllTimersAsync()
    expect(fake.asked.map(({ input }) => input)).toEqual([{ text: 'sea' }, { text: 'seal' }])
  })

  it('opens the only match at once, a single order in Orders, and nothing if there are several matches', async () => {
    const { fake, find, orders } = create()
    const one = find.scan(tagScan(1, false))
    await fake.next('find.search').answer(matches([link({ kind: 'collection', id: caseId(1) })]))
    await fake.next('find.entity').answer(caseThing())
    expect(say((await one).what)).toBe('Collection: A case')

    const order = find.scan({ kind: 'unknown', text: '10482' })
    await fake.next('find.search').answer(matches([], '10482'))
    expect([await order, orders]).toEqual([inOrders, ['10482']])

    const several = find.scan({ kind: 'unknown', text: 'sea' })
    await fake.next('find.search').answer(matches([product(1), product(2)], '10482'))
    expect(say((await several).what)).toBe('3 matches')
    expect(orders).toHaveLength(1)

    const none = find.scan({ kind: 'unknown', text: 'nothing' })
    await fake.next('find.search').answer(matches([]))
    expect((await none).tone).toBe('attention')
    const refused = find.scan({ kind: 'unknown', text: '' })
    expect([(await refused).tone, fake.asked]).toEqual(['bad', []])
  })

  it('says a verdict in the tone of its card, also when it is only stored', async () => {
    const { fake, find } = create()
    const [item] = cart('sale', [tagId(1)]).lines[0]?.items ?? []
    const tones: unknown[] = []
    for (const level of ['ok', 'warn', 'pin', 'refuse'] as const) {
      const standing = { ...item?.verdict, kind: level === 'ok' ? 'sellable' : 'past-use-by', level }
      for (const source of ['now', 'stored']) {
        const opened = find.open({ kind: 'tag', id: tagId(1) })
        const view = tagView(1)
        await fake.next('find.entity').answer({ ...view, knowledge: { ...view.knowledge, source }, standing })
        const { tone, detail } = await opened
        tones.push([level, source, tone])
        // No color without its reason.
        if (level !== 'ok') expect(detail && say(detail)).toMatch(/^Past its use-by date/)
        if (source === 'stored') expect(detail && say(detail)).toContain('Shown as this station last saw it.')
      }
    }
    expect(tones).toEqual([
      ['ok', 'now', 'good'],
      ['ok', 'stored', 'attention'],
      ['warn', 'now', 'attention'],
      ['warn', 'stored', 'attention'],
      ['pin', 'now', 'bad'],
      ['pin', 'stored', 'bad'],
      ['refuse', 'now', 'bad'],
      ['refuse', 'stored', 'bad'],
    ])
  })

  it('keeps known data on the screen when the service stops answering, and says why', async () => {
    const { fake, find } = create()
    void find.open({ kind: 'tag', id: tagId(1) })
    await fake.next('find.entity').answer(tagView(1))
    const again = find.open({ kind: 'tag', id: tagId(1) })
    await fake.next('find.entity').refuse({ code: 'ipc/disconnected' })
    expect([find.shown?.view?.name, find.shown?.error?.code]).toEqual(['Item 1', 'ipc/disconnected'])
    const outcome = await again
    expect([outcome.tone, outcome.detail && say(outcome.detail)]).toEqual([
      'attention',
      'Countertag isn’t responding. Shown as this station last saw it.',
    ])
    expect(find.trail.canGoBack).toBe(false)
  })

  it('refuses a thing that the service no longer knows, even if it is open', async () => {
    const { fake, find } = create()
    void find.open({ kind: 'tag', id: tagId(1) })
    await fake.next('find.entity').answer(tagView(1))
    const again = find.scan(tagScan(1))
    await fake.next('find.entity').refuse({ code: 'service/not-found', id: tagId(1) })
    expect((await again).tone).toBe('bad')
  })

  it('never calls the scan of an unknown item good, however quickly scans follow each other', async () => {
    const { fake, find } = create()
    const scans = [find.scan(tagScan(1)), find.scan(tagScan(1))]
    const asked = [fake.next('find.entity'), fake.next('find.entity')]
    for (const one of asked) await one.refuse({ code: 'service/not-found', id: tagId(1) })
    expect((await Promise.all(scans)).map(({ tone }) => tone)).toEqual(['bad', 'bad'])
  })

  it('reads the open thing again whenever the screen comes to the front', async () => {
    const { fake, find } = create()
    void find.load()
    expect(fake.asked).toEqual([])
    void find.open({ kind: 'tag', id: tagId(1) })
    await fake.next('find.entity').answer(tagView(1))
    void find.load()
    await fake.next('find.entity').answer({
      ...tagView(1),
      sale: { orderId: '10482', at, by: 'this-station' },
    })
    expect(find.shown?.view).toMatchObject({ sale: { orderId: '10482' } })
  })

  it('searches for a text that only looks like a package UID', () => {
    const { fake, find } = create()
    for (const text of ['1234567890123456', 'HF2026BOX000000000000417']) {
      void find.scan({ kind: 'package', packageUid: PackageUid.parse(text) })
      expect(fake.next('find.search').input, text).toEqual({ text })
    }
    void find.scan({ kind: 'package', packageUid: PackageUid.parse('1A40E0300000B2F000000901') })
    expect(fake.next('find.entity').input).toEqual({ kind: 'package', id: '1A40E0300000B2F000000901' })
  })

  it('searches for a whole product barcode, with its batch', () => {
    const { fake, find } = create()
    const text = '010001234567890510B-1\u001d21S1'
    void find.scan({ kind: 'gs1', text, gtin: '00012345678905', batch: 'B-1', serial: 'S1' })
    expect(fake.next('find.search').input).toEqual({ text })
  })

  it('does not open with Enter what was typed before another thing was opened', async () => {
    const { fake, find } = create()
    find.text = 'sea'
    void find.enter()
    const slow = fake.next('find.search')
    void find.open({ kind: 'tag', id: tagId(1) })
    await fake.next('find.entity').answer(tagView(1))
    await slow.answer(matches([product(1)]))
    expect(find.shown?.ref.kind).toBe('tag')
    expect(find.isSearching).toBe(false)
  })

  it('covers the open thing when nothing is found, and leads back to it', async () => {
    const { fake, find } = create()
    for (const number of [1, 2]) {
      void find.open({ kind: 'tag', id: tagId(number) })
      await fake.next('find.entity').answer(tagView(number))
    }
    for (const leave of [() => find.back(), () => find.stepBack()]) {
      const scanned = find.scan({ kind: 'unknown', text: 'nothing' })
      expect(find.isNothingFound).toBe(false)
      await fake.next('find.search').answer(matches([]))
      await scanned
      expect([find.isNothingFound, find.canGoBack]).toEqual([true, true])
      expect(leave()).toBe(true)
      expect([find.isNothingFound, find.text, find.shown?.ref.id]).toEqual([false, '', tagId(2)])
    }
    expect([find.back(), find.shown?.ref.id, find.canGoBack]).toEqual([true, tagId(1), false])
  })

  it('shows the next thing that is opened after nothing was found', async () => {
    const { fake, find } = create()
    void find.open({ kind: 'tag', id: tagId(1) })
    await fake.next('find.entity').answer(tagView(1))
    const miss = async (answer: 'none' | 'refused') => {
      find.text = 'nothing'
      void find.search()
      const asked = fake.next('find.search')
      await (answer === 'none' ? asked.answer(matches([])) : asked.refuse({ code: 'ipc/disconnected' }))
      expect([find.isNothingFound, find.text], answer).toEqual([true, 'nothing'])
    }
    for (const answer of ['none', 'refused'] as const) {
      await miss(answer)
      // The thing opened before stays hidden while the next letter is searched.
      void find.search()
      fake.next('find.search')
      expect(find.isNothingFound).toBe(true)
      find.toggleRemoved()
      expect([find.isNothingFound, find.text, find.isRemovedOpen]).toEqual([false, '', true])
      await miss(answer)
      expect(find.isRemovedOpen).toBe(false)
      void find.open({ kind: 'tag', id: tagId(1) })
      expect([find.isNothingFound, find.text]).toEqual([false, ''])
    }
  })

  it('does not cover a collection that is being changed', async () => {
    const { fake, find, work } = await withCase()
    work.start('add-items')
    find.text = 'nothing'
    void find.search()
    await fake.next('find.search').answer(matches([]))
    expect([find.isNothingFound, find.matches?.things]).toEqual([false, []])
    work.leave()
    expect(find.isNothingFound).toBe(false)
  })

  it('says at once when a collection was removed', async () => {
    const { fake, find } = create()
    const opened = find.open({ kind: 'collection', id: caseId(1) })
    await fake.next('find.entity').answer({ ...caseThing(), isRemoved: true })
    expect(await opened).toMatchObject({ tone: 'attention', detail: { key: 'find.removed.means' } })
  })
})
