import { ok } from '../../../src-shared/result'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ClientCredentials } from '../../../src-main/credentials/store'
import { type Answers, startOddService, token, withTokens } from './odd-service'
import { type Station, idIn, practiceAccount, startStation } from './station'

const id = 'VaVSFGDiox2pHf8GmQmTfG'
const item = (more: object = {}) => ({ status: 200, body: JSON.stringify({ uuid: id, collections: [], ...more }) })

describe('the service client', () => {
  let service: Awaited<ReturnType<typeof startOddService>> | undefined
  afterEach(async () => {
    await service?.close()
    service = undefined
  })
  /** The error code of reading an item. */
  const readingWith = async (answers: Answers) => {
    service = await startOddService(withTokens(answers))
    const answer = await service.client.v12.items.get(id)
    return answer.ok ? 'ok' : answer.error
  }

  it('keeps unknown fields and accepts missing optional fields', async () => {
    expect(await readingWith(() => item({ something_new: { deep: [1] }, brand_uuid: null }))).toBe('ok')
  })

  it.each([
    [
      'a web page',
      { status: 200, body: '<html>Sign in to the WiFi</html>', headers: { 'content-type': 'text/html' } },
      { code: 'service/unreadable', path: null },
    ],
    ['nothing', { status: 200 }, { code: 'service/unreadable', path: null }],
    ['half a JSON', { status: 200, body: '{"uuid":' }, { code: 'service/unreadable', path: null }],
    ['a wrong shape', item({ collections: [{ uuid: 7 }] }), { code: 'service/unreadable', path: 'collections.0.uuid' }],
    ['a list', { status: 200, body: '[]' }, { code: 'service/unreadable', path: '' }],
    [
      'another place',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { code: 'service/unreadable', path: null },
    ],
    ['403', { status: 403 }, { code: 'service/forbidden' }],
    ['404', { status: 404 }, { code: 'service/not-found', id }],
    ['429', { status: 429 }, { code: 'service/busy' }],
    ['500', { status: 500, body: 'Traceback' }, { code: 'service/failing', status: 500 }],
    ['a cut connection', 'hang up', { code: 'service/unreachable' }],
    ['a body that never ends', 'stall', { code: 'service/unreachable' }],
  ] as const)('names the problem if the answer is %s', async (_, answer, error) => {
    expect(await readingWith(() => answer)).toEqual(error)
  })

  it('requests a token once, however many calls need it, and renews it once after a refusal', async () => {
    let given = 0
    service = await startOddService((path, authorization) => {
      if (path.startsWith('/o/token')) return token(`T${++given}`)
      return authorization === 'Bearer T1' ? { status: 401 } : item()
    })
    const answers = await Promise.all([
      service.client.v12.items.get(id),
      service.client.v12.items.get(id),
      service.client.v12.items.get(id),
    ])
    expect(answers.every((answer) => answer.ok)).toBe(true)
    expect(given).toBe(2)
  })

  it('stops after one renewal if every token is refused', async () => {
    service = await startOddService((path) => (path.startsWith('/o/token') ? token() : { status: 401 }))
    expect(await service.client.v12.items.get(id)).toEqual({
      ok: false,
      error: { code: 'service/credentials-refused' },
    })
    expect(service.asked.filter((line) => line.includes('/items/'))).toHaveLength(2)
  })

  it.each([
    ['400', { status: 400, body: '{"error":"invalid_client"}' }, 'service/credentials-refused'],
    ['401', { status: 401 }, 'service/credentials-refused'],
    ['500', { status: 500 }, 'service/failing'],
    ['a page', { status: 200, body: '<html></html>' }, 'service/unreadable'],
    [
      'a token without a life',
      { status: 200, body: '{"access_token":"x","token_type":"Bearer"}' },
      'service/unreadable',
    ],
  ] as const)('names the problem if the token endpoint answers %s', async (_, answer, code) => {
    service = await startOddService((path) => (path.startsWith('/o/token') ? answer : item()))
    expect(await service.client.v12.items.get(id)).toMatchObject({ ok: false, error: { code } })
    expect(service.asked.filter((line) => line.includes('/items/'))).toHaveLength(0)
  })

  it('waits longer for the answer to a photo than to a scan', async () => {
    service = await startOddService(
      withTokens((path) => ({ ...(path.includes('/items/') ? item() : { status: 200 }), afterMs: 1_500 })),
    )
    const content = 'A'.repeat(400_000)
    expect(await service.client.v15.assets.createImage({ name: 'front', content })).toEqual({ ok: true, value: null })
    expect(await service.client.v12.items.get(id)).toMatchObject({ error: { code: 'service/unreachable' } })
  })

  it('encodes an identifier with a slash and a space as one segment of the path', async () => {
    await readingWith(() => ({ status: 404 }))
    await service?.client.v12.cases.get('HF 2026/0417')
    expect(service?.asked.at(-1)).toBe('GET /api/v1.2/collections/case/HF%202026%2F0417/')
  })

  it.each(['http://127.0.0.1:1/x', 'https://example.invalid/', 'file:///etc/passwd', 'not a url'])(
    "sends no request to %s, which isn't a host of the profile",
    async (url) => {
      await readingWith(() => item())
      expect(await service?.http.send({ method: 'GET', url })).toEqual({
        kind: 'not-asked',
        error: { code: 'service/foreign-host' },
      })
      expect(await service?.http.download(url, 1_000)).toBeUndefined()
    },
  )

  it('knows that a refused connection sent nothing, and that a cut one may have sent the report', async () => {
    await readingWith(() => 'hang up')
    const cut = await service?.client.v12.report('transactions/void/', {})
    expect(cut).toMatchObject({ kind: 'no-answer', sent: true })
    await service?.stopListening()
    expect(await service?.client.v12.report('transactions/void/', {})).toMatchObject({
      kind: 'no-answer',
      code: 'ECONNREFUSED',
      sent: false,
    })
  })
})

