import { describe, expect, it, vi } from 'vitest'

describe('a text that comes with its screen', () => {
  it('is a row of dots until it is there', async () => {
    // As in a page that was just loaded: tests before may have fetched these texts.
    vi.resetModules()
    const { t } = await import('../../../src-renderer/messages/text.svelte')
    expect(t('error.checkout/duplicate.what')).toBe('…')
    await import('../../../src-renderer/messages/later')
    expect(t('error.checkout/duplicate.what')).toBe('Already in this order')
  })
})
