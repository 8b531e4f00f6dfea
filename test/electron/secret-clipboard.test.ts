import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSecretClipboard } from '../../src-main/electron/secret-clipboard'

const board = vi.hoisted(() => ({ text: '' }))
vi.mock('electron', () => ({
  clipboard: {
    writeText(text: string) {
      board.text = text
      return Promise.resolve()
    },
    readText: () => Promise.resolve(board.text),
    clear: () => void (board.text = ''),
  },
}))

describe('a secret on the clipboard', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is there until it ends, and is not cleared twice', async () => {
    const outlet = createSecretClipboard()
    expect(outlet.kind).toBe('clipboard')
    await outlet.give('CTJOIN1A', 600_000)
    await vi.advanceTimersByTimeAsync(500_000)
    await outlet.give('CTJOIN1B', 600_000)
    await vi.advanceTimersByTimeAsync(500_000)
    expect(board.text).toBe('CTJOIN1B')
    await vi.advanceTimersByTimeAsync(100_000)
    expect(board.text).toBe('')
  })

  it('leaves what a person has copied since', async () => {
    await createSecretClipboard().give('CTJOIN1A', 600_000)
    board.text = 'a shopping list'
    await vi.advanceTimersByTimeAsync(600_000)
    expect(board.text).toBe('a shopping list')
  })
})
