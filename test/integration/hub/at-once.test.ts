import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CountId, DeliveryId } from '../../../src-shared/ids'
import type { Hub, ImportInStore } from '../../../src-main/hub/port'
import { DeliveryKey } from '../../../src-main/hub/rows'
import { caseOf, packageUid, tag, thing } from '../../fakes/ids'
import { joinHub } from '../../hub/station'
import { useHub } from '../../hub/use-store'

/** What two stations do in the same moment, and what reaches the hub late. */

const server = useHub()

let [one, two]: Hub[] = []
const hubs = () => {
  if (!one || !two) throw new Error('no hubs')
  return [one, two] as const
}
beforeEach(async () => {
  one = await joinHub(server.address, 'Station 1')
  two = await joinHub(server.address, 'Station 2')
})
afterEach(() => Promise.all(hubs().map((hub) => hub.close())))

/** Runs `steps`, each once the one before waits for what `held` has locked; then commits that, and returns the answers. */
async function whileLocked<T>(held: string, ...steps: (() => Promise<T>)[]): Promise<T[]> {
  const client = new pg.Client(server.address)
  await client.connect()
  await client.query('BEGIN')
  await client.query(held)
  const answers: Promise<T>[] = []
  for (const step of steps) {
    answers.push(step())
    await expect
      .poll(
        () =>
          server.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
        {
          interval: 10,
        },
      )
      .toHaveLength(answers.length)
  }
  await client.query('COMMIT')
  await client.end()
  return Promise.all(answers)
}
const answered = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the hub did not answer')
  return value
}

const startedAt = Date.parse('2026-11-21T14:00:00.000Z')
const keyOf = (n: number) => DeliveryKey.parse(`package ${packageUid(n)}`)
const listed = (n: number) => ({ key: keyOf(n), value: null, at: startedAt, isGone: false, isOthers: false })
const dropped = (n: number) => ({ ...listed(n), isGone: true })
const begin = async (hub: Hub, ...packages: number[]) => {
  const id = DeliveryId.parse(randomUUID())
  await hub.deliveries.put(id, startedAt)
  await hub.deliveries.push(answered(await hub.epoch()), id, packages.map(listed))
  return id
}
const status = async (id: DeliveryId) => answered(await hubs()[0].deliveries.status([id])).get(id)
const keysOf = async (id: DeliveryId) =>
  answered(await hubs()[0].deliveries.since(id, 0)).entries.flatMap(({ key, isGone }) => (isGone ? [] : [key]))

describe('two deliveries', () => {
  it('become one if each is merged into the other at the same moment', async () => {
    const [first, second] = hubs()
    const [a, b] = [await begin(first, 1), await begin(second, 2)]
    const answers = await whileLocked(
      'SELECT FROM countertag.shared_delivery ORDER BY id FOR UPDATE',
      () => first.deliveries.merge(a, b),
      () => second.deliveries.merge(b, a),
    )
    expect(answers).toEqual([true, 'unknown'])
    expect(await status(a)).toMatchObject({ isFinished: true, mergedInto: b })
    expect(await status(b)).toMatchObject({ isFinished: false, mergedInto: null })
  })

  it('are no target once they are finished, merged, the same or unknown, also if that is committed meanwhile', async () => {
    const [first, second] = hubs()
    const [a, b, c] = [await begin(first), await begin(second), await begin(second)]
    const [late] = await whileLocked(
      `UPDATE countertag.shared_delivery SET finished_at = now() WHERE id = '${b}'`,
      () => first.deliveries.merge(a, b),
    )
    expect(late).toBe('unknown')
    expect(await first.deliveries.merge(a, a)).toBe('unknown')
    expect(await first.deliveries.merge(a, DeliveryId.parse(randomUUID()))).toBe('unknown')
    expect(await first.deliveries.merge(a, c)).toBe(true)
    expect(await second.deliveries.merge(b, a)).toBe('unknown')
    // Asked again after a lost answer.
    const before = await status(c)
    expect(await first.deliveries.merge(a, c)).toBe(true)
    expect(await status(c)).toEqual(before)
  })

  it('lead nowhere where rows name each other', async () => {
    const [first] = hubs()
    const [a, b] = [await begin(first), await begin(first)]
    await server.sql(
      `UPDATE countertag.shared_delivery SET finished_at = now(), merged_into = CASE id WHEN '${a}' THEN '${b}' ELSE '${a}' END::uuid`,
    )
    for (const id of [a, b]) expect(await status(id)).toMatchObject({ mergedInto: null })
  })

  it('have in common what stood in the merged one, with who listed it, and what was told while it was merged', async () => {
    const [first, second] = hubs()
    const [a, b] = [await begin(second, 1, 2, 3), await begin(first, 1)]
    await first.deliveries.push(answered(await first.epoch()), b, [dropped(3)])
    await second.deliveries.push(answered(await second.epoch()), a, [dropped(2)])
    const { revision } = answered(await status(b))
    await whileLocked(
      `UPDATE countertag.shared_delivery SET revision = revision + 1 WHERE id = '${a}';
        INSERT INTO countertag.delivery_entry VALUES ('${a}', '${keyOf(4)}', NULL, '${second.stationId}', 'Station 2', 1, false, 0, 100)`,
      () => first.deliveries.merge(a, b),
    )
    expect(await keysOf(b)).toEqual([keyOf(1), keyOf(4)])
    const news = answered(await first.deliveries.since(b, revision))
    expect(news.entries).toMatchObject([{ key: keyOf(4), stationId: second.stationId, stationName: 'Station 2' }])
    expect((await status(b))?.revision).toBe(news.revision)
  })

  it('are one also if the merged one is shared later', async () => {
    const [first, second] = hubs()
    const [a, b] = [DeliveryId.parse(randomUUID()), await begin(second, 1)]
    expect(await first.deliveries.merge(a, b)).toBe(true)
    expect(await first.deliveries.put(a, startedAt)).toBe(true)
    expect(await status(a)).toMatchObject({ isFinished: true, mergedInto: b })
    expect(await first.deliveries.head(a)).toBe('unknown')
    expect((await first.deliveries.open(null))?.map(({ id }) => id)).toEqual([b])
  })
})

