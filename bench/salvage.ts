import '../scripts/require-node.mjs'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { type Shop, openShop, work } from '../test/unit/main/database/shop'

/**
 * `npm run bench:salvage [-- --each 20 --seed 1]`: what of an hour's reports is there after damage, by three means: the
 * hourly backup, the backup with what SQLite still reads of the damaged file, and the salvage. The same damage for each.
 */
const { values } = parseArgs({
  options: { each: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
})

/** The same numbers below 1 for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}
const random = randomOf(Number(values.seed))
const page = 4_096

function overwrite(file: string, at: number, length: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.from(Array.from({ length }, () => Math.floor(random() * 256))), 0, length, at)
  closeSync(handle)
}
const somePage = (file: string) => Math.floor(random() * (statSync(file).size / page)) * page

const damages: Record<string, (file: string) => void> = {
  'the first page is garbage': (file) => overwrite(file, 0, page),
  'one page is garbage': (file) => overwrite(file, somePage(file), page),
  'five pages are garbage': (file) => {
    for (let n = 0; n < 5; n++) overwrite(file, somePage(file), page)
  },
  '64 kB are garbage': (file) => overwrite(file, somePage(file), 16 * page),
  'the file is cut off in the middle': (file) => truncateSync(file, Math.floor(statSync(file).size * random())),
  'the file is empty, its log is there': (file) => truncateSync(file, 0),
  'a page of the log is garbage': (file) => {
    if (existsSync(`${file}-wal`)) overwrite(`${file}-wal`, 32 + Math.floor(random() * 20) * (page + 24), page)
  },
}

const Id = z.object({ id: z.string() })

/**
 * The ids that SQLite can read from the file, from both ends: without an index, its own recovery tool does no better.
 */
function readBySqlite(file: string): Set<string> {
  const ids = new Set<string>()
  try {
    const db = new Sqlite(file)
    for (const order of ['ASC', 'DESC']) {
      try {
        for (const row of db.prepare(`SELECT id FROM operation NOT INDEXED ORDER BY seq ${order}`).iterate()) {
          ids.add(Id.parse(row).id)
        }
      } catch {
        // Rows behind a damaged page are read from the other end, down to the next damaged page.
      }
    }
    db.close()
  } catch {
    // SQLite says that the file isn't a database.
  }
  return ids
}

function readBySalvage(shop: Shop): Set<string> {
  const { store } = shop.open()
  const ids = z.array(Id).parse(store.db.prepare('SELECT id FROM operation').all())
  store.close()
  return new Set(ids.map(({ id }) => id))
}

const shop = openShop()
const { store, outbox } = shop.open()
store.db.pragma('synchronous = OFF')
const before = work(outbox, 900)
mkdirSync(join(shop.folder, 'backups'), { recursive: true })
await store.db.backup(join(shop.folder, 'backups', 'countertag-2026-07-01T09-00-00Z.db'))
store.db.pragma('wal_checkpoint(RESTART)')
const hour = work(outbox, 100, 901)
store.db.pragma('wal_checkpoint(RESTART)')
// Only in the write-ahead log.
const newest = work(outbox, 20, 1_001)
const since = [...hour.keys(), ...newest.keys()]
// As a power cut leaves the file, with its log; and as it is in the morning, closed.
const cut = shop.powerCut()
store.close()

const table: Record<string, Record<string, string>> = {}
for (const [base, folder] of [
  ['in use', cut.folder],
  ['closed', shop.folder],
] as const) {
  for (const [name, damage] of Object.entries(damages)) {
    if (base === 'closed' && name.includes('log')) continue
    const kept = { backup: 0, sqlite: 0, salvage: 0 }
    const each = Number(values.each)
    for (let n = 0; n < each; n++) {
      const damaged = mkdtempSync(join(tmpdir(), 'countertag-salvage-'))
      cpSync(folder, damaged, { recursive: true })
      const one = openShop(damaged)
      damage(one.file)
      const copy = mkdtempSync(join(tmpdir(), 'countertag-sqlite-'))
      cpSync(damaged, copy, { recursive: true })
      const bySqlite = readBySqlite(join(copy, 'countertag.db'))
      const bySalvage = readBySalvage(one)
      kept.sqlite += since.filter((id) => bySqlite.has(id)).length
      kept.salvage += since.filter((id) => bySalvage.has(id)).length
      rmSync(damaged, { recursive: true })
      rmSync(copy, { recursive: true })
    }
    const share = (count: number) => `${((100 * count) / (each * since.length)).toFixed(1)} %`
    table[`${base}: ${name}`] = {
      'hourly backup': share(kept.backup),
      'backup and SQLite': share(kept.sqlite),
      salvage: share(kept.salvage),
    }
  }
}
console.log(
  `${since.length} reports since the backup, ${before.size} before it; ${values.each} times each, seed ${values.seed}`,
)
console.table(table)
cut.remove()
shop.remove()
