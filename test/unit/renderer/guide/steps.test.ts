import { describe, expect, it } from 'vitest'
import { chapterOf, chapters, nextStep, withSeen } from '../../../../src-renderer/guide/steps'
import { GuideStep } from '../../../../src-shared/ipc/contract/app'

describe('the steps of the guide', () => {
  it('are each in one chapter, in the order of the contract', () => {
    expect(chapters.flatMap(({ steps }) => steps)).toEqual(GuideStep.options)
  })

  it('keep what is done; a later step implies the earlier steps of its chapter only', () => {
    expect(withSeen([], ['package'])).toEqual(['package'])
    expect(withSeen(['package'], [])).toEqual(['package'])
    expect(withSeen(['offline'], ['import'])).toEqual(['package', 'cases', 'pos-ids', 'import', 'offline'])
    expect(withSeen([], ['items', 'package'])).toEqual(['package', 'checkout', 'items'])
    expect(withSeen(['sent'], ['sent'])).toEqual(['offline', 'saved', 'sent'])
  })

  it('come in order, those of the chosen chapter first, until all are done', () => {
    expect(nextStep([], null)).toBe('package')
    expect(nextStep(['package', 'cases'], null)).toBe('pos-ids')
    expect(nextStep([], 'sale')).toBe('checkout')
    expect(nextStep(['checkout', 'items', 'complete', 'void'], 'sale')).toBe('package')
    expect(nextStep(GuideStep.options, 'outage')).toBeNull()
    expect(chapterOf('void')).toBe('sale')
  })
})
