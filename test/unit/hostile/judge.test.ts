import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OperationId } from '../../../src-shared/ids'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { oddMoments, secretsIn, unboundedIn, untruthsOf } from '../../hostile/judge'

const view = (change: Partial<OperationView>): OperationView => ({
  id: OperationId.parse('0e7f6a0e-6a0e-4a0e-8a0e-6a0e7f6a0e7f'),
  seq: 1,
  kind: 'complete',
  state: 'unknown',
  orderId: 'H-1',
  caseId: null,
  packagedProductId: null,
  collectionId: null,
  packageUid: null,
  productName: null,
  itemCount: 1,
  performedAt: '2026-11-23T09:00:00.000Z',
  attempts: 1,
  nextAttemptAt: null,
  waitsFor: 0,
  heldUpBy: null,
  reason: null,
  note: null,
  missing: [],
  unsettled: null,
  undo: null,
  actions: [],
  dismissedBecause: null,
  ...change,
})
const held = { before: true, after: true }
const notHeld = { before: false, after: false }
const busy = { code: 'service/busy' } as const

describe('the judge of the hostile suite', () => {
  it.each([
    ['accepted, and the service does not have it', view({ state: 'accepted' }), notHeld],
    ['canceled, and the service has it', view({ state: 'cancelled' }), held],
    ['withdrawable, and the service has it', view({ state: 'queued', undo: 'withdraw', reason: busy }), held],
    ['refused, and the service has it', view({ state: 'rejected', reason: busy }), held],
    [
      'refused as already processed, and the service has it',
      view({
        state: 'rejected',
        reason: { code: 'service/already-processed', detail: '' },
        unsettled: { shown: 'other-time' },
      }),
      held,
    ],
  ])('complains about an operation that is shown as %s', (_, shown, has) => {
    expect(untruthsOf(shown, has, 'the list')).toMatchObject([{ kind: 'untrue' }])
  })

  it.each([
    ['accepted, and the service has it', view({ state: 'accepted' }), held],
    ['accepted while it was looked at', view({ state: 'accepted' }), { before: false, after: true }],
    ['unclear, whatever the service has', view({ state: 'unknown' }), held],
    ['refused, and the service does not have it', view({ state: 'rejected', reason: busy }), notHeld],
    ['withdrawable, and the service does not have it', view({ state: 'queued', undo: 'withdraw' }), notHeld],
  ])('accepts an operation that is shown as %s', (_, shown, has) => {
    expect(untruthsOf(shown, has, 'the list')).toEqual([])
  })

  it('complains about times from another day, and about invalid ones', () => {
    const now = Date.parse('2026-11-23T09:00:00Z')
    const good = ['2026-11-23T09:00:00Z', '2026-11-22T10:00:00Z']
    const bad = ['1970-01-01T00:00:00Z', '+020000-01-01T00:00:00.000Z', '2026-11-24T10:00:00Z', 'soon']
    expect(oddMoments([...good, ...bad], now)).toHaveLength(bad.length)
  })
})

describe('the files of a station', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag-judge-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('are searched for secrets, whatever bytes surround them', () => {
    writeFileSync(join(folder, 'a.db'), Buffer.concat([Buffer.from([0, 255]), Buffer.from('xsecret-1x')]))
    const secrets = new Map([
      ['one', 'secret-1'],
      ['another', 'secret-2'],
    ])
    expect(secretsIn(folder, secrets)).toEqual([{ kind: 'secret', text: 'one stands in a.db' }])
  })

  it('are searched for reasons and journal entries that exceed their limits', () => {
    const file = join(folder, 'a.db')
    const db = new Sqlite(file)
    db.exec('CREATE TABLE operation (seq INTEGER PRIMARY KEY, payload TEXT, reason TEXT)')
    db.exec('CREATE TABLE journal (operation_seq INTEGER, detail TEXT)')
    const add = db.prepare('INSERT INTO operation VALUES (?, ?, ?)')
    const note = db.prepare('INSERT INTO journal VALUES (?, ?)')
    add.run(1, 'short', 'r'.repeat(2_048))
    add.run(2, 'long', 'r'.repeat(2_049))
    add.run(3, 'none', null)
    note.run(1, 'd'.repeat(4_096))
    note.run(3, 'd'.repeat(4_097))
    db.close()
    expect(unboundedIn(file).map(({ payload, complaint }) => [payload, complaint.text])).toEqual([
      ['long', 'a reason of 2049 characters is stored'],
      ['none', 'a journal entry of 4097 characters is stored'],
    ])
  })
})
