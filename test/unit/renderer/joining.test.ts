import { describe, expect, it } from 'vitest'
import { App } from '../../../src-renderer/app.svelte'
import type { Host } from '../../../src-renderer/host'
import { Joining, joinTestText, shownStore, storeQuestion } from '../../../src-renderer/settings/store/joining.svelte'
import { say } from '../../../src-renderer/text/text.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import type { JoinedHub } from '../../../src-shared/ipc/contract/hub'
import { HubTrouble } from '../../../src-shared/ipc/contract/hub'
import { cart, held, operation, scan } from './examples'
import { createFakeWire, turn } from './fake-wire'

const hub: JoinedHub = {
  ...{ host: 'hub.example', port: 5432, database: 'countertag', user: 'countertag', certificate: null },
  ...{ stationName: 'Station 1', policy: 'warn' },
}
const alone = { hub: null, place: null }
const works = { kind: 'works', stations: 2, isNew: false, needsCode: false, replaces: null } as const
const store = { name: 'Green Door', id: '3F2A-91BC-77D0-1E4A', host: '10.0.0.5', port: 5433, database: 'store' }
const scanned = {
  ...{ id: 'code-1', store, own: null, madeBy: 'Station 2' },
  ...{ host: '10.0.0.5', port: 5433, database: 'store', user: 'till', policy: 'refuse' as const },
  ...{ stationName: 'Station 3', needsCertificate: false, expiresAt: '2026-11-24T09:10:00.000Z' },
}

async function begin(view: { hub: JoinedHub | null; place: 'keychain' | 'gone' | null } = alone) {
  const fake = createFakeWire()
  const joining = new Joining(createClient(fake.wire))
  const loading = joining.load()
  await fake.next('join.view').answer(view)
  await loading
  joining.edit()
  const { entry } = joining
  if (!entry) throw new Error('the form is closed')
  const enter = (values: Partial<typeof entry.form.values>) => void Object.assign(entry.form.values, values)
  const faults = () =>
    Object.fromEntries(Object.entries(entry.form.faults).flatMap(([field, text]) => (text ? [[field, say(text)]] : [])))
  return { fake, joining, entry, enter, faults }
}
const right = { host: 'hub.example', password: 'secret-word', stationName: 'Station 2' }

