import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { silentLog } from '../../../src-main/core/log'
import { Outbox } from '../../../src-main/outbox/outbox'
import { openStore } from '../../../src-main/database/open'
import type { Line } from '../../power/notebook'
import { databaseIn } from '../../power/old-data'
import { type Entry, type Recording, filesIn } from '../../power/record'
import { sale } from '../main/database/shop'
import { eventsOf } from '../../fakes/events'

const folderName = 'practice'
const page = 4_096

/**
 * A recording made without a tracer. After each step of a real store, the changed pages are recorded as its writes and
 * as synced, because the store is told that they are. Call `remove` at the end.
 */
export function recordUntraced(sales: number): { recording: Recording; folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-untraced-'))
  const dataDir = join(folder, 'data')
  const file = databaseIn(join(dataDir, folderName))
  openStore(file).close()
  const start = filesIn(dataDir)
  const entries: Entry[] = []
  let before = start
  let at = 0

  const add = (change: Extract<Entry, { kind: 'change' }>['change']) =>
    entries.push({ kind: 'change', change, at: at++ })
  const tell = (line: Line) => entries.push({ kind: 'line', line })
  const noteChanges = () => {
    const now = filesIn(dataDir)
    for (const [path, bytes] of now) {
      const old = before.get(path) ?? Buffer.alloc(0)
      if (bytes === null || old.equals(bytes)) continue
      if (!before.has(path)) add({ kind: 'open', path, creates: true, empties: false })
      if (bytes.length < old.length) add({ kind: 'resize', path, size: bytes.length })
      for (let offset = 0; offset < bytes.length; offset += page) {
        const piece = bytes.subarray(offset, offset + page)
        if (!piece.equals(old.subarray(offset, offset + page))) add({ kind: 'write', path, offset, bytes: piece })
      }
      add({ kind: 'sync', path, from: at })
    }
    // SQLite removes its log only once what it held is written and synced elsewhere.
    for (const path of before.keys()) if (!now.has(path)) add({ kind: 'remove', path })
    add({ kind: 'sync', path: join(dataDir, folderName), from: at })
    before = now
  }

  tell({ line: 'scene', phase: 'selling', folder: folderName })
  const store = openStore(file)
  noteChanges()
  const outbox = new Outbox({
    db: store.db,
    events: eventsOf(store.db),
    clock: systemClock,
    serviceClock: createServiceClock(),
    caseOf: () => undefined,
    log: silentLog,
  })
  for (let n = 0; n < sales; n++) {
    const call = String(n)
    tell({ line: 'asks', call, name: 'enqueue', input: null })
    const saved = outbox.enqueue(sale(n))
    if (!saved.ok) throw new Error(saved.error.code)
    noteChanges()
    const { id, kind, state } = saved.value
    const value = { id, kind, state, orderId: `ORDER-${n}`, caseId: null, itemCount: 2 }
    tell({ line: 'answered', call, answer: { ok: true, value } })
  }
  store.close()
  noteChanges()
  const lines = entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []))
  const remove = () => {
    rmSync(folder, { recursive: true })
  }
  return { recording: { start, entries, lines, dataDir }, folder, remove }
}
