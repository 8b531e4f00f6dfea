import { describe, expect, it } from 'vitest'
import { t } from '../../../src-renderer/messages/text.svelte'

describe('a text that comes with its screen', () => {
  it('is a row of dots until it is there', async () => {
    expect(t('error.checkout/duplicate.what')).toBe('…')
    await import('../../../src-renderer/messages/later')
    expect(t('error.checkout/duplicate.what')).toBe('Already in this order')
  })
})