describe('the form of the store hub', () => {
  it('shows what is wrong beside each field, and asks main for nothing', async () => {
    const { fake, entry, enter, faults } = await begin()
    enter({ port: 'x', database: '', user: 'u'.repeat(64), stationName: '' })
    await entry.try()
    expect(faults()).toEqual({
      host: 'Enter the address of the store hub.',
      port: 'Use a number from 1 to 65535. Usual: 5432.',
      database: 'Required.',
      user: 'That is too long.',
      password: 'Required.',
      stationName: 'Required.',
    })
    enter({ host: 'https://hub.example', certificate: 'no certificate' })
    expect(await entry.join()).toBe(false)
    expect(faults()['host']).toBe('Use the name or IP address only, without https://.')
    expect(faults()['certificate']).toContain('BEGIN CERTIFICATE')
    expect(fake.asked).toEqual([])
  })

  it('splits a pasted postgres:// address into its fields', async () => {
    const { entry } = await begin()
    entry.form.values.host = 'postgres://till:p%40ss@10.0.0.5:6543/store'
    entry.split()
    expect(entry.form.values).toMatchObject({
      ...{ host: '10.0.0.5', port: '6543', database: 'store', user: 'till', password: 'p@ss' },
    })
  })

  it('says what a try found, until something is changed', async () => {
    const { fake, entry, enter } = await begin()
    enter(right)
    const trying = entry.try()
    const asked = fake.next('join.try')
    expect(asked.input).toMatchObject({ host: 'hub.example', port: 5432, password: 'secret-word', fromCode: null })
    await asked.answer(works)
    await trying
    expect(entry.found && say(joinTestText(entry.found).what)).toBe('It works. 2 other stations have joined.')
    entry.form.values.user = 'other'
    expect(entry.found).toBe(null)
  })

  it('asks about an address of another store as about a code, and anew for each address', async () => {
    const { fake, joining: screen, entry, enter } = await begin({ hub, place: 'keychain' })
    enter({ host: 'other.example' })
    const joining = entry.join()
    await fake.next('join.join').refuse({ code: 'join/other-store' })
    const replaces = { store: { ...store, id: null }, own: { ...store, host: 'hub.example' } }
    await fake.next('join.try').answer({ ...works, replaces })
    expect(await joining).toBe(false)
    expect([entry.form.error, entry.replacesStore]).toEqual([null, false])
    expect(entry.found).toEqual({ ...works, replaces })
    entry.replacesStore = true
    const again = entry.join()
    const asked = fake.next('join.join')
    expect(asked.input).toMatchObject({ host: 'other.example', replacesStore: true })
    await asked.refuse({ code: 'join/code-needed', count: 2 })
    await again
    expect([entry.found, entry.replacesStore]).toEqual([{ ...works, needsCode: true, replaces }, true])
    enter({ host: 'third.example' })
    const third = entry.join()
    const other = fake.next('join.join')
    expect(other.input).toMatchObject({ host: 'third.example', replacesStore: false })
    await other.answer({ view: { hub, place: 'keychain' }, isTold: false })
    await third
    expect([screen.open, screen.hasTold]).toEqual([null, false])
  })

  it('has words and a next step for every trouble', () => {
    for (const trouble of HubTrouble.options) {
      const { tone, what, next } = joinTestText({ kind: 'trouble', trouble, answer: null, freeName: null })
      expect([tone, say(what), say(next)], trouble).toEqual([
        'bad',
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\.$/),
      ])
    }
  })

  it('joins, and forgets the password; refused, it keeps what was entered and says why', async () => {
    const { fake, joining, entry, enter } = await begin()
    enter(right)
    const refused = entry.join()
    const trouble = { trouble: 'name-taken', answer: null, freeName: 'Station 3' } as const
    await fake.next('join.join').refuse({ code: 'join/trouble', ...trouble })
    expect(await refused).toBe(false)
    expect(entry.found).toEqual({ kind: 'trouble', ...trouble })
    expect(say(joinTestText({ kind: 'trouble', ...trouble }).next)).toContain('Station 3')
    expect(entry.form.values.stationName).toBe('Station 3')
    expect(entry.form.values.password).toBe('secret-word')
    const done = entry.join()
    await fake.next('join.join').answer({ view: { hub, place: 'keychain' }, isTold: null })
    await done
    expect(joining.view).toEqual({ hub, place: 'keychain' })
    expect(joining.open).toBe(null)
    expect(JSON.stringify(entry.form.values)).not.toContain('secret-word')
  })

  it('asks for a join code where the store has stations, or whether none of them is left', async () => {
    const { fake, entry, enter } = await begin()
    enter(right)
    const refused = entry.join()
    await fake.next('join.join').refuse({ code: 'join/code-needed', count: 1 })
    await refused
    expect(entry.found).toMatchObject({ needsCode: true, stations: 1 })
    expect(entry.form.error).toBe(null)
    entry.makesKey = true
    void entry.join()
    expect(fake.next('join.join').input).toMatchObject({ makesKey: true })
  })

  it('keeps the saved password of a station that changes its name', async () => {
    const { fake, entry, enter } = await begin({ hub, place: 'keychain' })
    enter({ stationName: 'Front desk' })
    void entry.join()
    expect(fake.next('join.join').input).toMatchObject({ ...hub, stationName: 'Front desk', password: null })
  })

  it('takes address and password from a pasted join code, and keeps no text of it', async () => {
    const { fake, entry } = await begin()
    entry.form.values.codeText = 'CTJOIN1ABC'
    const reading = entry.read('CTJOIN1ABC')
    await fake.next('join.scanned').answer(scanned)
    await reading
    expect(entry.form.values.codeText).toBe('')
    expect(entry.form.values.stationName).toBe('Station 3')
    expect(entry.policy).toBe('refuse')
    void entry.join()
    const { host, port, database, user } = scanned
    expect(fake.next('join.join').input).toMatchObject({
      host,
      port,
      database,
      user,
      password: null,
      fromCode: 'code-1',
    })
  })

  it('joins another store than its own only after a person has said so, of this code', async () => {
    const { fake, entry } = await begin({ hub, place: 'keychain' })
    const own = { ...store, id: 'AAAA-BBBB-CCCC-DDDD', host: 'hub.example' }
    const reading = entry.read('CTJOIN1ABC')
    await fake.next('join.scanned').answer({ ...scanned, own })
    await reading
    void entry.join()
    expect(fake.next('join.join').input).toMatchObject({ fromCode: 'code-1', replacesStore: false })
    entry.replacesStore = true
    const again = entry.read('CTJOIN1ABC')
    await fake.next('join.scanned').answer({ ...scanned, id: 'code-2', own })
    await again
    expect(entry.replacesStore).toBe(false)
  })

  it('drops a code that has expired by the hub’s clock, and says so where the next one is scanned', async () => {
    const { fake, entry } = await begin()
    const reading = entry.read('CTJOIN1ABC')
    await fake.next('join.scanned').answer(scanned)
    await reading
    const joining = entry.join()
    await fake.next('join.join').refuse({ code: 'join/code-unusable', reason: 'expired' })
    await joining
    expect([entry.fromCode, entry.form.error, entry.codeError?.code]).toEqual([null, null, 'join/code-unusable'])
  })

  it('wants the certificate file if the code has no room for it', async () => {
    const { fake, entry, faults } = await begin()
    const reading = entry.read('CTJOIN1ABC')
    await fake.next('join.scanned').answer({ ...scanned, needsCertificate: true })
    await reading
    expect(await entry.join()).toBe(false)
    expect(Object.keys(faults())).toEqual(['certificate'])
    await entry.takeFile(new File(['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'], 'hub.pem'))
    void entry.join()
    expect(fake.next('join.join').input).toMatchObject({ certificate: entry.form.values.certificate })
    expect(entry.form.values.certificate).toContain('AAAA')
  })

  it('refuses a file that is no certificate, or too large', async () => {
    const { entry, faults } = await begin()
    await entry.takeFile(new File(['a picture'], 'hub.png'))
    expect(faults()['certificate']).toContain('BEGIN CERTIFICATE')
    await entry.takeFile(new File([`-----BEGIN CERTIFICATE-----${'A'.repeat(20_000)}`], 'hub.pem'))
    expect(faults()['certificate']).toContain('20,000')
  })
})

