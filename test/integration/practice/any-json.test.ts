import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { type ServiceCaller, callerOf, importOf, performed_at, sale, shop, start } from './practice'
import { atHoboken, blueDune, onSale, tag } from './sample'

const endpoints = [
  'caseids/import/',
  'caseids/import/remove/',
  'transactions/complete/',
  'transactions/void/',
  'transactions/return/',
]

/** Bodies of the right form, of which any field may be rubbish: these come further than any JSON does. */
const nearMisses = fc
  .record({
    // An order that was never completed, an imported case, and items that are not imported: nothing here may succeed.
    base: fc.constantFrom<Record<string, unknown>[]>(
      importOf(onSale, 'P-1'),
      importOf(atHoboken, 'P-1'),
      sale('no such order', [tag(blueDune, 0)]),
      { performed_at, order_id: 'no such order' },
    ),
    field: fc.constantFrom('case_uuid', 'package_uid', 'order_id', 'items', 'performed_at', '__proto__', 'customer_id'),
    value: fc.jsonValue(),
  })
  .map(({ base, field, value }) => Object.fromEntries([...Object.entries(base), [field, value]]))

describe('the POST endpoints', () => {
  let folder: string
  let db: string
  let service: PracticeService
  let caller: ServiceCaller
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'practice-'))
    db = join(folder, 'practice.db')
    service = await start({ db })
    caller = await callerOf(service, shop)
  })
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })

  /** Every row of every table, as text. */
  function everything(): string {
    const reader = new Database(db, { readonly: true })
    try {
      const tables = reader.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
      return JSON.stringify(tables.map(({ name }) => reader.prepare(`SELECT * FROM "${name}"`).all()))
    } finally {
      reader.close()
    }
  }

  it('answer any JSON with a 4xx and leave the database as it was', async () => {
    const before = everything()
    expect(before).toContain(onSale.uuid)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...endpoints), fc.oneof(fc.jsonValue(), nearMisses), async (path, body) => {
        const { status } = await caller.post(path, body)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 500 },
    )
    expect(everything()).toBe(before)
  })
})
