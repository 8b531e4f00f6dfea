import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../../../src-main/core/log'
import { DroppedCounts } from '../../../../../src-main/counting/shelf/dropped'
import { tag } from '../../../../fakes/ids'
import { tagsOf, useShelf, value } from './shelf-desk'

const desk = useShelf()
const { receive, start, scan, finish } = desk

const kept = () =>
  ['scan', 'line', 'product'].map((table) => desk.db.prepare(`SELECT count(*) FROM stock_count_${table}`).pluck().get())

describe('counts that were given up', () => {
  let dropped: DroppedCounts | undefined
  afterEach(() => dropped?.stop())
  const open = () => {
    dropped = new DroppedCounts({ db: desk.db, log: silentLog, events: desk.events })
    return dropped
  }

  it('lose what was scanned and found, in pieces; others keep it', async () => {
    receive(1, 700)
    const id = await start()
    scan(id, ...tagsOf(1, 600), tag(99))
    await finish(id)
    expect(kept()).toEqual([601, 101, 2])
    value(desk.counts.drop(id))
    const signed = await start()
    scan(signed, tag(98))
    await finish(signed)
    value(await desk.counts.finished.explain(signed, { filter: {} }, 'label', null))
    value(desk.counts.finished.sign(signed, value(desk.counts.count(signed)).revision, undefined))
    const counting = await start()
    scan(counting, tag(97))
    open().ask()
    await expect.poll(kept).toEqual([2, 701, 2])
    expect(value(desk.counts.count(id)).state).toBe('dropped')
    expect(value(desk.counts.scans.recent(counting))).toHaveLength(1)
  })

  it('are gone on with by the next process', async () => {
    receive(1, 1_500)
    const id = await start()
    scan(id, ...tagsOf(1, 900))
    await finish(id)
    value(desk.counts.drop(id))
    open().ask()
    await dropped?.stop()
    const [scans] = kept()
    expect(scans).toBeGreaterThan(0)
    open().ask()
    await expect.poll(kept).toEqual([0, 0, 0])
  })
})
