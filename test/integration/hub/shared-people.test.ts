import { describe, expect, it } from 'vitest'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import type { Station } from '../core/station'

const store = useStore()

const namesAt = async (station: Station) => (await station.ask('people.view', undefined)).people.map(({ name }) => name)
const shown = { shortName: 'AN', pin: '2468' }

describe('people of a store', () => {
  it('sign in at every station with their own PIN, and at none once they are removed, also by one that was offline', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await one.ask('people.save', { id: null, person: { name: 'Kim', shortName: 'KI', role: 'manager' } })
    const person = { name: 'Ana', shortName: 'AN', role: 'counter' } as const
    const { id } = await one.ask('people.save', { id: null, person })
    await one.ask('people.setPin', { id, pin: '2468' })
    await expect.poll(async () => (await two.ask('people.view', undefined)).people[0]?.hasPin).toBe(true)
    expect(await two.ask('people.signIn', { shown })).toMatchObject({ id, name: 'Ana' })
    // The hub has a name and a role, and nothing that a PIN could be tried with.
    const [record] = await store.sql(`SELECT body FROM countertag.record WHERE topic = 'people' AND key = '${id}'`)
    expect(JSON.stringify(record)).toContain('Ana')
    expect(JSON.stringify(record)).not.toMatch(/salt|hash|cost/)

    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    await one.ask('people.remove', { id })
    await two.ask('people.save', { id, person: { ...person, name: 'Anna' } })
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    for (const station of [one, two]) await expect.poll(() => namesAt(station)).toEqual(['Kim'])
    expect((await two.ask('people.view', undefined)).signedIn).toBeNull()
  })

  it('have the rules that one station set', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await one.ask('people.setRules', { demand: 'required', minutes: 3 })
    await expect
      .poll(async () => (await two.ask('people.view', undefined)).rules)
      .toEqual({ demand: 'required', minutes: 3, staysAtCounter: false })
  })
})
