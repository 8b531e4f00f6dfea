import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TagId } from '../../../src-shared/ids'
import { dayOf } from '../../../src-main/day/history'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { type Station, idIn } from '../core/station'

const store = useStore()
const databaseOf = ({ dataDir }: Station) => join(dataDir, 'practice', 'countertag.db')

it('reports that were copied unsent to a computer with an identity of its own are sent by both, taken once, and in the day once', async () => {
  const [one, two] = [await store.station('Front 1'), await store.station('Front 2')]
  const codes = await one.ask('practice.codes', undefined)
  const tagId = codes.flatMap(({ kind, about, text }) =>
    kind === 'tag' && (about === null || about === 'imported-here') ? TagId.parse(idIn(text)) : [],
  )[0]
  if (tagId === undefined) throw new Error('no item')
  await one.knobs.setFaults({ offline: true })
  await one.ask('checkout.addItem', { mode: 'sale', tagId })
  await one.ask('checkout.setOrder', { mode: 'sale', orderId: '1' })
  const { itemCount, revision } = await one.ask('checkout.cart', { mode: 'sale' })
  const { id } = await one.ask('checkout.finish', { mode: 'sale', orderId: '1', itemCount, revision, isMeant: true })
  await one.restart(() => two.restart(() => copyFileSync(databaseOf(one), databaseOf(two))))
  await Promise.all([situation(one, 'online'), situation(two, 'online')])
  expect((await two.ask('app.status', undefined)).unsent).toBe(1)
  await one.knobs.setFaults({})
  for (const station of [one, two]) {
    await station.ask('outbox.sendNow', undefined)
    await station.drained()
    expect(await station.outcomeOf(id)).toMatchObject({ state: 'accepted' })
    expect(await station.ask('outbox.list', { show: 'attention' })).toMatchObject({ total: 0 })
  }
  const there = await one.knobs.transactions()
  expect(there.filter(({ kind }) => kind === 'complete')).toHaveLength(1)
  for (const station of [one, two]) {
    const day = await station.ask('checkout.storeDay', { day: dayOf(Date.now()) })
    expect(day).toMatchObject({ completed: { orders: 1, items: 1 }, store: { isComplete: true } })
    expect(await station.ask('hub.notices', undefined)).toEqual([])
    expect(await station.ask('hub.soldTwice', undefined)).toEqual([])
  }
})
