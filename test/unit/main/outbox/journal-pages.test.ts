import { beforeEach, describe, expect, it } from 'vitest'
import { PersonId } from '../../../../src-shared/people'
import { inHandOf } from '../../../../src-main/core/hand'
import { Journal } from '../../../../src-main/outbox/journal'
import { JournalPages } from '../../../../src-main/outbox/journal-pages'
import { order, tag } from '../../../fakes/ids'
import { complete, useDesk } from './desk'

const ana = { id: PersonId.parse('00000000-0000-4000-8000-000000000001'), name: 'Ana' }

describe('the journal on a screen', () => {
  const desk = useDesk()
  let journal: Journal
  let pages: JournalPages
  beforeEach(() => {
    journal = new Journal(desk.db, () => desk.clock.now())
    pages = new JournalPages(desk.db)
  })

  it('has every line, newest first, in parts', () => {
    desk.db.transaction(() => {
      for (let n = 1; n <= 450; n++) journal.act({ actor: 'person', what: 'export', subject: String(n) })
    })()
    const seen: (string | null)[] = []
    for (let before: number | null | undefined; before !== null;) {
      const { lines, older } = pages.page({}, before)
      seen.push(...lines.map(({ subject }) => subject))
      before = older
    }
    expect(seen).toEqual(Array.from({ length: 450 }, (_, n) => String(450 - n)))
  })

  it('is filtered by person, kind, time, order and item, also where the line is far back', () => {
    const sold = desk.put(complete('A', tag(1)))
    inHandOf(ana, () => {
      journal.act({ actor: 'person', what: 'signature', subject: 'count', detail: 'why' })
    })
    desk.clock.advance(1_000)
    const later = new Date(desk.clock.now()).toISOString()
    desk.db.transaction(() => {
      for (let n = 1; n <= 4_500; n++) journal.act({ actor: 'station', what: 'removed', detail: [] })
    })()
    const found = (filter: Parameters<JournalPages['page']>[0]) => {
      const all = []
      for (let before: number | null | undefined; before !== null;) {
        const { lines, older } = pages.page(filter, before)
        all.push(...lines)
        before = older
      }
      return all
    }
    const [line, ...more] = found({ person: ana.id })
    expect(more).toEqual([])
    expect(line).toMatchObject({
      what: 'signature',
      name: 'Ana',
      because: 'why',
      report: null,
      subject: 'count',
      to: null,
    })
    for (const filter of [{ orderId: order('A') }, { item: tag(1) }, { kind: 'complete' as const }])
      expect(found(filter)).toMatchObject([{ what: 'saved', report: { id: sold.id, kind: 'complete' }, to: 'queued' }])
    expect(found({ kind: 'other', to: later })).toHaveLength(1)
    expect(found({ from: later })).toHaveLength(4_500)
  })
})
