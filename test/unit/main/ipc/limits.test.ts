import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ok } from '../../../../src-shared/result'
import { CallAnswer } from '../../../../src-shared/ipc/client'
import { callNames } from '../../../../src-shared/ipc/contract'
import { createDispatch } from '../../../../src-main/ipc/dispatch'
import { createRateLimit, isTooLarge } from '../../../../src-main/ipc/limits'
import { silentLog } from '../../../../src-main/core/log'

describe('the rate limit of calls', () => {
  it('allows a burst of 400, then 200 a second, for each call name separately', () => {
    let now = 0
    const limit = createRateLimit(() => now)
    const taken = (name: string, times: number) => Array.from({ length: times }, () => limit.take(name)).filter(Boolean)
    expect(taken('scanner.submit', 1_000)).toHaveLength(400)
    expect(taken('checkout.addItem', 10)).toHaveLength(10)
    now += 1_000
    expect(taken('scanner.submit', 1_000)).toHaveLength(200)
    // However long the pause, the burst is never larger than 400.
    now += 3_600_000
    expect(taken('scanner.submit', 1_000)).toHaveLength(400)
  })

  it('is enforced by dispatch, which answers with an error', async () => {
    const handler = vi.fn(() => ok(null))
    const dispatch = createDispatch({
      station: { handlers: { 'scanner.look': handler }, log: silentLog },
      isTrusted: () => true,
      rateLimit: createRateLimit(() => 0),
    })
    const answers = await Promise.all(Array.from({ length: 500 }, () => dispatch('page', 'scanner.look', undefined)))
    expect(answers.filter(({ ok: isOk }) => !isOk)).toHaveLength(100)
    expect(answers.at(-1)).toEqual({ ok: false, error: { code: 'ipc/too-many' } })
    expect(handler).toHaveBeenCalledTimes(400)
  })
})

describe('the size limit of an input', () => {
  const self: Record<string, unknown> = {}
  self.self = self
  const deep = Array.from({ length: 60_000 }).reduce<unknown>((inner) => [inner], null)

  it.each([
    ['a long text', 'x'.repeat(300_000)],
    ['many texts', Array.from({ length: 1_000 }, () => 'x'.repeat(300))],
    ['many property names', Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`name-${n}-xxxxxxxx`, n]))],
    ['very many numbers', new Array(100_000).fill(7)],
    ['an array of holes', new Array(100_000_000)],
    ['a value that contains itself', self],
    ['a deeply nested value', deep],
    ['bytes', new Uint8Array(300_000)],
    ['a map', new Map(Array.from({ length: 60_000 }, (_, n) => [n, n]))],
  ])('refuses %s', (_, input) => {
    expect(isTooLarge(input)).toBe(true)
  })

  it("doesn't affect the largest inputs that the app sends", () => {
    const form = {
      caseId: 'x'.repeat(22),
      packageUid: 'x'.repeat(24),
      posProductId: 'x'.repeat(100),
      sku: 'x'.repeat(100),
    }
    expect(isTooLarge({ imports: new Array(500).fill(form) })).toBe(false)
    for (const small of [undefined, null, 0, '', {}, [], { a: [{ b: 'c' }] }]) expect(isTooLarge(small)).toBe(false)
  })
})

describe('any input at all', () => {
  it('is answered without breaking the station', async () => {
    const handlers = Object.fromEntries(callNames.map((name) => [name, () => ok(null)]))
    const dispatch = createDispatch({
      station: { handlers, log: silentLog },
      isTrusted: () => true,
      rateLimit: { take: () => true },
    })
    const anything = fc.oneof(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      fc.object({ withNullPrototype: true }),
      fc.constantFrom({ toString: 1 }, Symbol('call'), () => 1, 10n, Number.NaN),
    )
    const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom<unknown>(...callNames) }, anything)
    let tried = 0
    await fc.assert(
      fc.asyncProperty(name, anything, async (call, input) => {
        tried++
        expect(CallAnswer.safeParse(await dispatch('page', call, input)).success).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect(tried).toBe(2_000)
  })
})
