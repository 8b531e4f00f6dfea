import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { createServiceClock, systemClock } from '../../src-main/core/clock'
import { silentLog } from '../../src-main/core/log'
import type { Operation } from '../../src-main/outbox/operation'
import { Outbox } from '../../src-main/outbox/outbox'
import { createBackup } from '../../src-main/database/backup'
import { backupName } from '../../src-main/database/backup-copy'
import { sync } from '../../src-main/database/files'
import { forgetLastEnd } from '../../src-main/database/last-end'
import { type Store, openStore } from '../../src-main/database/open'
import { backupFolder } from '../../src-main/database/quarantine'
import { OrderId } from '../../src-shared/ids'
import { practiceId } from '../../src-shared/ipc/contract/station'
import { tag } from '../fakes/ids'
import type { Notebook } from './notebook'
import { databaseIn, olderVersions, folderOfVersion } from './old-data'
import type { Scene } from './shop'
import { eventsOf } from '../fakes/events'

/** Opens a database of each released version, and closes it. */
export function migrateOthers({ notebook, dataDir }: Scene): void {
  for (const version of olderVersions) {
    const folder = folderOfVersion(version)
    notebook.write({ line: 'scene', phase: 'migrating', folder })
    openStore(databaseIn(join(dataDir, folder))).close()
  }
}

/** A station's very first start, in a folder that doesn't exist yet. */
export function startNew({ notebook, dataDir }: Scene): void {
  const folder = join('fresh', practiceId)
  notebook.write({ line: 'scene', phase: 'opening', folder })
  const store = openStore(databaseIn(join(dataDir, folder)))
  const outbox = outboxOn(store)
  for (let n = 0; n < 3; n++) save(outbox, notebook, `NEW-${n}`, n)
  store.close()
}

/** Backups while the station sells and reports so much that the log is overwritten. */
export async function backUp({ notebook, dataDir }: Scene): Promise<void> {
  notebook.write({ line: 'scene', phase: 'backing up', folder: practiceId })
  const file = databaseIn(join(dataDir, practiceId))
  const store = openStore(file)
  const outbox = outboxOn(store)
  let at = Date.now()
  const clock = { now: () => at }
  const backup = createBackup({ db: store.db, events: eventsOf(store.db), clock, log: silentLog }, backupFolder(file))
  let n = 0
  for (let round = 0; round < 7; round++) {
    notebook.write({ line: 'backup begins' })
    const making = backup.make()
    // Between two steps of the copy, and after it.
    for (let more = 0; more < 15; more++) {
      save(outbox, notebook, `BULK-${n}`, n)
      n++
      if (more % 3 === 2) settleOne(outbox, notebook)
      await pause(1)
    }
    await making
    const { lastAt } = backup.view()
    if (lastAt === at) notebook.write({ line: 'backup made', name: backupName(at) })
    // Names have a resolution of one second, and each hour's backup has its own name.
    at += 3_600_000
  }
  notebook.write({ line: 'scene', phase: 'closing', folder: practiceId })
  store.close()
}

/** Another program overwrote a page of the closed database: an index page, so that no data is lost. */
export function damage({ notebook, dataDir }: Scene): void {
  notebook.write({ line: 'scene', phase: 'mending', folder: practiceId })
  const file = databaseIn(join(dataDir, practiceId))
  const db = new Sqlite(file)
  db.pragma('locking_mode = EXCLUSIVE')
  const page = z
    .number()
    .parse(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'journal_of'`).pluck().get())
  db.close()
  // Without the note, the store checks every page.
  forgetLastEnd(file)
  sync(dirname(file))
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4_096, 0xa5), 0, 4_096, (page - 1) * 4_096)
  fsyncSync(handle)
  closeSync(handle)
}

const outboxOn = ({ db }: Store) =>
  new Outbox({
    db,
    events: eventsOf(db),
    clock: systemClock,
    serviceClock: createServiceClock(),
    caseOf: () => undefined,
    log: silentLog,
  })

/** The notebook's record of an operation, in the form of a view. */
const told = ({ id, kind, state, payload }: Operation) => ({
  operations: [
    {
      id,
      kind,
      state,
      orderId: payload?.kind === 'complete' ? payload.orderId : null,
      caseId: null,
      itemCount: payload?.kind === 'complete' ? payload.tagIds.length : 0,
    },
  ],
})

function save(outbox: Outbox, notebook: Notebook, orderId: string, n: number): void {
  notebook.note('enqueue', () => {
    const tagIds = [tag(5_000 + 2 * n), tag(5_001 + 2 * n)]
    const operation = outbox.enqueue({ kind: 'complete', orderId: OrderId.parse(orderId), tagIds })
    if (!operation.ok) throw new Error(operation.error.code)
    return told(operation.value)
  })
}

/** Simulates the service's answers: yes to most, no to some. */
function settleOne(outbox: Outbox, notebook: Notebook): void {
  notebook.note('settle', () => {
    const operation = outbox.claim()
    if (!operation) throw new Error('nothing to claim')
    const isRefused = operation.seq % 4 === 0
    outbox.settle(
      operation.seq,
      isRefused
        ? { kind: 'rejected', reason: { code: 'service/refused', status: 409, detail: 'not ours' } }
        : { kind: 'accepted', note: null },
    )
    const settled = outbox.read.byId(operation.id)
    if (!settled) throw new Error('an operation is gone')
    return told(settled)
  })
}
