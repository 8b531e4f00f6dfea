import '../scripts/require-node.mjs'
import { z } from 'zod'
import type { OrdersFilter } from '../src-shared/ipc/contract/checkout'
import { Checkout } from '../src-main/counter/checkout'
import { createServiceClock, systemClock } from '../src-main/core/clock'
import { Memory } from '../src-main/memory/store'
import { silentLog } from '../src-main/core/log'
import { Outbox } from '../src-main/outbox/outbox'
import { viewOperation } from '../src-main/outbox/views'
import { median, ms, verdict } from './figures'
import { caseOf, newFile, openDatabase, removeFiles, sale } from './outbox/desk'
import { counterContext } from '../test/fakes/counter-context'
import { eventsOf } from '../test/fakes/events'

/** `npm run bench:orders`: the list of a day's 10,000 orders, each filter against its limit. Takes some seconds. */

const orders = 10_000
const days = 5
/** In ms, what each reliably keeps on two cores; the aims are 8 for a page, 20 with filters, 60 for the report and its CSV. */
const limits = { page: 10, filtered: 20, report: 65, csv: 140 }
const file = newFile()
const { db } = openDatabase(file)
// Only while the database is filled.
db.pragma('synchronous = OFF')
const clock = { now: () => start }
let start = 0
const events = eventsOf()
const outbox = new Outbox({
  db,
  events,
  clock,
  serviceClock: createServiceClock(),
  caseOf: () => undefined,
  log: silentLog,
})
const seen = new Memory(db)

const fill = db.transaction((day: number) => {
  start = systemClock.now() - day * 86_400_000
  for (let i = 0; i < orders; i++) {
    const n = day * orders + i
    const payload = { ...sale(n), budtenderId: `BADGE-${n % 8}` }
    for (const [k, tagId] of payload.tagIds.entries()) {
      const product = (n * 3 + k) % 60
      seen.keepTag(
        {
          tagId,
          caseId: caseOf(n),
          productId: null,
          productName: `Blue Dream ${product} 3.5 g`,
          brandName: 'Hudson',
          pictureUrl: `https://example.invalid/pictures/${product}/thumbnail.png`,
          isImported: true,
          soldOn: null,
        },
        start,
      )
    }
    outbox.enqueue(payload)
    if (n % 20 === 0) outbox.enqueue({ ...payload, kind: 'return', tagIds: payload.tagIds.slice(0, 1) })
    if (n % 50 === 1) outbox.enqueue({ ...payload, kind: 'void' })
  }
})
for (let day = days - 1; day >= 0; day--) fill(day)
db.exec(`UPDATE operation SET state = CASE WHEN seq % 200 = 7 THEN 'rejected' WHEN seq % 90 = 1 THEN 'queued' ELSE 'accepted' END, blockers = 0;
  DELETE FROM operation_wait`)
db.pragma('synchronous = FULL')

const view = (operation: Parameters<typeof viewOperation>[0]) => viewOperation(operation, outbox, clock)
const unused = () => Promise.reject(new Error('not asked here'))
const checkout = new Checkout(
  counterContext({
    ...{ db, events, outbox, clock, reporting: { view, send: view, isUnderWay: () => false } },
    lookup: {
      case: unused,
      package: unused,
      tag: unused,
      cached: (tagId) => seen.tag(tagId)?.value,
      cachedTag: (tagId) => seen.tag(tagId),
      cachedCoa: () => undefined,
      cachedPackage: (packageUid) => seen.package(packageUid),
    },
  }),
)

const date = new Date(start)
const two = (n: number) => String(n).padStart(2, '0')
const today = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const all: OrdersFilter = { days: { from: today, to: today }, state: null, budtenderId: null, text: '' }
const last = checkout.orders.page(all, null).orders.at(-1)?.seq ?? null
const cases: [string, OrdersFilter, number | null][] = [
  ['first page', all, null],
  ['second page', all, last],
  ['state', { ...all, state: 'attention' }, null],
  ['budtender', { ...all, budtenderId: 'BADGE-3' }, null],
  ['text: part of an order number', { ...all, text: '12' }, null],
  ['text: a product', { ...all, text: 'dream 17' }, null],
  ['text: a TagID', { ...all, text: String(sale(7).tagIds[1]) }, null],
  ['text: not there', { ...all, text: 'no such thing' }, null],
]
const rounds = 15
const whole: [string, () => number, number][] = [
  ...cases.map(([what, filter, before]): [string, () => number, number] => [
    what,
    () => checkout.orders.page(filter, before).total,
    filter === all ? limits.page : limits.filtered,
  ]),
  ['first page of all days', () => checkout.orders.page({ ...all, days: null }, null).total, limits.page],
  ['closing report of the day', () => checkout.dayBook.day(today).confirmed, limits.report],
  ['its CSV', () => checkout.dayBook.exportDay(today).lines.length, limits.csv],
]
const operations = z.number().parse(db.prepare('SELECT count(*) FROM operation').pluck().get())
console.log(`\n${orders} orders of three items today, ${operations} operations in all:`)
console.table(
  whole.map(([what, doing, limit]) => {
    const took: number[] = []
    let total = 0
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now()
      total = doing()
      took.push(performance.now() - begin)
    }
    return {
      what,
      total,
      first: ms(took[0] ?? 0),
      median: ms(median(took)),
      limit: `at most ${limit} ms`,
      verdict: verdict(median(took), { atMost: limit }),
    }
  }),
)
db.close()
removeFiles()
