import { describe, expect, it } from 'vitest'
import { createSecretFile } from '../../../../src-main/browser/secret-file'

describe('a secret to be downloaded', () => {
  it('is taken once, soon after it was given', async () => {
    let now = 0
    const file = createSecretFile(() => now)
    expect(file.take()).toBeNull()
    await file.give('CTJOIN1A', 600_000)
    expect([file.take(), file.take()]).toEqual(['CTJOIN1A', null])
    await file.give('CTJOIN1B', 600_000)
    now += 30_000
    expect(file.take()).toBeNull()
    await file.give('CTJOIN1C', 5_000)
    now += 5_000
    expect(file.take()).toBeNull()
  })
})
