import type { Database } from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { approvedBy, inHandOf } from '../../../../src-main/core/hand'
import {
  type ChainFault,
  type ChainLine,
  type Gap,
  chainStart,
  hashAfter,
  passGaps,
  verifyChain,
} from '../../../../src-main/outbox/chain'
import { Journal } from '../../../../src-main/outbox/journal'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase } from '../../../../src-main/database/schema'

/** Lines of these numbers, each about its number, as one was written after the other. */
function linesOf(...entries: number[]): ChainLine[] {
  let hash = ''
  return entries.map((entry) => {
    hash = hashAfter(hash, [entry])
    return { entry, hash, values: [entry] }
  })
}

const without = (lines: ChainLine[], ...entries: number[]) => lines.filter(({ entry }) => !entries.includes(entry))
const changed = (lines: ChainLine[], entry: number, change: Partial<ChainLine>) =>
  lines.map((line) => (line.entry === entry ? { ...line, ...change } : line))
const gap = (lines: ChainLine[], first: number, last: number): Gap => ({
  ...{ first, last },
  hash: lines.find(({ entry }) => entry === last)?.hash ?? '',
})
const missing = (first: number, last = first): ChainFault => ({ kind: 'missing', first, last })
const isChanged = (entry: number): ChainFault => ({ kind: 'changed', entry })

const six = linesOf(1, 2, 3, 4, 5, 6)
/** As a journal is that had lost its third line when the chain began. */
const begun = linesOf(1, 2, 4, 5, 6)
describe('a chain of lines', () => {
  it.each<[string, ChainLine[], Gap[], number, ChainFault[]]>([
    ['is whole', six, [], 0, []],
    ['says something else in a line', changed(six, 3, { values: ['x'] }), [], 0, [isChanged(3)]],
    ['says something else in its last line', changed(six, 6, { values: ['x'] }), [], 0, [isChanged(6)]],
    ['has another hash in a line', changed(six, 3, { hash: 'x' }), [], 0, [isChanged(3)]],
    [
      'has two lines changed',
      changed(changed(six, 2, { values: ['x'] }), 5, { hash: 'x' }),
      [],
      0,
      [isChanged(2), isChanged(5)],
    ],
    ['lacks lines', without(six, 1, 4, 5), [], 0, [missing(1), missing(4, 5)]],
    [
      'lacks a line, and another one is changed',
      changed(without(six, 2), 5, { values: ['x'] }),
      [],
      0,
      [missing(2), isChanged(5)],
    ],
    ['lacks its end', without(six, 5, 6), [], 0, [missing(5, 6)]],
    ['lacks everything', [], [], 0, [missing(1, 6)]],
    ['lost its first lines for their age', without(six, 1, 2), [gap(six, 1, 2)], 0, []],
    [
      'lost lines for their age in several goes',
      without(six, 2, 3, 5),
      [gap(six, 2, 2), gap(six, 3, 3), gap(six, 5, 5)],
      0,
      [],
    ],
    [
      'was changed after lines that went for their age',
      changed(without(six, 2), 3, { values: ['x'] }),
      [gap(six, 2, 2)],
      0,
      [isChanged(3)],
    ],
    ['lacks a line beside one that went for its age', without(six, 2, 3), [gap(six, 2, 2)], 0, [missing(3)]],
    ['has a line again that went for its age', without(six, 2), [gap(six, 2, 3)], 0, []],
    ['began when lines were missing', begun, [], 4, []],
    ['lacks a line from after it began', begun, [], 2, [missing(3)]],
    ['lacks a line from before it began', without(six, 3), [], 4, [isChanged(4)]],
  ])('%s', (_, lines, gaps, before, faults) => {
    const removed = { gaps: new Map(gaps.map((one) => [one.first, one])), before }
    const whole = verifyChain(lines, removed)
    expect([...whole.faults, ...passGaps(whole.place, 7, removed).faults]).toEqual(faults)
    // Also a part at a time.
    let place = chainStart
    const found = lines.flatMap((line) => {
      const one = verifyChain([line], removed, place)
      place = one.place
      return one.faults
    })
    expect(found).toEqual(whole.faults)
  })
})

describe('the journal', () => {
  const start = (): { db: Database; journal: Journal } => {
    const db = emptyDatabase(schemaVersion)
    return { db, journal: new Journal(db, () => 1_000) }
  }
  const act = (journal: Journal, subject: string) => {
    journal.act({ actor: 'person', what: 'signed-in', subject })
  }
  const alter = (db: Database, sql: string) => {
    db.exec(`DROP TRIGGER IF EXISTS journal_keeps_update; DROP TRIGGER IF EXISTS journal_keeps_delete; ${sql}`)
  }

  it('names lines that were changed, cut out of it or cut off, among several thousand', async () => {
    const { db, journal } = start()
    db.transaction(() => {
      for (let n = 1; n <= 2_500; n++) act(journal, String(n))
    })()
    expect(await journal.verify()).toEqual({ lines: 2_500, faults: [] })
    alter(db, `UPDATE journal SET subject = 'x' WHERE entry = 1000`)
    alter(
      db,
      `UPDATE journal SET name = 'Ana' WHERE entry = 1001; DELETE FROM journal WHERE entry IN (7, 8) OR entry > 2490`,
    )
    expect(await journal.verify()).toEqual({
      lines: 2_488,
      faults: [missing(7, 8), isChanged(1000), isChanged(1001), missing(2491, 2500)],
    })
    // What is written afterwards follows what is there.
    act(journal, 'later')
    expect((await journal.verify()).faults).toContainEqual(missing(2491, 2500))
    expect(db.prepare('SELECT max(entry) FROM journal').pluck().get()).toBe(2_501)
  })

  it('gives back no number of a step that was rolled back, and goes on with the chain', async () => {
    const { db, journal } = start()
    act(journal, 'one')
    const failing = db.transaction(() => {
      act(journal, 'two')
      throw new Error('rolled back')
    })
    expect(failing).toThrow('rolled back')
    act(journal, 'three')
    expect(await journal.verify()).toEqual({ lines: 2, faults: [] })
  })

  it('names the person whose hand it was and who permitted it, also after a wait, and neither for what the station does', async () => {
    const { db, journal } = start()
    const [ana, ben] = [
      { id: 'a', name: 'Ana' },
      { id: 'b', name: 'Ben' },
    ]
    const done = inHandOf(ana, async () => {
      act(journal, 'alone')
      await new Promise(setImmediate)
      approvedBy(ana)
      act(journal, 'own approval')
      approvedBy(ben)
      act(journal, 'approved')
      journal.act({ actor: 'station', what: 'removed', detail: [] })
    })
    inHandOf(null, () => {
      act(journal, 'nobody')
    })
    await done
    act(journal, 'no call')
    const rows = db
      .prepare('SELECT subject, person, name, approver, approver_name FROM journal ORDER BY entry')
      .raw()
      .all()
    const Rows = z.array(z.array(z.string().nullable()))
    expect(Rows.parse(rows)).toEqual([
      ['alone', 'a', 'Ana', null, null],
      ['nobody', null, null, null, null],
      ['own approval', 'a', 'Ana', null, null],
      ['approved', 'a', 'Ana', 'b', 'Ben'],
      [null, null, null, null, null],
      ['no call', null, null, null, null],
    ])
  })

  it('never has a customer, whatever is written down', () => {
    const { db, journal } = start()
    journal.act({ actor: 'person', what: 'export', detail: { customerId: 'MED-1', lines: 3 } })
    expect(db.prepare('SELECT detail FROM journal').pluck().get()).toBe('{"lines":3}')
  })
})
