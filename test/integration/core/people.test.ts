import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Scan } from '../../../src-shared/scan/meaning'
import { type Station, startStation } from './station'
import { stepsOf } from './steps'

describe('the people of a station', () => {
  let station: Station
  const { sellable, sell, fillCart, finishRefused, finish, caseToImport } = stepsOf(() => station)
  beforeEach(async () => {
    station = await startStation()
    await station.online()
  })
  afterEach(() => station.close())

  const add = async (
    name: string,
    shortName: string,
    role: 'counter' | 'lead' | 'manager',
    pin: string | null = null,
  ) => {
    const { id } = await station.ask('people.save', { id: null, person: { name, shortName, role } })
    if (pin !== null) await station.ask('people.setPin', { id, pin })
    return id
  }
  const signIn = (shortName: string, pin: string) => station.ask('people.signIn', { shown: { shortName, pin } })
  const lines = async () => (await station.ask('journal.page', { filter: {} })).lines

  it('stand in the journal of their sale, and the lead who approved beside them, also after a restart', async () => {
    await add('Lea', 'LE', 'lead', '1357')
    await add('Ana', 'AN', 'counter', '2468')
    await signIn('AN', '2468')
    const [tagId = ''] = await sellable(1)
    const { id } = await sell('A-1', [tagId])
    const { form } = await caseToImport()
    const { id: imported } = await station.ask('receiving.import', form)
    await station.drained()
    const approval = { reason: 'wrong case', by: { shortName: 'LE', pin: '1357' } }
    const undone = await station.ask('receiving.undo', { operationId: imported, approval })
    await station.drained()
    await station.restart()
    const of = async (operationId: typeof id) =>
      (await station.ask('outbox.journal', { operationId })).map(({ what, actor, name, approvedBy }) => [
        what,
        actor,
        name,
        approvedBy,
      ])
    expect(await of(id)).toEqual([
      ['saved', 'person', 'Ana', null],
      ['claimed', 'station', null, null],
      ['accepted', 'station', null, null],
    ])
    expect((await of(undone.id)).slice(0, 2)).toEqual([
      ['saved', 'person', 'Ana', 'Lea'],
      ['permitted', 'person', 'Ana', 'Lea'],
    ])
    expect((await station.ask('people.view', undefined)).signedIn).toBeNull()
    expect(await station.ask('journal.verify', undefined)).toMatchObject({ faults: [], total: 0 })
  })

  it('sign in with a badge that was printed: by the proof of its scan, which is no one else’s', async () => {
    const id = await add('Ana', 'AN', 'counter')
    const { svg, person } = await station.ask('people.printBadge', { id })
    expect([svg.startsWith('<svg'), person.hasBadge]).toEqual([true, true])
    await station.ask('people.setBadge', { id, code: 'CARD-77' })
    const scans: Scan[] = []
    station.client.on('scanner.scanned', (scan) => scans.push(scan))
    await station.ask('scanner.submit', { text: 'CARD-77', source: 'wedge' })
    const [scan] = scans
    const proof = scan?.meaning.kind === 'badge' ? (scan.meaning.proof ?? '') : ''
    expect(scan).toMatchObject({ raw: '', meaning: { kind: 'badge', badge: 'AN' } })
    expect(await station.ask('people.signIn', { shown: { proof } })).toMatchObject({ id, name: 'Ana' })
    expect(await station.refused('people.signIn', { shown: { proof } })).toEqual({ code: 'people/no-badge' })
    await station.ask('people.remove', { id })
    expect((await station.ask('people.view', undefined)).signedIn).toBeNull()
  })

  it('are asked for once where the store demands names: the order stays, and is completed by who may', async () => {
    await add('Ana', 'AN', 'counter', '2468')
    await station.ask('people.setRules', { demand: 'required' })
    const [tagId = ''] = await sellable(1)
    await fillCart('A-1', [tagId])
    expect(await finishRefused('sale')).toEqual({ code: 'people/who' })
    await signIn('AN', '2468')
    expect(await finish('sale')).toMatchObject({ state: 'accepted' })
    expect(await station.refused('stock.finish', { countId: '9af49740-96f5-40ee-9e25-02420ae59635' })).toMatchObject({
      code: 'people/not-permitted',
    })
  })

  it('are the budtender of what they sell while they are signed in, by their name, and it is no clerk of the stockroom', async () => {
    const clerk = await station.ask('people.save', {
      id: null,
      person: { name: 'Kim', shortName: 'KI', role: 'clerk' },
    })
    await station.ask('people.setPin', { id: clerk.id, pin: '1357' })
    const id = await add('Ana', 'AN', 'counter', '2468')
    const budtender = async () => (await station.ask('checkout.cart', { mode: 'sale' })).budtender
    await signIn('AN', '2468')
    const ana = { id: 'AN', name: 'Ana' }
    expect(await budtender()).toEqual(ana)
    const [tagId = ''] = await sellable(1)
    await sell('A-1', [tagId])
    const { lines: exported } = await station.ask('outbox.export', undefined)
    expect(exported).toMatchObject([{ orderId: 'A-1', budtenderId: 'AN' }])
    await signIn('KI', '1357')
    expect(await budtender()).toBeNull()
    await signIn('AN', '2468')
    expect(await budtender()).toEqual(ana)
    await station.ask('people.signOut', undefined)
    expect(await budtender()).toBeNull()
    await station.ask('people.remove', { id })
    expect(await station.ask('checkout.order', { orderId: 'A-1' })).toMatchObject({ budtender: ana })
  })

  it('have no badge that is an order’s or an item’s code', async () => {
    const id = await add('Ana', 'AN', 'counter')
    const [tagId = ''] = await sellable(1)
    await sell('ORDER 5', [tagId])
    for (const code of ['ORDER 5', tagId, 'CT:UNDO'])
      expect(await station.refused('people.setBadge', { id, code })).toEqual({ code: 'people/badge-is-code' })
  })

  it('leave a line for an export and for rules that were changed', async () => {
    await add('Ana', 'AN', 'manager', '2468')
    await signIn('AN', '2468')
    await station.ask('outbox.export', undefined)
    await station.ask('people.setRules', {})
    expect((await lines()).slice(0, 3).map(({ what, name }) => [what, name])).toEqual([
      ['settings', 'Ana'],
      ['export', 'Ana'],
      ['signed-in', 'Ana'],
    ])
  })
})
