import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { type Result, err, ok } from '../../../src-shared/result'
import { Ask } from '../../../src-renderer/ui/ask.svelte'
import { keepUnchanged } from '../../../src-renderer/ui/throttle'

/** A question that the test answers when it chooses. */
function question() {
  const { promise, resolve } = Promise.withResolvers<Result<string, AppError>>()
  return { ask: () => promise, answer: (text: string) => resolve(ok(text)), refuse: () => resolve(err(busy)) }
}
const busy: AppError = { code: 'service/busy' }

describe('a question to main', () => {
  it('is busy until the answer arrives, and then shows it', async () => {
    const ask = new Ask<string>()
    const one = question()
    const asking = ask.ask(one.ask)
    expect(ask).toMatchObject({ value: null, isBusy: true })
    one.answer('one')
    await asking
    expect(ask).toMatchObject({ value: 'one', error: null, isBusy: false })
  })

  it('shows the answer to the newest question, and gives every caller its own answer', async () => {
    const ask = new Ask<string>()
    const [old, newest] = [question(), question()]
    const first = ask.ask(old.ask)
    const second = ask.ask(newest.ask)
    newest.answer('new')
    await second
    old.answer('old')
    expect(await first).toEqual(ok('old'))
    expect(ask).toMatchObject({ value: 'new', isBusy: false })
  })

  it('does not show why an older question failed', async () => {
    const ask = new Ask<string>()
    const [old, newest] = [question(), question()]
    const first = ask.ask(old.ask)
    const second = ask.ask(newest.ask)
    old.refuse()
    expect(await first).toEqual(err(busy))
    expect(ask).toMatchObject({ error: null, isBusy: true })
    newest.answer('new')
    await second
    expect(ask.value).toBe('new')
  })

  it('keeps the last good answer when a newer question fails, and shows the error until the next good answer', async () => {
    const ask = new Ask<string>()
    await ask.ask(() => Promise.resolve(ok('one')))
    await ask.ask(() => Promise.resolve(err(busy)))
    expect(ask).toMatchObject({ value: 'one', error: busy, isBusy: false })
    await ask.ask(() => Promise.resolve(ok('two')))
    expect(ask).toMatchObject({ value: 'two', error: null })
  })

  it('calls back only for a good answer that is shown', async () => {
    const ask = new Ask<string>()
    const shown: string[] = []
    const [old, newest] = [question(), question()]
    const asking = [ask.ask(old.ask, (text) => shown.push(text)), ask.ask(newest.ask, (text) => shown.push(text))]
    newest.answer('new')
    old.answer('old')
    await Promise.all(asking)
    await ask.ask(
      () => Promise.resolve(err(busy)),
      () => shown.push('refused'),
    )
    expect(shown).toEqual(['new'])
  })

  it('shows nothing after a clear, not even an answer that was still on its way', async () => {
    const ask = new Ask<string>()
    const one = question()
    const asking = ask.ask(one.ask)
    ask.clear()
    expect(ask.isBusy).toBe(false)
    one.answer('late')
    await asking
    expect(ask).toMatchObject({ value: null, error: null, isBusy: false })
  })
})

describe('rows that are read again', () => {
  it('keep their object if nothing changed, in the new order', () => {
    const before = [
      { id: 'a', count: 1 },
      { id: 'b', count: 1 },
    ]
    const after = keepUnchanged(
      before,
      [
        { id: 'c', count: 1 },
        { id: 'b', count: 2 },
        { id: 'a', count: 1 },
      ],
      ({ id }) => id,
    )
    expect(after.map(({ id, count }) => [id, count])).toEqual([
      ['c', 1],
      ['b', 2],
      ['a', 1],
    ])
    expect(after[2]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })
})
