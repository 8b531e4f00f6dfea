import { describe, expect, it } from 'vitest'
import { Locale } from '../../../src-shared/ipc/contract/app'
import { JournalEntry } from '../../../src-shared/ipc/contract/outbox'
import { language, say } from '../../../src-renderer/text/text.svelte'
import { chapterText, chaptersOf, eachStep } from '../../../src-renderer/outbox/journal-text'
import { step } from './examples'

const second = (number: number) => new Date(Date.UTC(2026, 10, 12, 14, 0, number)).toISOString()

const saved = step('saved', { actor: 'person', from: null, to: 'queued', at: second(0) })
const failed = (number: number, code: 'service/unreachable' | 'service/busy' = 'service/unreachable') => [
  step('claimed', { at: second(number) }),
  step('retry', { at: second(number + 1), from: 'sending', to: 'queued', reason: { code } }),
]
const accepted = [
  step('claimed', { at: second(50) }),
  step('accepted', { at: second(51), from: 'sending', to: 'accepted' }),
]

const words = (entry: JournalEntry) => {
  const text = chapterText({ entry, attempts: null })
  return { what: say(text.what), why: text.why.map(say), who: say(text.who), states: say(text.states) }
}

describe('a summarized history', () => {
  it('sums up attempts with the same result in one sentence, from the first to the last', () => {
    const story = chaptersOf([saved, ...failed(10), ...failed(20), ...failed(30), ...failed(40), ...accepted])
    expect(story.map(({ entry, attempts }) => [entry.what, attempts?.count ?? null])).toEqual([
      ['saved', null],
      ['retry', 4],
      ['claimed', null],
      ['accepted', null],
    ])
    const attempts = story[1]
    expect(attempts?.attempts?.firstAt).toBe(second(10))
    expect(attempts && say(chapterText(attempts).what)).toMatch(/^Tried 4 times\. Last try: .*:00:41/)
    expect(attempts && chapterText(attempts).why.map(say)).toEqual([
      'Not sent. Retrying.',
      'No connection to the service.',
    ])
  })

  it('shows one or two attempts step by step', () => {
    const entries = [saved, ...failed(10), ...failed(20), ...accepted]
    expect(chaptersOf(entries)).toEqual(eachStep(entries))
  })

  it('keeps attempts with different results apart', () => {
    const story = chaptersOf([...failed(1), ...failed(3), ...failed(5), ...failed(7, 'service/busy'), ...failed(9)])
    expect(story.map(({ attempts }) => attempts?.count ?? null)).toEqual([3, null, null, null, null])
  })

  it('loses no step: empty, with an attempt under way, with a thousand attempts', () => {
    expect(chaptersOf([])).toEqual([])
    expect(chaptersOf([saved, step('claimed')])).toHaveLength(2)
    const long = [saved, ...Array.from({ length: 1_000 }, (_, number) => failed(number)).flat(), ...accepted]
    const told = chaptersOf(long).reduce((sum, { attempts }) => sum + (attempts ? 2 * attempts.count : 1), 0)
    expect(told).toBe(long.length)
    expect(chaptersOf(long)).toHaveLength(4)
  })
})

describe('a step of a history', () => {
  it('says what happened, what did it, and the states before and after', () => {
    expect(words(saved)).toEqual({
      what: 'Saved at this station, to be sent.',
      why: [],
      who: 'A person at this station',
      states: '“Waiting”',
    })
    expect(words(step('claimed'))).toMatchObject({ who: 'Countertag', states: 'From “Waiting” to “Sending”' })
  })

  it('shows the service’s reason for a refusal, with its details', () => {
    const reason = { code: 'service/already-processed', detail: 'Order was completed' } as const
    const { why, states } = words(step('rejected', { from: 'sending', to: 'rejected', reason }))
    expect(why[0]).toBe('The service has this already.')
    expect(why[1]).toContain('Order was completed')
    expect(states).toBe('From “Sending” to “Needs attention”')
  })

  it('says of a report that Countertag keeps back that it is not reported, not that the service refused it', () => {
    const kept = words(step('rejected', { from: 'sending', to: 'rejected', reason: { code: 'outbox/time-unknown' } }))
    expect(kept.what).toBe('Not reported: it needs attention.')
    expect(kept.why[0]).toBe('The time of this report isn’t known.')
  })

  it('quotes what a person wrote, and calls the end neither withdrawn nor canceled', () => {
    const entry = step('dismissed', { actor: 'person', from: 'rejected', to: 'cancelled', because: 'rung up twice' })
    expect(words(entry)).toMatchObject({ why: ['“rung up twice”'], states: 'From “Needs attention” to “Closed”' })
  })

  it('says how the service was found to have it, without internal words', () => {
    const found = (because: string) => words(step('accepted', { from: 'sending', to: 'accepted', because }))
    expect(found('found-by-reading')).toMatchObject({ what: 'Checked: the service has it.', why: [] })
    expect(found('already-processed').what).toContain('an attempt whose answer was lost')
    expect(found('a note of a later version')).toMatchObject({ what: 'The service has it.', why: [] })
  })

  it('has words for every type of step, in both languages', () => {
    for (const locale of Locale.options) {
      language.locale = locale
      const told = JournalEntry.shape.what.options.map((what) => words(step(what)).what)
      expect(new Set(told).size).toBe(told.length)
    }
  })
})
