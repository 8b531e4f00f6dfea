import type { RequestListener } from 'node:http'
import { request } from 'undici'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { type Listener, listen } from '../../../src-practice/listener'

let listener: Listener | undefined
afterEach(() => listener?.close())

it('loads what answers only when it is asked, and answers what came meanwhile', async () => {
  listener = await listen(0)
  const { origin } = listener
  let loads = 0
  const loading = Promise.withResolvers<RequestListener>()
  listener.serve(() => {
    loads += 1
    return loading.promise
  })
  expect(loads).toBe(0)

  const asked = Promise.all(['/one', '/two'].map(async (path) => (await request(origin + path)).body.text()))
  await expect.poll(() => loads).toBe(2)
  loading.resolve((incoming, outgoing) => {
    outgoing.end(incoming.url)
  })

  expect(await asked).toEqual(['/one', '/two'])
  expect(await (await request(`${origin}/three`)).body.text()).toBe('/three')
  expect(loads).toBe(2)
})

it('picks a free port that no outgoing connection is given', async () => {
  const first = await listen(0)
  onTestFinished(() => first.close())
  const port = Number(new URL(first.origin).port)
  expect(port).toBeLessThan(32_768)
  let picks = 0
  const next = port === 31_999 ? 20_000 : port + 1
  const second = await listen(0, () => (picks++ === 0 ? port : next))
  onTestFinished(() => second.close())
  expect(second.origin).not.toBe(first.origin)
  expect(picks).toBeGreaterThan(1)
})

it('does not take again a port that was just closed: a kept connection would be cut by the first request', async () => {
  const origins: string[] = []
  for (let turn = 0; turn < 500; turn++) {
    const one = await listen(0)
    origins.push(one.origin)
    await one.close()
  }
  expect(new Set(origins).size).toBe(500)
})
