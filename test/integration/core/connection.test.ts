import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AppStatus } from '../../../src-shared/ipc/contract/app'
import { type Station, startStation } from './station'

describe('the connection in the status bar', { timeout: 60_000 }, () => {
  let station: Station
  let shown: { state: string; at: number }[]
  const note = ({ connection }: AppStatus) => shown.push({ state: connection.state, at: performance.now() })

  beforeEach(async () => {
    station = await startStation()
    shown = []
    await station.online()
  })
  afterEach(async () => {
    await station.close()
  })

  /** Resolves once the bar shows another state than "Connected". */
  const told = async () => {
    for (let look = 0; look < 1_200; look++) {
      const { connection } = await station.ask('app.status', undefined)
      if (connection.state !== 'online') return connection.state
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('still connected')
  }
  const reads = async () => (await station.knobs.requests()).filter(({ method }) => method === 'GET').length

  it('notices by itself that the line dropped while nothing is sent, if a page is open', async () => {
    const stop = station.client.on('app.status', note)
    await station.knobs.setFaults({ offline: true })
    expect(await told()).toBe('unreachable')
    expect(shown.map(({ state }) => state)).toEqual(['unreachable'])
    await station.knobs.setFaults({})
    await station.online()
    stop()
  })

  it('asks an idle service about every ten seconds, and not at all without a page', async () => {
    await new Promise((resolve) => setTimeout(resolve, 14_000))
    expect(await reads()).toBe(1)
    const stop = station.client.on('app.status', note)
    await new Promise((resolve) => setTimeout(resolve, 24_000))
    const asked = await reads()
    expect(asked).toBeGreaterThan(1)
    expect(asked).toBeLessThanOrEqual(4)
    stop()
  })

  it('does not stay "Connected" while a request gets no answer, and says "No connection" once it failed', async () => {
    station.client.on('app.status', note)
    await station.knobs.setFaults({ rules: [{ kind: 'stall' }] })
    const began = performance.now()
    const asking = station.client.call('find.search', { text: 'Blue' })
    expect(await told()).toBe('slow')
    await asking
    expect(shown[0]).toMatchObject({ state: 'slow' })
    expect((shown[0]?.at ?? Infinity) - began).toBeLessThan(3_000)
  })
})
