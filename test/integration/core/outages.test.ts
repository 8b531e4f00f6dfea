import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { request } from 'undici'
import { Token } from '../../../src-shared/service/token'
import { canLimitFiles, withoutFiles } from '../../fakes/file-limit'
import { type Station, idIn, practiceAccount, startStation } from './station'
import { pos, stepsOf } from './steps'

describe('a station through outages', () => {
  let station: Station
  const { fillCart, finish, held, sell, sellable } = stepsOf(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('sells offline, says so, and reports once the connection is back', async () => {
    const [a = '', b = ''] = await sellable(2)
    await sell('1', [a])
    await station.knobs.setFaults({ offline: true })
    const saved = await sell('2', [b])
    expect(saved).toMatchObject({ state: 'queued', reason: { code: 'service/unreachable' } })
    expect(await station.ask('app.status', undefined)).toMatchObject({
      unsent: 1,
      connection: { state: 'unreachable' },
    })
    await station.knobs.setFaults({})
    await station.drained()
    expect(await held()).toEqual([
      { kind: 'complete', orderId: '1', tagIds: [a] },
      { kind: 'complete', orderId: '2', tagIds: [b] },
    ])
  })

  it.skipIf(!canLimitFiles)(
    'names a computer that is out of open files, and has not sent what it could not',
    async () => {
      const [a = '', b = ''] = await sellable(2)
      await sell('1', [a])
      await sell('2', [b])
      await station.ask('checkout.addItem', { mode: 'return', tagId: a })
      // Ends the connections that are open: the next request needs a new one.
      await station.knobs.setFaults({ offline: true })
      await withoutFiles(async () => {
        const saved = await finish('return')
        expect(saved).toMatchObject({ state: 'queued', reason: { code: 'service/out-of-files' } })
        expect(await station.ask('app.status', undefined)).toMatchObject({
          unsent: 1,
          connection: { state: 'out-of-files' },
        })
        const day = {
          from: new Date(Date.now() - 86_400_000).toISOString(),
          to: new Date(Date.now() + 86_400_000).toISOString(),
        }
        const { outages } = await station.ask('outbox.outages', day)
        expect(outages[0]?.causes.map(({ cause }) => cause)).toContain('out-of-files')
      })
      await station.knobs.setFaults({})
      await station.drained()
      expect((await held()).map((one) => one.kind)).toEqual(['complete', 'complete', 'return'])
      // Accepted at its first attempt: nothing had to be looked up.
      const [last] = (await station.ask('outbox.list', { show: 'recent' })).operations
      expect(last).toMatchObject({ kind: 'return', state: 'accepted', note: null })
    },
  )

  it('keeps the order if a return follows a sale that is still unsent', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({ offline: true })
    await sell('1', [a])
    await station.ask('checkout.addItem', { mode: 'return', tagId: a })
    await finish('return')
    await station.knobs.setFaults({})
    await station.drained()
    expect((await held()).map((one) => one.kind)).toEqual(['complete', 'return'])
  })

  it('neither loses nor doubles a sale if its answer was lost after the service took it', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({
      rules: [{ kind: 'drop', when: 'after-commit', path: '/api/v1.2/transactions/', times: 1 }],
    })
    const sale = await sell('1', [a])
    expect(sale.state).toBe('unknown')
    await station.ask('outbox.sendNow', undefined)
    await station.drained()
    expect(await held()).toEqual([{ kind: 'complete', orderId: '1', tagIds: [a] }])
    expect((await station.ask('outbox.list', { show: 'recent' })).operations).toMatchObject([
      { state: 'accepted', note: 'found-by-reading' },
    ])
  })

  it.each(['import', 'import-removal'] as const)(
    'neither loses nor doubles an %s of one of two packaged products if its answer was lost',
    async (kind) => {
      const [text = ''] = await station.codes('case', 'two-products')
      const view = await station.ask('receiving.case', { identifier: idIn(text) })
      const form = {
        caseId: view.caseId,
        packagedProductId: view.packagedProducts[0]?.packagedProductId ?? '',
        packageUid: view.packageUids[0] ?? '',
        ...pos,
      }
      const lose = () =>
        station.knobs.setFaults({
          rules: [{ kind: 'drop', when: 'after-commit', path: '/api/v1.2/caseids/', times: 1 }],
        })
      if (kind === 'import') await lose()
      const imported = await station.ask('receiving.import', form)
      if (kind === 'import-removal') {
        await lose()
        await station.ask('receiving.undo', { operationId: imported.id })
      }
      await station.ask('outbox.sendNow', undefined)
      await station.drained()
      const [last] = (await station.ask('outbox.list', { show: 'recent' })).operations
      expect(last).toMatchObject({ kind, state: 'accepted', note: 'found-by-reading' })
      const held = (await station.knobs.imports()).filter((one) => one.caseId === view.caseId)
      expect(held).toHaveLength(kind === 'import' ? 1 : 0)
    },
  )

  it.each([
    ['dropped before the service looked', { kind: 'drop', when: 'before-commit', times: 2 }],
    ['answered 500', { kind: 'status', code: 500, times: 2 }],
    ['answered 503', { kind: 'status', code: 503, retryAfter: 0, times: 2 }],
    ['answered 429', { kind: 'status', code: 429, retryAfter: 0, times: 2 }],
    ['answered by a web page', { kind: 'garbage', answer: 'html', times: 2 }],
    ['answered by nothing', { kind: 'garbage', answer: 'empty', times: 2 }],
  ] as const)('sends a return once if it was %s twice', async (_, rule) => {
    const [a = ''] = await sellable(1)
    await sell('1', [a])
    await station.knobs.setFaults({ rules: [{ ...rule, path: '/api/v1.2/transactions/return' }] })
    await station.ask('checkout.addItem', { mode: 'return', tagId: a })
    const first = await finish('return')
    expect(['queued', 'unknown']).toContain(first.state)
    for (let attempt = 0; attempt < 40 && (await station.ask('app.status', undefined)).unsent > 0; attempt++) {
      await station.ask('outbox.sendNow', undefined)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await held()).map((one) => one.kind)).toEqual(['complete', 'return'])
    expect((await station.ask('app.status', undefined)).attention).toBe(0)
  })

  it('renews an expired token by itself', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.expireTokens()
    expect(await sell('1', [a])).toMatchObject({ state: 'accepted', attempts: 1 })
  })

  it('keeps an unsent sale and a half-filled cart through a restart', async () => {
    const [a = '', b = ''] = await sellable(2)
    await station.ask('receiving.case', { identifier: idIn((await station.codes('case', 'imported-here'))[0] ?? '') })
    await station.knobs.setFaults({ offline: true })
    await sell('1', [a])
    await fillCart('2', [b])
    await station.restart()
    expect(await station.ask('checkout.cart', { mode: 'sale' })).toMatchObject({ orderId: '2', itemCount: 1 })
    await station.drained()
    expect(await held()).toEqual([{ kind: 'complete', orderId: '1', tagIds: [a] }])
  })

  it("corrects the time of a sale by the service's clock", async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({ dateSkewMs: 86_400_000 })
    await sell('1', [a])
    const [sale] = await station.knobs.transactions()
    const ahead = Date.parse(sale?.performedAt ?? '') - Date.now()
    expect(Math.round(ahead / 3_600_000)).toBe(24)
  })

  it.each([3, -300])("keeps its own clock, and says so, while the service's clock is %i days away", async (days) => {
    const [a = '', b = ''] = await sellable(2)
    await station.knobs.setFaults({ dateSkewMs: days * 86_400_000 })
    await sell('1', [a])
    const [sale] = await station.knobs.transactions()
    expect(Math.round((Date.parse(sale?.performedAt ?? '') - Date.now()) / 3_600_000)).toBeCloseTo(0)
    const status = async () => {
      const { clockOffset, warnings } = await station.ask('app.status', undefined)
      return { clockOffset, warnings }
    }
    expect(await status()).toEqual({ clockOffset: 0, warnings: ['service-clock-wrong'] })
    await station.knobs.setFaults({})
    await sell('2', [b])
    expect(await status()).toEqual({ clockOffset: 0, warnings: [] })
  })

  it("does not mistake another till's sale for its own lost one", async () => {
    const [a = '', b = '', c = ''] = await sellable(3)
    await station.ask('receiving.case', { identifier: idIn((await station.codes('case', 'imported-here'))[0] ?? '') })
    // It shows that the service keeps the times of reports.
    await sell('0', [c])
    await station.knobs.setFaults({
      rules: [{ kind: 'drop', when: 'before-commit', path: '/api/v1.2/transactions/', times: 1 }],
    })
    const lost = await sell('1', [a, b])
    expect(lost.state).toBe('unknown')
    await otherTill(station).sell('another till', [a])
    await station.ask('outbox.sendNow', undefined)
    await station.drained()
    expect(await held()).toEqual([
      { kind: 'complete', orderId: '0', tagIds: [c] },
      { kind: 'complete', orderId: 'another till', tagIds: [a] },
    ])
    await expect
      .poll(async () => (await station.ask('outbox.list', { show: 'attention' })).operations)
      .toMatchObject([{ orderId: '1', state: 'rejected', reason: { code: 'service/already-processed' } }])
  })

  it('keeps its pauses while reports fail and reads succeed', async () => {
    const tags = await sellable(4)
    await station.knobs.setFaults({ rules: [{ kind: 'status', code: 500, path: '/api/v1.2/transactions/' }] })
    for (const [n, tagId] of tags.entries()) await sell(String(n), [tagId])
    const attempts = async () =>
      (await station.knobs.requests()).filter((one) => one.path.includes('/transactions/')).length
    const before = await attempts()
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    // Pauses grow from 1 s. Four operations have a few attempts each in 3 s; a loop without pauses would have hundreds.
    expect((await attempts()) - before).toBeLessThan(40)
  })

  it('waits as long as the service asked, whatever else is answered meanwhile', async () => {
    const [a = '', b = ''] = await sellable(2)
    await station.knobs.setFaults({
      rules: [{ kind: 'status', code: 503, retryAfter: 60, path: '/api/v1.2/transactions/', times: 1 }],
    })
    await sell('1', [a])
    await station.knobs.setFaults({ offline: true })
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await station.knobs.setFaults({})
    await sell('2', [b])
    const [waiting] = (await station.ask('outbox.list', { show: 'waiting' })).operations
    expect(waiting).toMatchObject({ orderId: '1', state: 'unknown', attempts: 1 })
    expect(Date.parse(waiting?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(30_000)
  })
})

/** Another till of the same store, which talks to the service directly. */
function otherTill(of: Station) {
  const post = async (path: string, body: string, headers: Record<string, string>) => {
    const response = await request(`${of.practice.baseUrl}${path}`, { method: 'POST', body, headers })
    const text = await response.body.text()
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text}`)
    return text
  }
  return {
    async sell(orderId: string, tagIds: string[]) {
      const { clientId, clientSecret } = practiceAccount()
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      })
      const token = Token.parse(
        JSON.parse(
          await post('/auth/o/token/', form.toString(), { 'content-type': 'application/x-www-form-urlencoded' }),
        ),
      )
      const body = { performed_at: new Date().toISOString(), order_id: orderId, items: tagIds }
      await post('/api/v1.2/transactions/complete/', JSON.stringify(body), {
        'content-type': 'application/json',
        authorization: `Bearer ${token.access_token}`,
      })
    },
  }
}
