import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ResolveProxy, createSystemProxy, nameOf } from '../../../../src-main/service/system-proxy'

const service = 'https://service.test'

describe('the proxy of the operating system', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A fake system resolver, and a network that the test can change. */
  const system = (resolve: ResolveProxy = () => Promise.resolve('PROXY a:1; PROXY b:2; DIRECT')) => {
    const asked: string[] = []
    const place = { network: 'shop' }
    const proxy = createSystemProxy({
      resolve(url) {
        asked.push(url)
        return resolve(url)
      },
      sinceStart: () => Date.now(),
      network: () => place.network,
    })
    return { asked, place, proxy, waysTo: async (origin = service) => (await proxy.waysTo(origin)).map(nameOf) }
  }
  const all = ['http://a:1', 'http://b:2', 'direct']

  it('is resolved once for each origin, and again after a minute', async () => {
    const { asked, waysTo } = system()
    expect([await waysTo(), await waysTo(), await waysTo('https://tokens.test')]).toEqual([all, all, all])
    expect(asked).toEqual([`${service}/`, 'https://tokens.test/'])
    vi.setSystemTime(Date.now() + 60_000)
    await waysTo()
    expect(asked).toHaveLength(3)
  })

  it('is resolved once for simultaneous requests', async () => {
    const { asked, waysTo } = system()
    await Promise.all([waysTo(), waysTo(), waysTo()])
    expect(asked).toHaveLength(1)
  })

  it('is resolved again after a failed connection, and the failed proxy is tried last for a minute', async () => {
    const { asked, proxy, waysTo } = system()
    await waysTo()
    proxy.failed(service, { kind: 'http', url: 'http://a:1' })
    expect(await waysTo()).toEqual(['http://b:2', 'direct', 'http://a:1'])
    expect(asked).toHaveLength(2)
    expect(await waysTo('https://tokens.test')).toEqual(['http://b:2', 'direct', 'http://a:1'])
    vi.setSystemTime(Date.now() + 60_000)
    expect(await waysTo()).toEqual(all)
  })

  it('keeps its order if all ways failed', async () => {
    const { proxy, waysTo } = system()
    for (const way of await proxy.waysTo(service)) proxy.failed(service, way)
    expect(await waysTo()).toEqual(all)
  })

  it("is resolved again on another network, where earlier failures don't count", async () => {
    const { asked, place, proxy, waysTo } = system()
    await waysTo()
    proxy.failed(service, { kind: 'http', url: 'http://a:1' })
    await waysTo()
    place.network = 'tether'
    expect(await waysTo()).toEqual(all)
    expect(asked).toHaveLength(3)
  })

  it('ignores a late answer from the previous network', async () => {
    const answers: ((text: string) => void)[] = []
    const { place, waysTo } = system(() => new Promise((resolve) => answers.push(resolve)))
    const before = waysTo()
    place.network = 'tether'
    const after = waysTo()
    answers[1]?.('PROXY tether:1')
    expect(await after).toEqual(['http://tether:1'])
    answers[0]?.('PROXY shop:1')
    await before
    expect(await waysTo()).toEqual(['http://tether:1'])
  })

  it('is not used for this computer', async () => {
    const { asked, waysTo } = system()
    for (const host of ['http://127.0.0.1:3000', 'https://localhost:1', 'http://[::1]:80', 'http://127.8.8.8']) {
      expect(await waysTo(host)).toEqual(['direct'])
    }
    expect(asked).toEqual([])
    expect(await waysTo('https://localhost.store.test')).toEqual(all)
  })

  it("is skipped if the system doesn't answer for two seconds; its late answer counts from then on", async () => {
    let answer: (text: string) => void = () => undefined
    const { asked, waysTo } = system(() => new Promise((resolve) => (answer = resolve)))
    const ways = waysTo()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await ways).toEqual(['direct'])
    expect(await waysTo()).toEqual(['direct'])
    expect(asked).toHaveLength(1)
    answer('PROXY late:1')
    await vi.advanceTimersByTimeAsync(0)
    expect(await waysTo()).toEqual(['http://late:1'])
  })

  it.each<[string, ResolveProxy]>([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['answers with rubbish', () => Promise.resolve('rubbish')],
  ])('is skipped if the system %s', async (_how, resolve) => {
    expect(await system(resolve).waysTo()).toEqual(['direct'])
  })
})