describe('the store of a code beside the own one', () => {
  it.each([
    ['B', 'A', 'join.form.other'],
    ['A', 'A', 'join.form.other.key'],
    [null, 'A', 'join.form.other.unknown'],
    ['A', null, 'join.form.other.unknown'],
  ])('with the IDs %s and %s asks %s', (id, own, question) => {
    expect(storeQuestion({ ...store, id }, { ...store, id: own })).toBe(question)
  })

  it('is named, with its hub only where the names don’t tell them apart', () => {
    const other = { ...store, name: 'Red Door', host: 'hub.example' }
    expect([shownStore(store, other), shownStore(other, store)]).toEqual(['Green Door', 'Red Door'])
    expect(shownStore(store, { ...other, name: 'Green Door' })).toBe('Green Door (10.0.0.5)')
    expect(shownStore({ ...store, name: null }, other)).toBe('10.0.0.5')
  })
})

describe('a joined station', () => {
  it('shows a code, and a new one once it is over', async () => {
    const { fake, joining } = await begin({ hub, place: 'keychain' })
    joining.close()
    const code = {
      picture: 'data:image/svg+xml,1',
      expiresAt: scanned.expiresAt,
      lacksCertificate: false,
      isLocal: false,
      textTo: null,
    }
    const shown = joining.showCode()
    await fake.next('join.code').answer(code)
    await shown
    expect(joining.open).toBe('code')
    const again = joining.showCode()
    await fake.next('join.code').answer({ ...code, picture: 'data:image/svg+xml,2' })
    await again
    expect(joining.code?.picture).toBe('data:image/svg+xml,2')
    joining.close()
    expect(joining.code).toBe(null)
  })

  it('stays while reports are unsent; leaves, and says whether the hub was told', async () => {
    const { fake, joining } = await begin({ hub, place: 'keychain' })
    joining.close()
    joining.askToLeave()
    const refused = joining.leave()
    await fake.next('join.leave').refuse({ code: 'join/unsent', count: 2 })
    await refused
    expect(joining.open).toBe('leave')
    expect(joining.error).toEqual({ code: 'join/unsent', count: 2 })
    const left = joining.leave()
    await fake.next('join.leave').answer({ view: alone, isTold: false })
    await left
    expect([joining.open, joining.hasTold, joining.view]).toEqual([null, false, alone])
  })
})

