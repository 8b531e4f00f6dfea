import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FaultsInput } from '../../../src-practice/admin'
import type { OutageCause } from '../../../src-shared/ipc/contract/outages'
import { type Station, startStation } from './station'
import { stepsOf } from './steps'

describe('the ledger of outages, against the practice service', () => {
  let station: Station
  const { sell, sellable } = stepsOf(() => station)
  beforeEach(async () => {
    station = await startStation()
    await station.online()
  })
  afterEach(async () => {
    await station.close()
  })

  const span = () => ({
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  })
  const list = async () => (await station.ask('outbox.outages', span())).outages
  const causesOf = (outage: Awaited<ReturnType<typeof list>>[number] | undefined) =>
    outage?.causes.map(({ cause }) => cause)
  const lasting = async () => {
    await expect.poll(async () => (await list())[0]?.lengthMs ?? 0, { timeout: 20_000 }).toBeGreaterThan(2_000)
  }
  const ended = async () => {
    await expect.poll(async () => (await list())[0]?.to ?? null, { timeout: 30_000 }).not.toBeNull()
  }

  const faults: [string, FaultsInput, OutageCause][] = [
    ['does not listen', { offline: true }, 'refused'],
    ['cuts every connection', { rules: [{ kind: 'drop', when: 'before-commit' }] }, 'unreachable'],
    ['has problems', { rules: [{ kind: 'status', code: 500 }] }, 'failing'],
    ['is behind a sign-in page', { rules: [{ kind: 'garbage', answer: 'html' }] }, 'foreign-answer'],
  ]
  it.each(faults)('names the cause of a service that %s, with what was sold meanwhile', async (_, fault, cause) => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults(fault)
    await sell('1', [a])
    await lasting()
    expect(causesOf((await list())[0])).toContain(cause)
    await station.knobs.setFaults({})
    await station.drained()
    await ended()
    const [outage] = await list()
    const { lines } = await station.ask('outbox.outage', { id: outage?.id ?? 0, after: 0 })
    expect(lines).toMatchObject([{ kind: 'complete', orderId: '1', state: 'accepted' }])
    const [line] = lines
    expect(Date.parse(line?.reportedAt ?? '')).toBeGreaterThan(Date.parse(line?.performedAt ?? ''))
    expect(line?.delayMs).toBeGreaterThan(2_000)
  })

  it('keeps an outage over a restart, and says that the station was closed', async () => {
    const [a = '', b = ''] = await sellable(2)
    await station.knobs.setFaults({ offline: true })
    await sell('1', [a])
    await lasting()
    const [first] = await list()
    // The service of the practice store starts with the station.
    await station.restart()
    await station.online()
    await ended()
    const [outage, ...others] = await list()
    expect(others).toEqual([])
    expect(outage?.id).toBe(first?.id)
    expect(causesOf(outage)).toContain('station-off')
    await sell('2', [b])
    await station.drained()
    const { lines } = await station.ask('outbox.outage', { id: outage?.id ?? 0, after: 0 })
    expect(lines.map(({ orderId, state }) => [orderId, state])).toEqual([['1', 'accepted']])
  })

  it('does not count a request that fails once', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({
      rules: [{ kind: 'drop', when: 'before-commit', path: '/api/v1.2/transactions/', times: 1 }],
    })
    await sell('1', [a])
    await station.ask('outbox.sendNow', undefined)
    await station.drained()
    expect(await list()).toEqual([])
    expect(await station.refused('outbox.outage', { id: 5, after: 0 })).toEqual({ code: 'outbox/no-outage' })
  })
})
