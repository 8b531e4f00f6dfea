import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, type OddService, startOddService, token } from './odd-service'

const secret = 'eyJhbGciOi/J9.c2VjcmV0+tb2tlbg=='
const body = (text: string): Answer => ({ status: 400, body: text })

describe('a secret in an answer', () => {
  let service: OddService | undefined
  afterEach(async () => {
    await service?.close()
    service = undefined
  })

  const replyWith = async (answer: Answer, conceal?: string[]) => {
    service = await startOddService((path) => (path.includes('/o/token/') ? token(secret) : answer))
    return service.client.report({
      version: 'v1.2',
      method: 'POST',
      path: '/api/v1.2/transactions/complete/',
      body: {},
      ...(conceal === undefined ? {} : { conceal }),
    })
  }

  it.each([
    ['as it is', `{"detail":"token ${secret} unknown"}`],
    ['with the slash as JSON may write it', `{"detail":"token ${secret.replace('/', '\\/')} unknown"}`],
    ['with a letter as JSON may write it', `{"detail":"token ${secret.replace('J', '\\u004a')} unknown"}`],
  ])('is removed on arrival: the token %s', async (_, text) => {
    expect(await replyWith(body(text))).toMatchObject({
      body: { kind: 'json', value: { detail: 'token [redacted] unknown' } },
    })
  })

  it('is removed on arrival: the token as a name, and in a text that is not JSON', async () => {
    expect(await replyWith(body(JSON.stringify({ [secret]: ['?'] })))).toMatchObject({
      body: { value: { '[redacted]': ['?'] } },
    })
    await service?.close()
    const text = { status: 400, body: `no ${secret}`, headers: { 'content-type': 'text/plain' } }
    expect(await replyWith(text)).toMatchObject({ body: { kind: 'text', value: 'no [redacted]' } })
  })

  it('is removed on arrival: the client secret', async () => {
    expect(await replyWith(body('{"detail":"hush-hush-hush"}'))).toMatchObject({
      body: { value: { detail: '[redacted]' } },
    })
  })

  it('is removed on arrival: a concealed value of the request, as a whole word', async () => {
    const text = '{"detail":"customer C-77 of C-771 is unknown","count":77}'
    expect(await replyWith(body(text), ['C-77'])).toMatchObject({
      body: { value: { detail: 'customer [redacted] of C-771 is unknown', count: 77 } },
    })
  })
})