describe('a scanned join code', () => {
  const start = () => {
    const fake = createFakeWire()
    const host: Host = { wire: fake.wire, onReach: () => () => undefined }
    fake.always('checkout.cart', cart('sale', []))
    fake.always('scanner.setPlace', null)
    const app = new App(host, () => undefined)
    app.start()
    return { app, fake, emit: () => fake.emit('scanner.scanned', { ...scan(1, { kind: 'join' }), raw: '' }) }
  }

  it.each(['receiving', 'checkout', 'orders', 'find', 'outbox', 'store'] as const)(
    'on %s leads to Settings',
    async (screen) => {
      const { app, fake, emit } = start()
      app.go(screen)
      await emit()
      const { current } = app.strip
      expect(current && [current.tone, say(current.what), current.detail && say(current.detail)]).toEqual([
        'attention',
        'Join code',
        'To join the store with it, open Settings > Store and scan it there.',
      ])
      expect(fake.asked.some(({ call }) => call === 'join.scanned')).toBe(false)
      current?.actions[0]?.run()
      expect(app.screen).toBe('settings')
    },
  )

  it('in Settings opens the form with its address; a code that can’t be used is refused in words', async () => {
    const { app, fake, emit } = start()
    app.go('settings')
    await emit()
    await fake.next('join.view').answer(alone)
    expect(fake.next('join.scanned').input).toEqual({ text: null })
    await turn()
    expect(app.joining.open).toBe('form')
    app.joining.close()
    await emit()
    await fake.next('join.scanned').refuse({ code: 'join/code-unusable', reason: 'expired' })
    expect(app.strip.current?.tone).toBe('bad')
    expect(say(app.strip.current?.what ?? { key: 'label.join-code' })).toBe('This join code has expired.')
    expect(app.joining.entry?.codeError).toEqual({ code: 'join/code-unusable', reason: 'expired' })
  })
})

describe('the question before the store is left', () => {
  it('names the orders on hold of this station and the reports that need attention', async () => {
    const { fake, joining } = await begin({ hub, place: 'keychain' })
    joining.askToLeave()
    const looking = joining.lookBehind()
    expect(joining.leaving).toBeNull()
    const here = held(4, '1005')
    await fake
      .next('checkout.held')
      .answer([here, { ...held(5, '1006'), id: '00000000-0000-4000-8000-000000000009', station: 'Station 2' }])
    const refused = operation({ orderId: '1004', state: 'rejected' })
    await fake.next('outbox.list').answer({ operations: [refused], total: 7 })
    await looking
    expect(joining.leaving).toEqual({ held: [here], attention: [refused], attentionCount: 7 })
  })

  it('says that it could not look', async () => {
    const { fake, joining } = await begin({ hub, place: 'keychain' })
    joining.askToLeave()
    const looking = joining.lookBehind()
    await fake.next('checkout.held').answer([])
    await fake.next('outbox.list').refuse({ code: 'ipc/disconnected' })
    await looking
    expect(joining.leaving).toBeNull()
    expect(joining.error?.code).toBe('ipc/disconnected')
  })
})