describe('a wrong client secret', () => {
  let station: Station | undefined
  afterEach(async () => {
    await station?.close()
    station = undefined
  })

  it('is shown, keeps every sale, sends them once it is corrected, and never appears in a file', async () => {
    const wrong: ClientCredentials = { clientId: 'green-door-newark-id', clientSecret: 'wr0ng-s3cret-5f2c' }
    let current: ClientCredentials | null = wrong
    station = await startStation({ credentials: { read: () => Promise.resolve(ok(current)) } })
    const tagId = idIn((await station.codes('tag')).at(-1) ?? '')
    await station.ask('checkout.setOrder', { mode: 'sale', orderId: '1' })
    expect(await station.ask('checkout.addItem', { mode: 'sale', tagId })).toMatchObject({
      verdict: { kind: 'unchecked' },
    })
    const { revision } = await station.ask('checkout.cart', { mode: 'sale' })
    const { id } = await station.ask('checkout.finish', { mode: 'sale', orderId: '1', itemCount: 1, revision })
    expect(await station.outcomeOf(id)).toMatchObject({
      state: 'queued',
      reason: { code: 'service/credentials-refused' },
    })
    expect(await station.ask('app.status', undefined)).toMatchObject({
      unsent: 1,
      connection: { state: 'credentials-refused' },
    })

    current = null
    await station.ask('outbox.sendNow', undefined)
    await expect
      .poll(async () => (await station?.ask('outbox.list', { show: 'waiting' }))?.operations[0]?.reason)
      .toEqual({ code: 'service/credentials-missing' })

    current = practiceAccount()
    await station.ask('outbox.sendNow', undefined)
    await station.drained()
    expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['1'])

    const folder = join(station.dataDir, 'practice')
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file)).includes(wrong.clientSecret)).toBe(false)
  })
})
