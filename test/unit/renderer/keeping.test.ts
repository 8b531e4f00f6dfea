import { describe, expect, it } from 'vitest'
import { Keeping } from '../../../src-renderer/settings/store/keeping.svelte'
import { Joining } from '../../../src-renderer/settings/store/joining.svelte'
import { say, t } from '../../../src-renderer/text/text.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import { KeepReason, type KeepOptions, type KeepView } from '../../../src-shared/ipc/contract/keep'
import { createFakeWire } from './fake-wire'

const off: KeepView = { state: { kind: 'off' }, kept: null }
const running: KeepView = {
  state: { kind: 'running' },
  kept: { address: '192.168.1.20', port: 5433, isOther: false },
}
const options: KeepOptions = {
  addresses: [
    { address: '192.168.1.20', network: 'Ethernet', isLocal: false },
    { address: '127.0.0.1', network: 'lo', isLocal: true },
  ],
  programs: { version: '18.4', folder: '/usr/lib/postgresql/18/bin' },
  tooOld: [],
  computer: 'front',
}

async function begin(view: KeepView) {
  const fake = createFakeWire()
  const client = createClient(fake.wire)
  const keeping = new Keeping(client, new Joining(client))
  const loading = keeping.load()
  await fake.next('keep.view').answer(view)
  await loading
  return { fake, keeping }
}
async function opened(view: KeepView, found: KeepOptions) {
  const { fake, keeping } = await begin(view)
  const editing = keeping.edit()
  const asked = fake.next('keep.options')
  await asked.answer(found)
  await editing
  const { entry } = keeping
  if (!entry) throw new Error('the form is closed')
  return { fake, keeping, entry }
}

describe('keeping the store on this computer', () => {
  it('offers the first address and the PostgreSQL that was found, and starts', async () => {
    const { fake, keeping, entry } = await opened(off, options)
    expect(entry).toMatchObject({ address: '192.168.1.20', canStart: true })
    entry.form.values.port = '80'
    expect(await entry.form.save()).toBe(false)
    expect(entry.form.faults.port && say(entry.form.faults.port)).toBe('Use a number from 1024 to 65535.')
    entry.form.values.port = '5433'
    const saving = entry.form.save()
    const asked = fake.next('keep.start')
    expect(asked.input).toEqual({
      ...{ address: '192.168.1.20', port: 5433, folder: null, stationName: 'Station 1', policy: 'warn' },
    })
    await asked.answer(running)
    await saving
    expect(keeping).toMatchObject({ entry: null, isKept: true, view: running })
  })

  it('can’t start without PostgreSQL, and looks in the folder that is named', async () => {
    const { fake, entry } = await opened(off, { ...options, programs: null, tooOld: ['13.2'] })
    expect(entry.canStart).toBe(false)
    entry.form.values.folder = ' /opt/postgres '
    const looking = entry.look()
    const asked = fake.next('keep.options')
    expect(asked.input).toEqual({ folder: '/opt/postgres' })
    await asked.answer(options)
    await looking
    expect(entry.canStart).toBe(true)
  })

  it('shows why it did not start', async () => {
    const { fake, keeping, entry } = await opened(off, options)
    const saving = entry.form.save()
    const error = { code: 'keep/failed', reason: 'port', detail: 'in use' } as const
    await fake.next('keep.start').refuse(error)
    await saving
    expect(entry.form.error).toEqual(error)
    expect(keeping.isKept).toBe(false)
  })

  it('says of each reason what it is, and what to do', () => {
    const said = KeepReason.options.flatMap((reason) => [
      t('keep.failed', { reason, detail: '15' }),
      t('keep.failed.next', { reason }),
    ])
    expect(said.every((text) => /^[A-Z].+\.$/.test(text))).toBe(true)
    expect(t('keep.failed', { reason: 'version', detail: '15' })).toBe('The store hub’s data needs PostgreSQL 15.')
  })

  it('changes the address of what is kept, if the computer has another one', async () => {
    const gone: KeepView = {
      state: { kind: 'failed', reason: 'address', detail: '192.168.1.9' },
      kept: { address: '192.168.1.9', port: 5500, isOther: false },
    }
    const { fake, entry } = await opened(gone, { ...options, programs: null })
    expect(entry).toMatchObject({ address: '192.168.1.20', canStart: true })
    const saving = entry.form.save()
    const asked = fake.next('keep.renew')
    expect(asked.input).toEqual({ address: '192.168.1.20', port: 5500 })
    await asked.answer(running)
    await saving
  })

  it('names the other stations before it stops, and stays if reports are unsent', async () => {
    const { fake, keeping } = await begin(running)
    const asking = keeping.askToStop()
    await fake.next('keep.others').answer({ names: ['Back', 'Office'] })
    await asking
    expect(keeping.stopping).toEqual({ names: ['Back', 'Office'] })
    expect(t('keep.stop.others', { count: 2, names: ['Back', 'Office'] })).toBe(
      '2 other stations use it and will have no store hub: Back and Office.',
    )
    const stopping = keeping.stop()
    await fake.next('keep.stop').refuse({ code: 'join/unsent', count: 1 })
    await stopping
    expect(keeping).toMatchObject({ error: { code: 'join/unsent', count: 1 }, isKept: true })
    expect(keeping.stopping).not.toBe(null)
  })

  it('is not the store of this connection if another one is kept', async () => {
    const { keeping } = await begin({ ...running, kept: { address: '10.0.0.2', port: 5433, isOther: true } })
    expect(keeping.isKept).toBe(false)
    keeping.changed(running)
    expect(keeping.isKept).toBe(true)
  })
})
