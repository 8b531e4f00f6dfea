import type { Database } from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../../../../src-main/core/log'
import { Memory } from '../../../../src-main/memory/store'
import { Outbox } from '../../../../src-main/outbox/outbox'
import { Ledger } from '../../../../src-main/stock/ledger'
import { migrate, schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { handClock } from '../../../fakes/clock'
import { caseOf, packageUid, tag } from '../../../fakes/ids'
import { accepted, complete, rejected, removing, returning } from '../outbox/desk'
import { caseWith, tagsOf, useShelf } from '../counting/shelf/shelf-desk'
import { eventsOf } from '../../../fakes/events'

const desk = useShelf()
const { receive, put, send, standing, restart } = desk
const [a, b] = [tag(1_001), tag(1_002)]

const learn = (n: number, options: Parameters<typeof caseWith>[2], tagIds = tagsOf(n, 3), entry?: string) => {
  desk.ledger.learn({
    facts: caseWith(n, tagIds, options),
    entry: entry === undefined ? undefined : { is_imported: true, dispensary: { uuid: entry, name: entry } },
    ...{ position: desk.ledger.rows.position(), askedAt: desk.clock.now(), askedMove: desk.ledger.askMove() },
  })
}

/** Copies the rows of a table to a database of an earlier version, without the columns that it lacks. */
function copyRows(from: Database, to: Database, table: string): void {
  const columns = to.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table).join(', ')
  const rows = z.array(z.array(z.unknown())).parse(from.prepare(`SELECT ${columns} FROM ${table}`).raw().all())
  for (const row of rows)
    to.prepare(`INSERT INTO ${table} (${columns}) VALUES (${row.map(() => '?').join(', ')})`).run(...row)
}

describe('the ledger of the shelf', () => {
  it('has the items of imports from the moment they are saved, and of cases that memory knows alone', async () => {
    desk.seen.keepCase(caseWith(1, tagsOf(1, 3)), desk.clock.now())
    expect(await standing(a)).toBeUndefined()
    const { seq } = put(desk.importing(1))
    expect(await standing(a)).toBe('here')
    expect(desk.outbox.claim()?.seq).toBe(seq)
    desk.outbox.settle(seq, rejected)
    expect(await standing(a)).toBe('not-imported')
    // Imported before it was ever read: known as a case that is to be read.
    put(desk.importing(7))
    await desk.ledger.catchUp()
    expect(desk.ledger.asOf()).toEqual({ cases: 1, unread: 1, oldestAt: null })
    expect(desk.ledger.rows.unread()).toEqual([{ caseId: caseOf(7), productName: null }])
  })

  it('has the items of a blind import once it is known which import it is, also if its case was known before', async () => {
    desk.seen.keepCase(caseWith(1, tagsOf(1, 3)), desk.clock.now())
    const payload = desk.importing(1)
    const { seq } = put({
      ...{ kind: 'blind-import', scanned: 'CASE-1', caseId: caseOf(1), packageUid: packageUid(1) },
      ...{ posProductId: 'P', posInventoryId: 'I' },
    })
    expect(await standing(a)).toBeUndefined()
    expect(desk.outbox.claim()?.seq).toBe(seq)
    desk.outbox.identify(seq, { payload, tagIds: [] })
    expect(await standing(a)).toBe('here')
  })

  it('follows sales, returns and the end of an import, and takes an amended sale for what it is now', async () => {
    receive(1, 3)
    const sale = put(complete('1', a, b))
    expect([await standing(a), await standing(b)]).toEqual(['sold', 'sold'])
    desk.outbox.withdraw(sale.id)
    expect(await standing(a)).toBe('here')
    put(complete('2', a))
    put(returning('2', a))
    expect(await standing(a)).toBe('here')
    put(removing(1))
    expect(await standing(b)).toBe('not-imported')
  })

  it('believes a reading that came after a report was accepted, and the report if it came later', async () => {
    receive(1, 3)
    put(complete('1', a))
    learn(1, { isImported: true })
    // The service could not know the sale yet.
    expect(await standing(a)).toBe('sold')
    send()
    expect(await standing(a)).toBe('sold')
    learn(1, { isImported: true, sold: [b] })
    expect([await standing(a), await standing(b)]).toEqual(['here', 'sold'])
    put(returning('elsewhere', b))
    expect(await standing(b)).toBe('here')
    learn(1, { isImported: false })
    expect(await standing(tag(1_003))).toBe('not-imported')
  })

  it('knows what left its case, and what is in the inventory of another store', async () => {
    receive(1, 3)
    await desk.ledger.catchUp()
    learn(1, { isImported: true }, [a, b])
    expect(await standing(tag(1_003))).toBe('taken-out')
    learn(2, { isImported: true }, tagsOf(2, 1), 'theirs')
    learn(3, { isImported: true }, tagsOf(3, 1), 'ours')
    expect([await standing(tag(2_001)), await standing(tag(3_001))]).toEqual(['elsewhere', 'here'])
    expect(desk.ledger.asOf()).toMatchObject({ cases: 2, unread: 0, oldestAt: '2026-11-21T14:00:00.000Z' })
  })

  it('looks at what was reported before a crash, at the next start', async () => {
    receive(1, 3)
    await desk.ledger.catchUp()
    put(complete('1', a))
    restart()
    expect(desk.ledger.isCaughtUp()).toBe(false)
    expect(await standing(a)).toBe('sold')
    expect(desk.ledger.isCaughtUp()).toBe(true)
  })

  it('learns the reports of a station that had no ledger', async () => {
    const newest = emptyDatabase(schemaVersion)
    const clock = handClock()
    const seen = new Memory(newest)
    const events = eventsOf(newest)
    const outbox = new Outbox({
      db: newest,
      events,
      clock,
      serviceClock: clock.serviceClock,
      caseOf: () => caseOf(1),
      log: silentLog,
    })
    seen.keepCase(caseWith(1, tagsOf(1, 2)), clock.now())
    outbox.enqueue(desk.importing(1))
    outbox.enqueue(complete('1', a))
    for (let next = outbox.claim(); next; next = outbox.claim()) outbox.settle(next.seq, accepted)
    // As version 10 had them.
    const db = emptyDatabase(10)
    for (const table of ['operation', 'operation_key', 'journal', 'memory']) copyRows(newest, db, table)
    migrate(db)
    const ledger = new Ledger({ db, events: eventsOf(db), seen: new Memory(db), ownDispensaryId: null, log: silentLog })
    await ledger.catchUp()
    expect([a, b].map((one) => ledger.rows.item(one)?.standing)).toEqual(['sold', 'here'])
    newest.close()
    db.close()
  })

  it('marks for a refresh the packages it knows and the cases with something here', async () => {
    receive(1, 1)
    receive(2, 1)
    learn(1, { isImported: true, sold: [a] }, [a])
    await desk.ledger.catchUp()
    desk.ledger.rows.wantAll()
    expect(desk.ledger.rows.wantedCases(9)).toEqual([caseOf(2)])
    expect(desk.ledger.rows.wantedPackages(9).toSorted()).toEqual([packageUid(1), packageUid(2)].toSorted())
    desk.ledger.rows.dropWanted()
    expect(desk.ledger.rows.wanted()).toBe(0)
  })
})
