import { afterEach, describe, expect, it } from 'vitest'
import { tag } from '../../fakes/ids'
import { itemV12, short } from '../../fixtures/wire'
import { type HandClock, handClock } from '../../fakes/clock'
import { type Answer, type Answers, type OddService, json, startOddService, token } from './odd-service'

const minute = 60_000
const isToken = (line: string) => line.includes('/o/token/')
const item = json(itemV12(short))

describe('the requests for tokens', () => {
  let service: OddService | undefined
  let clock: HandClock
  afterEach(async () => {
    await service?.close()
    service = undefined
  })

  const start = async (answers: Answers) => {
    clock = handClock(Date.now())
    service = await startOddService(answers, { clock })
    const started = service
    const read = async () => {
      const answer = await started.client.v12.items.get(tag(1))
      return answer.ok ? 'ok' : answer.error
    }
    return { read, asked: () => started.asked.filter(isToken).length, service: started }
  }
  const tokensOf =
    (answer: () => Answer): Answers =>
    (path) =>
      path.includes('/o/token/') ? answer() : item

  it.each([
    ['a line break', { access_token: 'abcdefgh\nijk' }, 'access_token'],
    ['letters that no header may hold', { access_token: 'tokén-ünd-ñ' }, 'access_token'],
    ['20 kB', { access_token: 'a'.repeat(20_000) }, 'access_token'],
    ['a space', { access_token: 'abc def' }, 'access_token'],
    ['another type', { token_type: 'mac' }, 'token_type'],
    ['an endless life', { expires_in: 'ENDLESS' }, 'expires_in'],
    ['no life', { expires_in: 0 }, 'expires_in'],
  ])('do not store a token with %s, say what is wrong with it, and ask again later', async (_, part, path) => {
    let given: object = { access_token: 'T', token_type: 'Bearer', expires_in: 36_000, ...part }
    const { read, asked } = await start(
      tokensOf(() => ({ status: 200, body: JSON.stringify(given).replace('"ENDLESS"', '1e999') })),
    )
    expect(await read()).toEqual({ code: 'service/unreadable', path })
    expect(service?.replies.at(-1)).toEqual({ kind: 'not-asked', error: { code: 'service/unreadable', path } })
    given = { access_token: 'a'.repeat(8_000), token_type: 'bearer', expires_in: 36_000 }
    clock.advance(minute)
    expect(await read()).toBe('ok')
    expect(asked()).toBe(2)
  })

  it('become rarer while they fail, and do not delay other answers', async () => {
    const { read, asked } = await start(tokensOf(() => ({ status: 500 })))
    for (let second = 0; second < 600; second++) {
      expect(await read()).toEqual({ code: 'service/failing', status: 500 })
      clock.advance(1_000)
    }
    expect(asked()).toBeGreaterThan(10)
    expect(asked()).toBeLessThan(50)
  })

  it('wait as long as Retry-After says', async () => {
    const { read, asked } = await start(tokensOf(() => ({ status: 429, headers: { 'retry-after': '600' } })))
    for (let second = 0; second < 599; second++) {
      expect(await read()).toEqual({ code: 'service/busy' })
      clock.advance(1_000)
    }
    expect(asked()).toBe(1)
    clock.advance(1_000)
    await read()
    expect(asked()).toBe(2)
  })

  it.each([
    ['at the token endpoint', tokensOf(() => ({ status: 400, body: '{"error":"invalid_client"}' })), 1],
    ['by every answer', (path: string) => (path.includes('/o/token/') ? token() : { status: 401 }), 2],
  ] as const)('pause for five minutes after refused credentials %s', async (_, answers, atFirst) => {
    const { read, asked } = await start(answers)
    for (let second = 0; second < 299; second++) {
      expect(await read()).toEqual({ code: 'service/credentials-refused' })
      clock.advance(1_000)
    }
    expect(asked()).toBe(atFirst)
    clock.advance(1_000)
    for (let second = 0; second < 299; second++) {
      await read()
      clock.advance(1_000)
    }
    expect(asked()).toBe(atFirst + 1)
  })

  it('are known to lack an answer while that is what is wrong, and something still wants one', async () => {
    let answer: Answer = { status: 500 }
    const { read, service } = await start(tokensOf(() => answer))
    await read()
    const since = clock.now()
    for (let second = 0; second < 60; second++) {
      clock.advance(1_000)
      await read()
      expect(service.tokens.lackingSince()).toBe(since)
    }
    clock.advance(121_000)
    expect(service.tokens.lackingSince()).toBeNull()
    answer = 'stall'
    await read()
    expect(service.tokens.lackingSince()).toBe(clock.now())
    answer = 'hang up'
    clock.advance(minute)
    await read()
    expect(service.tokens.lackingSince()).toBeNull()
    answer = { status: 200, body: '{}' }
    clock.advance(minute)
    await read()
    expect(service.tokens.lackingSince()).toBe(clock.now())
    answer = { status: 401 }
    clock.advance(minute)
    await read()
    expect(service.tokens.lackingSince()).toBeNull()
  })

  it.each([
    ['a page that says 403', { status: 403, body: '<html>Blocked</html>' }, { code: 'service/unreadable', path: null }],
    ['half a refusal', { status: 400, body: '{"error":' }, { code: 'service/unreadable', path: null }],
    ['a proxy that wants a password', { status: 407 }, { code: 'service/failing', status: 407 }],
  ] as const)('do not treat %s as refused credentials', async (_, answer, error) => {
    const { read, asked } = await start(tokensOf(() => answer))
    expect(await read()).toEqual(error)
    clock.advance(minute)
    await read()
    expect(asked()).toBe(2)
  })

  it('are sent at once if a person requests it', async () => {
    let refused = true
    const { read, asked, service } = await start(tokensOf(() => (refused ? { status: 401 } : token())))
    expect(await read()).toEqual({ code: 'service/credentials-refused' })
    refused = false
    expect(await read()).toEqual({ code: 'service/credentials-refused' })
    service.client.askNow()
    expect(await read()).toBe('ok')
    expect(asked()).toBe(2)
  })

  it('are not sent for every request if tokens are issued and refused in turn', async () => {
    let turn = 0
    const { read, asked } = await start((path) => {
      if (path.includes('/o/token/')) return token(`T${asked()}`)
      return turn++ % 3 === 0 ? item : { status: 401 }
    })
    for (let second = 0; second < 120; second++) {
      await read()
      clock.advance(1_000)
    }
    expect(asked()).toBeLessThan(30)
  })

  it('replace an expired token at once, however often that happens', async () => {
    let valid = 0
    const { read, asked } = await start((path, authorization) => {
      if (path.includes('/o/token/')) return token(`T${++valid}`)
      return authorization === `Bearer T${valid}` ? item : { status: 401 }
    })
    expect(await read()).toBe('ok')
    for (let hour = 0; hour < 5; hour++) {
      clock.advance(60 * minute)
      valid++
      expect(await read()).toBe('ok')
    }
    expect(asked()).toBe(6)
  })
})

describe('reads of a busy service', () => {
  let service: OddService | undefined
  afterEach(async () => {
    await service?.close()
    service = undefined
  })

  it.each([429, 503])(
    'wait as long as the service asks after status %i, ten seconds at most, while reports do not',
    async (status) => {
      const clock = handClock(Date.now())
      let isBusy = true
      service = await startOddService(
        (path) =>
          path.includes('/o/token/') ? token() : isBusy ? { status, headers: { 'retry-after': '3600' } } : item,
        { clock },
      )
      const { client } = service
      const reads = () => service?.asked.filter((line) => line.includes('/items/')).length
      const busy = { ok: false, error: { code: 'service/busy' } }
      expect(await client.v12.items.get(tag(1))).toEqual(busy)
      clock.advance(9_000)
      expect(await client.v12.items.get(tag(2))).toEqual(busy)
      expect(reads()).toBe(1)
      expect(await client.v12.report('transactions/void/', {})).toMatchObject({ kind: 'answer', status })
      isBusy = false
      clock.advance(1_000)
      expect(await client.v12.items.get(tag(2))).toMatchObject({ ok: true })
    },
  )
})
