import '../scripts/require-node.mjs'
import { setImmediate } from 'node:timers/promises'
import { PosDays } from '../src-main/day/pos-day'
import { dayOf } from '../src-main/day/history'
import { createServiceClock, systemClock } from '../src-main/core/clock'
import { silentLog } from '../src-main/core/log'
import { Memory } from '../src-main/memory/store'
import { Outbox } from '../src-main/outbox/outbox'
import { createPos } from '../src-main/receiving/manifest/pos'
import { createSettings } from '../src-main/database/settings'
import { parseTable, readText } from '../src-shared/csv/read'
import { knownInSales, proposeSales } from '../src-shared/csv/sales-columns'
import { mostSalesLines, readSales, surveySales } from '../src-shared/csv/sales-rows'
import { PosDayPart, mostPosLines } from '../src-shared/ipc/contract/pos-day'
import { median, ms, times, verdict } from './figures'
import { watched } from './growth/station'
import { caseOf, fill, newFile, openDatabase, removeFiles, sale } from './outbox/desk'
import { dayContext } from '../test/fakes/day-context'
import { eventsOf } from '../test/fakes/events'

/**
 * `npm run bench:pos`: a day of 200,000 lines of the POS compared with as many reported, beside one of 2,000. Reading runs in
 * a worker in the app; here it runs alone and says how long that worker is busy. Takes about a minute.
 */
const sizes = { small: 500, large: 50_000 }
/** In ms: so long may main stand still at most while a file arrives and is compared. */
const longestGap = 50
/** What grows with the file, per line; and what must not grow, such as following one sale. */
const limit = 1.5
const rounds = 40
const now = systemClock.now()
const day = dayOf(now)

/** Three items of 60 products and one of something that isn't tracked: 200,000 lines for 50,000 orders. */
const csvOf = (orders: number) =>
  [
    'Order,Date,Product,Qty,Status,Customer',
    ...Array.from({ length: orders }, (_, n) => {
      const lines = [0, 1, 2].map(
        (k) => `order-${n},${day} 12:00,Blue Dream ${(n * 3 + k) % 60} 3.5 g,1.00,Completed,Jane Roe`,
      )
      return [...lines, `order-${n},${day} 12:00,Lighter,1.00,Completed,Jane Roe`].join('\n')
    }),
  ].join('\n')