describe('an undo', () => {
  it('stands although what it undoes reaches the hub after it', async () => {
    const [hub] = hubs()
    const id = await begin(hub)
    const [earlier, later] = [answered(await hub.epoch()), answered(await hub.epoch())]
    await hub.deliveries.push(later, id, [dropped(1)])
    await hub.deliveries.push(earlier, id, [listed(1)])
    expect(await keysOf(id)).toEqual([])
    await hub.deliveries.push(answered(await hub.epoch()), id, [listed(1)])
    expect(await keysOf(id)).toEqual([keyOf(1)])
  })

  it('is no scan of a count', async () => {
    const [hub] = hubs()
    const id = CountId.parse(randomUUID())
    const epoch = async () => answered(await hub.epoch())
    const counted = { caseId: caseOf(1), identifier: 'CASE-1', productName: null, tagIds: [tag(1)] }
    const body = { caseId: caseOf(1), startedAt: Date.now(), cases: [counted] }
    await hub.counts.put(await epoch(), id, body, { isFinished: false, openCase: null })
    const scan = { key: tag(1), value: null, at: startedAt, isOthers: false }
    const [earlier, later] = [await epoch(), await epoch()]
    await hub.counts.push(later, id, [{ ...scan, isGone: true }])
    await hub.counts.push(earlier, id, [{ ...scan, isGone: false }])
    const scanned = () => server.sql('SELECT scanned FROM countertag.shared_count')
    expect(await scanned()).toEqual([{ scanned: 0 }])
    await hub.counts.push(await epoch(), id, [{ ...scan, isGone: false }])
    expect(await scanned()).toEqual([{ scanned: 1 }])
  })
})

describe('imports at two stations', () => {
  const product = { caseId: caseOf(1), packagedProductId: thing(1) }
  const blind = { caseId: caseOf(1), packagedProductId: null }
  const told = (state: ImportInStore['state']): ImportInStore[] => [{ ...product, state, at: startedAt }]
  const states = () => server.sql('SELECT product, state, station_name FROM countertag.case_import ORDER BY product')

  it.each([
    ['a product and any of its case', product, blind],
    ['any product of a case and one of them', blind, product],
    ['the same product', product, product],
  ])('of the same moment: %s', async (_, ofFirst, ofSecond) => {
    const [first, second] = hubs()
    const answers = await whileLocked(
      `INSERT INTO countertag.news VALUES ('imports', 1)`,
      () => first.imports.take([ofFirst]),
      () => second.imports.take([ofSecond]),
    )
    // Either may go first.
    const isFirst = answers[0]?.length === 0
    const [winner, loser, won, lost] = isFirst ? [first, second, ofFirst, ofSecond] : [second, first, ofSecond, ofFirst]
    const refused = [{ ...lost, stationName: isFirst ? 'Station 1' : 'Station 2' }]
    expect(answers).toEqual(isFirst ? [[], refused] : [refused, []])
    expect(await states()).toMatchObject([{ station_name: refused[0]?.stationName, state: 'importing' }])
    const other = { caseId: caseOf(2), packagedProductId: thing(1) }
    expect(await loser.imports.take([lost, other, other])).toEqual(refused)
    expect(await winner.imports.take([won])).toEqual([])
  })

  it('are over although what began them reaches the hub later', async () => {
    const [hub] = hubs()
    const [earlier, later] = [answered(await hub.epoch()), answered(await hub.epoch())]
    await hub.imports.push(later, told('over'))
    await hub.imports.push(earlier, told('importing'))
    expect(await states()).toMatchObject([{ state: 'over' }])
    expect(await hubs()[1].imports.take([product])).toEqual([])
  })
})
