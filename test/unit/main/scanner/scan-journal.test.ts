import { describe, expect, it, vi } from 'vitest'
import { mostScans } from '../../../../src-shared/ipc/contract/scanner'
import { nothingKnown } from '../../../../src-shared/scan/known'
import { createScanHub } from '../../../../src-main/scanner/scanners'
import { createScanJournal, flushAfter, mostKept, mostPending } from '../../../../src-main/scanner/scan-journal'
import { silentLog } from '../../../../src-main/core/log'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { journalDesk, voyager } from './journal-desk'

const id = 'a6YvvLF5tXSydNkLnHDXG5'
const day = 86_400_000
const desk = journalDesk()

describe('the journal of scans', () => {
  it('stores the time, scanner and meaning of each scan, newest first', () => {
    desk.scan(`https://tag.example/${id}`, voyager)
    desk.clock.advance(1_000)
    desk.scan('ORD-4711')
    expect(desk.journal.recent()).toEqual({
      scans: [
        {
          number: 2,
          at: '2026-11-21T14:00:01.000Z',
          source: 'typed',
          device: null,
          symbology: null,
          kind: 'order',
          meaning: { kind: 'order', orderId: '4711' },
          raw: { text: 'ORD-4711', length: 8 },
        },
        {
          number: 1,
          at: '2026-11-21T14:00:00.000Z',
          source: 'hid',
          device: 'Voyager',
          symbology: ']Q1',
          kind: 'tag',
          meaning: { kind: 'tag', tagId: id, certain: true },
          raw: { text: `https://tag.example/${id}`, length: 42 },
        },
      ],
      older: null,
    })
  })

  it('defers writing: once a second, or earlier after fifty scans', () => {
    desk.scan('1')
    desk.scan('2')
    vi.advanceTimersByTime(flushAfter - 1)
    expect(desk.rows()).toBe(0)
    vi.advanceTimersByTime(1)
    expect(desk.rows()).toBe(2)
    for (let count = 0; count < mostPending + 1; count++) desk.scan(`${count}`)
    expect(desk.rows()).toBe(2)
    vi.advanceTimersByTime(1)
    expect(desk.rows()).toBe(mostPending + 3)
    vi.advanceTimersByTime(flushAfter)
    expect(desk.rows()).toBe(mostPending + 3)
  })

  it('writes the rest when it is closed, and nothing afterwards', () => {
    desk.scan('1')
    desk.journal.close()
    expect(desk.rows()).toBe(1)
    desk.scan('2')
    vi.advanceTimersByTime(flushAfter)
    expect(desk.rows()).toBe(1)
  })

  it('returns 200 scans per page', () => {
    const count = 2 * mostScans + 1
    for (let n = 1; n <= count; n++) desk.scan(`${n}`)
    const first = desk.journal.recent()
    const second = desk.journal.recent(first.older ?? 0)
    const third = desk.journal.recent(second.older ?? 0)
    expect([first, second, third].map(({ scans }) => scans.length)).toEqual([mostScans, mostScans, 1])
    const numbers = [first, second, third].flatMap(({ scans }) => scans.map(({ number }) => number))
    expect(numbers).toEqual(Array.from({ length: count }, (_, n) => count - n))
    expect(third.older).toBeNull()
    expect(desk.journal.recent(1)).toEqual({ scans: [], older: null })
  })

  describe('deletes', () => {
    const fill = (count: number, at: number) => {
      const insert = desk.db.prepare(`INSERT INTO scan (at, source, kind) VALUES (?, 'typed', 'unknown')`)
      desk.db.transaction(() => {
        for (let n = 0; n < count; n++) insert.run(at)
      })()
    }

    it('all but the newest 5,000 scans at the start', () => {
      fill(mostKept + 3, desk.clock.now())
      desk.journal.start()
      expect(desk.rows()).toBe(mostKept)
      expect(desk.db.prepare('SELECT min(number) FROM scan').pluck().get()).toBe(4)
    })

    it('scans older than 30 days, at the start and hourly', () => {
      fill(1, desk.clock.now() - 30 * day - 1)
      fill(1, desk.clock.now() - 30 * day)
      desk.journal.start()
      expect(desk.rows()).toBe(1)
      desk.clock.advance(1)
      vi.advanceTimersByTime(3_600_000)
      expect(desk.rows()).toBe(0)
    })

    it('old scans in between, if there are many new ones', () => {
      desk.journal.start()
      fill(mostKept, desk.clock.now())
      for (let n = 0; n < 600; n++) {
        desk.scan(`${n}`)
        if (n % 40 === 0) vi.advanceTimersByTime(flushAfter)
      }
      desk.journal.close()
      expect(desk.rows()).toBeLessThan(mostKept + 500)
      expect(desk.texts()[0]).toBe('599')
    })
  })

  describe('if the disk refuses', () => {
    const refuse = () => {
      desk.db.pragma('query_only = ON')
    }
    it('loses only journal rows, warns once, and continues when it works again', () => {
      desk.scan('before')
      vi.advanceTimersByTime(flushAfter)
      refuse()
      desk.journal.start()
      for (const text of ['lost 1', 'lost 2']) {
        desk.scan(text)
        vi.advanceTimersByTime(flushAfter)
      }
      expect(desk.texts()).toEqual(['before'])
      expect(desk.warned).toHaveLength(1)
      desk.db.pragma('query_only = OFF')
      desk.scan('after')
      vi.advanceTimersByTime(flushAfter)
      expect(desk.texts()).toEqual(['after', 'before'])
      refuse()
      desk.scan('lost 3')
      desk.journal.close()
      expect(desk.warned).toHaveLength(2)
      desk.db.pragma('query_only = OFF')
    })

    it('never logs what was scanned', () => {
      refuse()
      desk.scan('a text of a customer')
      vi.advanceTimersByTime(flushAfter)
      expect(desk.warned).toHaveLength(1)
      expect(String(desk.warned) + JSON.stringify(desk.warned)).not.toContain('of a customer')
      desk.db.pragma('query_only = OFF')
    })

    it('for good, like a closed database, throws nothing into the scan', () => {
      const gone = emptyDatabase(schemaVersion)
      const onGone = createScanJournal({ db: gone, clock: desk.clock, log: silentLog })
      gone.close()
      const hub = createScanHub({ clock: desk.clock, known: () => nothingKnown, onScan: (one) => onGone.note(one) })
      hub.submit('7', 'typed')
      onGone.start()
      onGone.close()
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  it.each([
    [`UPDATE scan SET source = 'telepathy' WHERE number = 2`],
    [`UPDATE scan SET kind = 'person' WHERE number = 2`],
    [`UPDATE scan SET at = -1 WHERE number = 2`],
    [`UPDATE scan SET at = 9007199254740991 WHERE number = 2`],
    [`UPDATE scan SET raw_length = -5 WHERE number = 2`],
    [`UPDATE scan SET number = -2 WHERE number = 2`],
  ])('leaves out a row with impossible values: %s', (damage) => {
    for (const text of ['1', '2', '3']) desk.scan(text)
    desk.journal.recent()
    desk.db.exec(damage)
    expect(desk.texts()).toEqual(['3', '1'])
  })

  it.each([`'{"kind":'`, `'{"kind":"tag","tagId":"7"}'`, `'null'`, `''`])(
    "shows at least the kind of a scan if its meaning can't be read: %s",
    (meaning) => {
      desk.scan(id)
      desk.journal.recent()
      desk.db.exec(`UPDATE scan SET meaning = ${meaning}, raw_length = NULL`)
      expect(desk.journal.recent().scans).toMatchObject([{ kind: 'tag', meaning: null, raw: { text: id, length: 22 } }])
    },
  )
})
