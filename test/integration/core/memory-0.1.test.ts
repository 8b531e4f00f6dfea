import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { migrate } from '../../../src-main/database/migrations'
import { callTable } from '../../../src-shared/ipc/contract'
import { type Station, startStation } from './station'

/** Recorded with version 0.1: the rows of its two offline memories, and its offline answers from them. */
const recorded = readFileSync(join(import.meta.dirname, '../../fixtures/memory-0.1.jsonl'), 'utf8')
const lines = recorded.trim().split('\n')
const Row = z.object({ table: z.string(), row: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) })
const answer = z.unknown()
const Question = z.discriminatedUnion('call', [
  z.object({ call: z.literal('find.recent'), answer }),
  z.object({ call: z.literal('find.search'), input: callTable['find.search'].input, answer }),
  z.object({ call: z.literal('find.known'), input: callTable['find.known'].input, answer }),
  z.object({ call: z.literal('find.thing'), input: callTable['find.entity'].input, answer }),
  z.object({ call: z.literal('receiving.package'), input: callTable['receiving.package'].input, answer }),
  z.object({ call: z.literal('receiving.case'), input: callTable['receiving.case'].input, answer }),
])
type Question = z.infer<typeof Question>
const rows = lines.flatMap((line) => Row.safeParse(JSON.parse(line)).data ?? [])
const questions = lines.flatMap((line) => Question.safeParse(JSON.parse(line)).data ?? [])

/** Replaces a database with the database of a 0.1 station, schema 8. */
function placeDatabase(folder: string): void {
  for (const file of readdirSync(folder)) if (file.startsWith('countertag.db')) rmSync(join(folder, file))
  const db = new Database(join(folder, 'countertag.db'))
  migrate(db, 8)
  for (const { table, row } of rows) {
    const names = Object.keys(row)
    db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`).run(
      row,
    )
  }
  db.close()
}

/** Certificates expire as this test gets older, and 0.1 answered fewer fields. */
const left = new Set(['isExpired', 'canImport', 'heldBack', 'watched', 'standing', 'word', 'worstCoa'])

/** The answer as 0.1 would give it. */
const comparable = (given: unknown): unknown =>
  JSON.parse(
    JSON.stringify(given, (key, value: unknown) => (left.has(key) ? undefined : value))
      .replaceAll('"unreachable":', '"silence":')
      .replaceAll('"missing":', '"gaps":'),
  )

describe('a station that ran 0.1', () => {
  let station: Station
  beforeEach(async () => {
    station = await startStation()
    await station.restart(() => {
      placeDatabase(join(station.dataDir, 'practice'))
    })
    await station.knobs.setFaults({ offline: true })
  })
  afterEach(async () => {
    await station.close()
  })

  const ask = (question: Question) => {
    const { client } = station
    switch (question.call) {
      case 'find.recent':
        return client.call(question.call, undefined)
      case 'find.search':
        return client.call(question.call, question.input)
      case 'find.known':
        return client.call(question.call, question.input)
      case 'find.thing':
        return client.call('find.entity', question.input)
      case 'receiving.package':
        return client.call(question.call, question.input)
      case 'receiving.case':
        return client.call(question.call, question.input)
    }
  }

  it('still answers everything it remembered, with the same words and age, without a network', async () => {
    expect([rows.length, questions.length]).toEqual([30, 89])
    // In the recorded order, because viewing a thing changes the list of recent things.
    for (const question of questions) {
      const about = `${question.call} ${'input' in question ? JSON.stringify(question.input) : ''}`
      expect.soft(comparable(await ask(question)), about).toEqual(comparable(question.answer))
    }
  })

  it('keeps rows that 0.1 could not read, and treats them as never seen', async () => {
    await station.restart(() => {
      const folder = join(station.dataDir, 'practice')
      placeDatabase(folder)
      const db = new Database(join(folder, 'countertag.db'))
      db.exec(`UPDATE found_thing SET view = '{'; UPDATE seen_case SET facts = '{'; UPDATE seen_tag SET facts = '[]'`)
      db.close()
    })
    await station.knobs.setFaults({ offline: true })
    for (const question of questions) {
      if (question.call !== 'find.thing' || question.input.kind === 'package') continue
      expect(await ask(question)).toEqual({ ok: false, error: { code: 'service/unreachable' } })
    }
    expect(await station.ask('find.recent', undefined)).not.toEqual([])
  })
})
