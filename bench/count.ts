import '../scripts/require-node.mjs'
import { CaseId, type CountId, PackageUid, ShortUuid, TagId, toShortUuid } from '../src-shared/ids'
import type { AppError } from '../src-shared/errors'
import type { Result } from '../src-shared/result'
import type { CaseFacts } from '../src-shared/service/facts'
import { createServiceClock, systemClock } from '../src-main/core/clock'
import { silentLog } from '../src-main/core/log'
import { Memory } from '../src-main/memory/store'
import { Outbox } from '../src-main/outbox/outbox'
import { ShelfCounts } from '../src-main/counting/shelf/counts'
import { Ledger } from '../src-main/stock/ledger'
import { median, ms, percentile, times, verdict } from './figures'
import { fill, newFile, openDatabase, removeFiles } from './outbox/desk'
import { watched } from './growth/station'
import { eventsOf } from '../test/fakes/events'

/**
 * `npm run bench:count`: a scan of a count with 50,000 items expected beside one with 100, by turns, and what the end of such a
 * count takes. Takes some seconds.
 */

const perCase = 100
const scans = 400
/** A scan of the large count, in times of one of the small. */
const mostTimes = 1.5
/** In ms: the end of the large count; the longest standstill in it, and in taking in 500 imports. */
const limits = { finish: 1_500, standstill: 50, learning: 150 }

const short = (n: number) => toShortUuid(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`) ?? ''
const caseOf = (n: number) => CaseId.parse(short(n))
const tagOf = (n: number, k: number) => TagId.parse(short(1_000_000 + n * perCase + k))
const value = <T>(result: Result<T, AppError>): T => {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

const caseFacts = (n: number): CaseFacts => {
  const productId = ShortUuid.parse(short(500_000 + (n % 60)))
  const packagedProductId = ShortUuid.parse(short(600_000 + n))
  const tags = Array.from({ length: perCase }, (_, k) => tagOf(n, k))
  const names = { productName: `Blue Dream ${n % 60} 3.5 g`, brandName: 'Hudson', pictureUrl: null }
  return {
    caseId: caseOf(n),
    identifier: `CASE-${n}`,
    name: null,
    requiredCount: perCase,
    packagedProducts: [
      {
        ...{ packagedProductId, productId, ...names, sku: null, batchName: null, packagedOn: null, useBy: null },
        ...{ tagIds: tags, coa: { verdict: 'passed', expiresOn: null }, isImported: true },
      },
    ],
    tags: tags.map((tagId) => ({
      ...{ tagId, caseId: caseOf(n), productId, packagedProductId, ...names },
      ...{ isImported: true, soldOn: null, packageUids: [] },
    })),
    packageUids: [],
  }
}

/** A station that has imported so many cases, and a count of all of it. */
async function openShelf(cases: number) {
  const { db, close } = openDatabase(newFile())
  const seen = new Memory(db)
  const events = eventsOf()
  const outbox = new Outbox({
    db,
    events: eventsOf(),
    clock: systemClock,
    serviceClock: createServiceClock(),
    caseOf: (tagId) => seen.caseOf(tagId),
    log: silentLog,
  })
  const receive = (n: number) => {
    seen.keepCase(caseFacts(n), systemClock.now())
    value(
      outbox.enqueue({
        kind: 'import',
        ...{ caseId: caseOf(n), packagedProductId: ShortUuid.parse(short(600_000 + n)) },
        packageUid: PackageUid.parse('1A4060300020081000000001'),
        ...{ posProductId: 'P', posInventoryId: 'I', productName: null, itemCount: perCase },
      }),
    )
  }
  const { ledger, learning } = await fill(db, async () => {
    for (let n = 0; n < cases; n++) receive(n)
    const filled = new Ledger({ db, events, seen, ownDispensaryId: null, log: silentLog })
    return { ledger: filled, learning: await watched(() => filled.catchUp()) }
  })
  const counts = new ShelfCounts({
    ...{ db, events, clock: systemClock, log: silentLog, ledger, seen },
    ...{ identify: () => undefined, atStep: () => undefined, stationName: () => undefined },
  })
  const { id } = value(await counts.start({ kind: 'all' }))
  const took: number[] = []
  return { cases, counts, id, learning, close, took }
}

const scanOne = (shelf: Awaited<ReturnType<typeof openShelf>>, countId: CountId, at: number) => {
  const tagId = tagOf((at * 7_919) % shelf.cases, shelf.cases === 1 ? at % perCase : Math.floor(at / shelf.cases))
  const begin = performance.now()
  value(shelf.counts.scans.scan(countId, tagId))
  shelf.took.push(performance.now() - begin)
}

const small = await openShelf(1)
const large = await openShelf(500)
// Warm-up, and then by turns: what else the machine does is the same for both.
for (let at = 0; at < scans; at++) {
  if (at === perCase / 2) for (const shelf of [small, large]) shelf.took.length = 0
  // The small count has a hundred items: each is taken back before it is scanned again.
  if (at >= perCase) value(small.counts.scans.unscan(small.id, tagOf(0, at % perCase)))
  scanOne(small, small.id, at)
  scanOne(large, large.id, at)
}
const ending = await watched(async () => value(await large.counts.end.finish(large.id)))
const looking = await watched(() => large.counts.end.lookAgain())
const explaining = await watched(async () =>
  value(await large.counts.finished.explain(large.id, { filter: {} }, 'label', null)),
)
const rss = process.memoryUsage().rss
const ratio = median(large.took) / median(small.took)

console.log(`\nA scan of a count, saved and answered, ${scans} of each by turns:`)
console.table({
  '100 items expected': { p50: ms(median(small.took)), p99: ms(percentile(small.took, 99)) },
  '50,000 items expected': { p50: ms(median(large.took)), p99: ms(percentile(large.took, 99)) },
})
console.table([
  {
    what: 'scan of 50,000 beside one of 100, p50',
    value: times(ratio),
    limit: `at most ${times(mostTimes)}`,
    verdict: verdict(ratio, { atMost: mostTimes }),
  },
  {
    what: 'end of the count: 49,600 missing',
    value: ms(ending.took),
    limit: `at most ${ms(limits.finish)}`,
    verdict: verdict(ending.took, { atMost: limits.finish }),
  },
  ...[
    { what: 'end of the count', longest: ending.longest, limit: limits.standstill },
    { what: 'its differences looked at again', longest: looking.longest, limit: limits.standstill },
    { what: 'a reason for all of them', longest: explaining.longest, limit: limits.standstill },
    { what: '500 imports with 50,000 items taken in', longest: large.learning.longest, limit: limits.learning },
  ].map(({ what, longest, limit }) => ({
    what: `${what}: longest standstill`,
    value: ms(longest),
    limit: `at most ${ms(limit)}`,
    verdict: verdict(longest, { atMost: limit }),
  })),
])
console.log(
  `Taking in all of it took ${ms(large.learning.took)}, looking again ${ms(looking.took)}, the reason ${ms(explaining.took)}. Memory of both stations together: ${Math.round(rss / 1024 ** 2)} MiB.`,
)
small.close()
large.close()
removeFiles()
