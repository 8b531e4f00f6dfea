import { describe, expect, it } from 'vitest'
import { JournalEntry, OperationView, OutboxExport } from '../../../../src-shared/ipc/contract/outbox'
import { exportOperations } from '../../../../src-main/outbox/views'
import { viewOperation } from '../../../../src-main/outbox/views'
import { tag } from '../../../fakes/ids'
import { complete, useDesk } from './desk'

/** Each damages the middle one of three rows; SQLite itself accepts the values. */
const damages = [
  ['a year of 20000', `performed_at = '+020000-01-01T00:00:00.000Z'`],
  ['no time', `performed_at = 'yesterday'`],
  ['no id', `id = 'x'`],
  ['another payload', `payload = '{"kind":"complete"}'`],
  ['invalid JSON', `payload = '{'`],
  ['a kind of another version', `kind = 'audit'`],
  ['a reason of another version', `reason = '{"code":"service/on-strike"}'`],
  ['a raw clock of nonsense', `performed_at = '', performed_at_raw = 9007199254740991`],
] as const

describe('a list with an unreadable row', () => {
  const desk = useDesk()

  it.each(damages)('shows the other rows, and the damaged one with its number: %s', (_, damage) => {
    const [first, bad, last] = [1, 2, 3].map((n) => desk.put(complete(`${n}`, tag(n))))
    desk.db.exec(`UPDATE operation SET ${damage} WHERE seq = ${bad?.seq ?? 0}`)
    const listed = desk.outbox.read.waiting(10)
    expect(listed.map(({ seq }) => seq)).toEqual([first?.seq, bad?.seq, last?.seq])
    for (const operation of listed) OperationView.parse(viewOperation(operation, desk.outbox, desk.clock))
    expect(OutboxExport.parse(exportOperations(desk.db, desk.clock)).lines).toHaveLength(3)
    for (const { id } of listed) {
      expect(desk.outbox.read.byId(id)).toMatchObject({ id })
      const journal = desk.outbox.journalOf(id)
      expect(journal.ok && journal.value.map((entry) => JournalEntry.parse(entry).what)).toEqual(['saved'])
    }
  })

  it('shows the damaged row to a person, who can dismiss it', () => {
    const bad = desk.put(complete('1', tag(1)))
    desk.db.exec(`UPDATE operation SET id = 'x', payload = '{' WHERE seq = ${bad.seq}`)
    const claimed = desk.outbox.claim()
    expect(claimed).toMatchObject({ kind: 'unreadable', payload: null })
    desk.outbox.settle(bad.seq, { kind: 'rejected', reason: { code: 'outbox/unreadable' } })
    const [shown] = desk.outbox.read.attention(10)
    if (!shown) throw new Error('it is not shown')
    expect(desk.outbox.dismiss(shown.id, 'told support')).toMatchObject({ ok: true, value: { state: 'cancelled' } })
  })
})
