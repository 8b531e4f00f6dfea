import { describe, expect, it } from 'vitest'
import { Hosting } from '../../../src-renderer/settings/store/hosting.svelte'
import { Joining } from '../../../src-renderer/settings/store/joining.svelte'
import { say, t } from '../../../src-renderer/text/text.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import { type HostingOptions, HostingReason, type HostingView } from '../../../src-shared/ipc/contract/hosting'
import { createFakeWire } from './fake-wire'

const off: HostingView = { state: { kind: 'off' }, hosted: null }
const running: HostingView = {
  state: { kind: 'running' },
  hosted: { address: '192.168.1.20', port: 5433, isOther: false },
}
const options: HostingOptions = {
  addresses: [
    { address: '192.168.1.20', network: 'Ethernet', isLocal: false },
    { address: '127.0.0.1', network: 'lo', isLocal: true },
  ],
  programs: { version: '18.4', folder: '/usr/lib/postgresql/18/bin' },
  tooOld: [],
  computer: 'front',
}

async function begin(view: HostingView) {
  const fake = createFakeWire()
  const client = createClient(fake.wire)
  const hosting = new Hosting(client, new Joining(client))
  const loading = hosting.load()
  await fake.next('hosting.view').answer(view)
  await loading
  return { fake, hosting }
}
async function opened(view: HostingView, found: HostingOptions) {
  const { fake, hosting } = await begin(view)
  const editing = hosting.edit()
  const asked = fake.next('hosting.options')
  await asked.answer(found)
  await editing
  const { entry } = hosting
  if (!entry) throw new Error('the form is closed')
  return { fake, hosting, entry }
}

describe('keeping the store on this computer', () => {
  it('offers the first address and the PostgreSQL that was found, and starts', async () => {
    const { fake, hosting, entry } = await opened(off, options)
    expect(entry).toMatchObject({ address: '192.168.1.20', canStart: true })
    entry.form.values.port = '80'
    expect(await entry.form.save()).toBe(false)
    expect(entry.form.faults.port && say(entry.form.faults.port)).toBe('Use a number from 1024 to 65535.')
    entry.form.values.port = '5433'
    const saving = entry.form.save()
    const asked = fake.next('hosting.start')
    expect(asked.input).toEqual({
      ...{ address: '192.168.1.20', port: 5433, folder: null, stationName: 'Station 1', policy: 'warn' },
    })
    await asked.answer(running)
    await saving
    expect(hosting).toMatchObject({ entry: null, isHosted: true, view: running })
  })

  it('can’t start without PostgreSQL, and looks in the folder that is named', async () => {
    const { fake, entry } = await opened(off, { ...options, programs: null, tooOld: ['13.2'] })
    expect(entry.canStart).toBe(false)
    entry.form.values.folder = ' /opt/postgres '
    const looking = entry.look()
    const asked = fake.next('hosting.options')
    expect(asked.input).toEqual({ folder: '/opt/postgres' })
    await asked.answer(options)
    await looking
    expect(entry.canStart).toBe(true)
  })

  it('shows why it did not start', async () => {
    const { fake, hosting, entry } = await opened(off, options)
    const saving = entry.form.save()
    const error = { code: 'keep/failed', reason: 'port', detail: 'in use' } as const
    await fake.next('hosting.start').refuse(error)
    await saving
    expect(entry.form.error).toEqual(error)
    expect(hosting.isHosted).toBe(false)
  })

  it('says of each reason what it is, and what to do', () => {
    const said = HostingReason.options.flatMap((reason) => [
      t('hosting.failed', { reason, detail: '15' }),
      t('hosting.failed.next', { reason }),
    ])
    expect(said.every((text) => /^[A-Z].+\.$/.test(text))).toBe(true)
    expect(t('hosting.failed', { reason: 'version', detail: '15' })).toBe('The store hub’s data needs PostgreSQL 15.')
  })

  it('changes the address of what is kept, if the computer has another one', async () => {
    const gone: HostingView = {
      state: { kind: 'failed', reason: 'address', detail: '192.168.1.9' },
      hosted: { address: '192.168.1.9', port: 5500, isOther: false },
    }
    const { fake, entry } = await opened(gone, { ...options, programs: null })
    expect(entry).toMatchObject({ address: '192.168.1.20', canStart: true })
    const saving = entry.form.save()
    const asked = fake.next('hosting.renew')
    expect(asked.input).toEqual({ address: '192.168.1.20', port: 5500 })
    await asked.answer(running)
    await saving
  })

  it('names the other stations before it stops, and stays if reports are unsent', async () => {
    const { fake, hosting } = await begin(running)
    const asking = hosting.askToStop()
    await fake.next('hosting.others').answer({ names: ['Back', 'Office'] })
    await asking
    expect(hosting.stopping).toEqual({ names: ['Back', 'Office'] })
    expect(t('hosting.stop.others', { count: 2, names: ['Back', 'Office'] })).toBe(
      '2 other stations use it and will have no store hub: Back and Office.',
    )
    const stopping = hosting.stop()
    await fake.next('hosting.stop').refuse({ code: 'join/unsent', count: 1 })
    await stopping
    expect(hosting).toMatchObject({ error: { code: 'join/unsent', count: 1 }, isHosted: true })
    expect(hosting.stopping).not.toBe(null)
  })

  it('is not the store of this connection if another one is kept', async () => {
    const { hosting } = await begin({ ...running, hosted: { address: '10.0.0.2', port: 5433, isOther: true } })
    expect(hosting.isHosted).toBe(false)
    hosting.changed(running)
    expect(hosting.isHosted).toBe(true)
  })
})
