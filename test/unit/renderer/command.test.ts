import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { type Result, err, ok } from '../../../src-shared/result'
import { Command } from '../../../src-renderer/ui/command.svelte'

const busy: AppError = { code: 'service/busy' }

describe('a step that a person takes', () => {
  it('is taken once, however often the button is pressed', async () => {
    const command = new Command()
    const { promise, resolve } = Promise.withResolvers<Result<string, AppError>>()
    let taken = 0
    const step = () => {
      taken += 1
      return promise
    }
    const first = command.run(step)
    expect([command.isBusy, await command.run(step), await command.does(step)]).toEqual([true, null, false])
    resolve(ok('done'))
    expect([await first, taken, command.isBusy]).toEqual([ok('done'), 1, false])
  })

  it('says why it was refused, until the next answer', async () => {
    const command = new Command()
    expect(await command.does(() => Promise.resolve(err(busy)))).toBe(false)
    expect(command.error).toEqual(busy)
    expect(await command.does(() => Promise.resolve(ok(null)))).toBe(true)
    expect(command.error).toBeNull()
  })

  it('says nothing to a person who left its question', async () => {
    const command = new Command()
    expect(
      await command.does(() =>
        Promise.resolve(err({ code: 'gate/not-asked', gate: 'void', count: 1, name: null, wants: 'ask' })),
      ),
    ).toBe(false)
    expect(command.error).toBeNull()
  })

  it('waits for what follows a success before another one, and may be taken after it failed', async () => {
    const command = new Command()
    const { promise, reject } = Promise.withResolvers<null>()
    const running = command.run(
      () => Promise.resolve(ok(null)),
      () => promise,
    )
    await Promise.resolve()
    expect(await command.run(() => Promise.resolve(ok(null)))).toBeNull()
    reject(new Error('gone'))
    await expect(running).rejects.toThrow('gone')
    expect(await command.does(() => Promise.resolve(ok(null)))).toBe(true)
  })
})
