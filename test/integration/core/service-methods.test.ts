import { afterEach, describe, expect, it } from 'vitest'
import type { ServiceClient } from '../../../src-main/service/client'
import { endpointsV12, endpointsV15 } from '../../../src-shared/service/endpoints'
import { caseOf, tag } from '../../fakes/ids'
import * as wire from '../../fixtures/wire'
import { type OddService, json, startOddService, withTokens } from './odd-service'
import { type Call, v12Changes, v12Reads, v15 } from './service-calls'

const { long } = wire
const k = caseOf(1)
const t = tag(1)
const product = { name: 'Blue Dune', product_type: 'FLOWER', package_size: { value: '3.5', unit: 'gram' } } as const
const image = { name: 'front', content: 'AAAA' }

describe('every endpoint of the specification', () => {
  let service: OddService | undefined
  afterEach(async () => {
    await service?.close()
    service = undefined
  })

  const calling = async (call: Call, answer: unknown, status = 200) => {
    const isText = typeof answer === 'string'
    const body = answer === undefined ? {} : { body: isText ? answer : JSON.stringify(answer) }
    const headers = isText ? { 'content-type': 'text/plain' } : {}
    service = await startOddService(withTokens(() => ({ status, headers, ...body })))
    const value = await call(service.client)
    return { value, asked: service.asked.at(-1), sent: parsed(service.bodies.at(-1) ?? '') }
  }
  const parsed = (body: string): unknown => (body === '' ? null : JSON.parse(body))
  const namesIn = (table: Record<string, object>) =>
    Object.entries(table).flatMap(([resource, endpoints]) =>
      Object.keys(endpoints).map((name) => `${resource}.${name}`),
    )

  it('has a method, and every method a test', () => {
    expect(v15.map(([name]) => name).toSorted()).toEqual(namesIn(endpointsV15).toSorted())
    expect([...v12Reads, ...v12Changes].map(([name]) => name).toSorted()).toEqual(namesIn(endpointsV12).toSorted())
  })

  it.each(v15)('v1.5 %s', async (_, call, asked, sent, answer, value) => {
    const seen = await calling(call, answer)
    expect(seen.asked).toBe(asked.replace(' ', ' /api/v1.5/'))
    expect(seen.sent).toEqual(sent)
    expect(seen.value).toMatchObject({ ok: true, value })
  })

  it.each(v12Reads)('v1.2 %s', async (_, call, asked, sent, answer, value) => {
    const seen = await calling(call, answer)
    expect(seen).toMatchObject({
      asked: asked.replace(' ', ' /api/v1.2/'),
      sent,
      value: { ok: true, value },
    })
  })

  it.each(v12Changes)('v1.2 %s gives the raw reply, for the outbox', async (_, call, asked, sent) => {
    const seen = await calling(call, { detail: 'No.' }, 400)
    expect(seen).toMatchObject({ asked: asked.replace(' ', ' /api/v1.2/'), sent })
    expect(seen.value).toEqual({
      kind: 'answer',
      status: 400,
      body: { kind: 'json', value: { detail: 'No.' } },
      retryAfterMs: null,
    })
  })

  const changes = v15.filter(([, , asked, , , value]) => !asked.startsWith('GET') || value === null)

  it.each(changes)('v1.5 %s is done if the service confirms it without a body', async (_, call) => {
    for (const status of [200, 201, 204]) {
      expect((await calling(call, undefined, status)).value).toEqual({ ok: true, value: null })
      await service?.close()
    }
  })

  it.each(v15.filter((row) => !changes.includes(row)).concat(v12Reads))(
    '%s rejects an empty answer',
    async (_, call) => {
      expect((await calling(call, undefined)).value).toEqual({
        ok: false,
        error: { code: 'service/unreadable', path: null },
      })
    },
  )

  it.each([...v15, ...v12Reads])('%s rejects a web page as an answer', async (_, call) => {
    expect((await calling(call, '<html>Sign in</html>')).value).toMatchObject({
      ok: false,
      error: { code: 'service/unreadable' },
    })
  })

  it.each([...v15, ...v12Reads])('%s returns the reason for a refusal', async (_, call) => {
    const seen = await calling(call, { detail: 'Not found.' }, 404)
    expect(seen.value).toMatchObject({ ok: false, error: { code: 'service/not-found' } })
  })

  it.each([
    ['a batch', (c: ServiceClient) => c.v15.batches.create({ name: 'B' }), { ...wire.batch(long), uuid: 7 }, 'uuid'],
    [
      'a collection',
      (c: ServiceClient) => c.v15.collections.addItems(k, [t]),
      { ...wire.collectionV15(long), items: [{}] },
      'items.0.tag_id',
    ],
    ['an asset', (c: ServiceClient) => c.v15.assets.createImage(image), [], ''],
  ])('names the wrong place in the answer to %s', async (_, call, answer, path) => {
    expect((await calling(call, answer)).value).toEqual({ ok: false, error: { code: 'service/unreadable', path } })
  })

  it('does not send a request that violates the specification, and names the rule', async () => {
    const call: Call = (c) => c.v15.products.create({ ...product, product_type: 'GUMMY', thc_cbd_ratio: '1  : 1' })
    const seen = await calling(call, undefined)
    expect(seen.value).toMatchObject({
      ok: false,
      error: { code: 'service/invalid-fields', fields: { thc_cbd_ratio: [expect.stringContaining('colon')] } },
    })
    expect(service?.asked).toEqual([])
  })

  it('tells the connection about every reply', async () => {
    await calling((c) => c.v15.brands.list(), [])
    expect(service?.replies).toMatchObject([{ kind: 'answer', status: 200 }])
  })

  it.each([
    [{ name: ['This field is required.'] }, 400, { name: ['This field is required.'] }],
    [
      { package_size: { unit: ['"pint" is not a valid choice.'], value: ['A valid number is required.'] } },
      400,
      { 'package_size.unit': ['"pint" is not a valid choice.'], 'package_size.value': ['A valid number is required.'] },
    ],
    [{ digital_coa_uuids: [{}, ['Not a UUID.']] }, 400, { 'digital_coa_uuids.1': ['Not a UUID.'] }],
    [{ status: 'invalid payload', reason: { name: ['Too long.'] } }, 403, { name: ['Too long.'] }],
  ])('reads %j with status %i as messages by field', async (body, status, fields) => {
    service = await startOddService(withTokens(() => json(body, status)))
    expect(await service.client.v15.products.create(product)).toEqual({
      ok: false,
      error: { code: 'service/invalid-fields', fields },
    })
  })

  it.each([
    [{ detail: 'You do not have permission to perform this action.' }, 403, { code: 'service/forbidden' }],
    [undefined, 403, { code: 'service/forbidden' }],
    [{ detail: 'Method "PUT" not allowed.' }, 405, { code: 'service/refused', status: 405 }],
    [{ detail: 'Collection is of type origin.' }, 400, { code: 'service/refused', status: 400 }],
    [{ field: 'not a list' }, 400, { code: 'service/refused', detail: '' }],
    [undefined, 429, { code: 'service/busy' }],
    [undefined, 502, { code: 'service/failing', status: 502 }],
  ])('reads %j with status %i as one typed error', async (body, status, error) => {
    service = await startOddService(withTokens(() => (body === undefined ? { status } : json(body, status))))
    expect(await service.client.v15.collections.remove(k)).toMatchObject({ ok: false, error })
  })
})