/** What is held, without what only waits to be collected; in bytes. */
const held = () => {
  if (!globalThis.gc) throw new Error('run it with npm run bench:pos')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

/** What the worker does with a file, and how much memory it takes. */
function readFile(csv: string) {
  const before = held()
  const begin = performance.now()
  const text = readText(new TextEncoder().encode(csv))
  if (!text.ok) throw new Error(text.error.code)
  const table = parseTable(text.value.text, { knownIn: knownInSales, mostLines: mostSalesLines })
  const mapping = proposeSales(table)
  surveySales(table, mapping)
  const found = readSales(table, mapping, { dateOrder: null, meanings: {} }, day)
  const took = performance.now() - begin
  // All that it used meanwhile.
  const megabytes = (process.memoryUsage().heapUsed - before) / 1e6
  return { ...found, took, megabytes }
}

async function measure(orders: number) {
  const { db } = openDatabase(newFile())
  const clock = systemClock
  const outbox = new Outbox({
    db,
    events: eventsOf(),
    clock,
    serviceClock: createServiceClock(),
    caseOf: () => undefined,
    log: silentLog,
  })
  const seen = new Memory(db)
  const remember = (n: number) => {
    const payload = sale(n)
    for (const [k, tagId] of payload.tagIds.entries()) {
      const product = (n * 3 + k) % 60
      seen.keepTag(
        {
          ...{ tagId, caseId: caseOf(n), productId: null, productName: `Blue Dream ${product} 3.5 g` },
          ...{ brandName: 'Hudson', pictureUrl: null, isImported: true, soldOn: null },
        },
        now,
      )
    }
    return payload
  }
  await fill(
    db,
    db.transaction(() => {
      // Some orders of the file were not scanned.
      for (let n = 0; n < orders; n++) if (n % 100 !== 7) outbox.enqueue(remember(n))
    }),
  )

  const read = readFile(csvOf(orders))
  const file = {
    ...{ fileName: 'sales.csv', lines: read.lines, otherDays: 0, skipped: 0, faulty: 0, hasProducts: true },
  }
  const pos = createPos({ db, seen, settings: createSettings(db, silentLog), clock })
  // What the outbox says is left out: the day hears of each report when it is measured.
  const events = eventsOf(db)
  const days = new PosDays(dayContext({ db, events, outbox, clock, catalogue: pos.catalogue }), undefined)
  const arrived: number[] = []
  const loading = await watched(async () => {
    for (let start = 0; start < read.rows.length; start += mostPosLines) {
      const rows = read.rows.slice(start, start + mostPosLines)
      const part = PosDayPart.parse({ day, file, start, rows, isLast: start + mostPosLines >= read.rows.length })
      const begin = performance.now()
      days.load(part)
      arrived.push(performance.now() - begin)
      // The next part comes with another message.
      await setImmediate()
    }
  })
  // Main never has the whole file.
  read.rows.length = 0
  const before = held()
  const comparing = await watched(async () => {
    await days.all(day)
  })
  const megabytes = (held() - before) / 1e6
  const [lighter] = days.view(day).unknown
  if (lighter) days.setTracked(day, lighter.id, false)
  await days.all(day)
  const { matched, open } = days.view(day)
  if (open['only-pos'] !== orders / 100 || matched !== orders - orders / 100) throw new Error('compared wrongly')

  const followed: number[] = []
  for (let round = 0; round < rounds; round++) {
    const reported = outbox.enqueue(remember(100 * (round % (orders / 100)) + 7))
    if (!reported.ok) throw new Error(reported.error.code)
    const begin = performance.now()
    events.emit('operation.changed', reported.value)
    followed.push(performance.now() - begin)
  }
  await days.stop()
  db.close()
  return { read, loading, comparing, megabytes, arrived, followed, lines: read.lines }
}

// Not counted: the first run also compiles the program.
await measure(sizes.small)
const small = await measure(sizes.small)
const large = await measure(sizes.large)
const perLine = (took: number, { lines }: { lines: number }) => took / lines
console.log(`\n${large.lines} lines of the POS beside ${small.lines}, each compared with as many orders as reported:`)
console.table(
  [
    {
      what: 'reading the file in the worker, by line',
      one: perLine(small.read.took, small),
      other: perLine(large.read.took, large),
      in: large.read.took,
      memory: large.read.megabytes,
    },
    {
      what: 'a part of 500 rows, saved',
      one: median(small.arrived),
      other: median(large.arrived),
      in: large.loading.took,
      memory: null,
    },
    {
      what: 'comparing, by line',
      one: perLine(small.comparing.took, small),
      other: perLine(large.comparing.took, large),
      in: large.comparing.took,
      memory: large.megabytes,
    },
    { what: 'following one sale', one: median(small.followed), other: median(large.followed), in: null, memory: null },
  ].map(({ what, one, other, in: took, memory }) => ({
    what,
    small: ms(one),
    large: ms(other),
    ratio: times(other / one),
    limit: `at most ${times(limit)}`,
    verdict: verdict(other / one, { atMost: limit }),
    'in all, large': took === null ? '' : `${(took / 1_000).toFixed(1)} s`,
    memory: memory === null ? '' : `${Math.round(memory)} MB`,
  })),
)
console.table(
  (['loading', 'comparing'] as const).map((what) => ({
    what: `longest wait of main's loop while ${what}`,
    small: ms(small[what].longest),
    large: ms(large[what].longest),
    limit: `at most ${longestGap} ms`,
    verdict: verdict(large[what].longest, { atMost: longestGap }),
  })),
)
removeFiles()
