import '../scripts/require-node.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median, ms, times, verdict } from './figures'
import { createGrowthStation, watched } from './growth/station'
import { removeFiles } from './outbox/desk'

/**
 * `npm run bench:growth [-- --operations N] [-- --folder F]`: a station after two years of sales beside one after its first
 * day, which was as busy. Filling it takes two minutes and 3 GB, so it isn't part of `npm run bench`; in a folder that is
 * named, what is filled stays for the next run.
 */
const { values } = parseArgs({
  options: { operations: { type: 'string', default: '1000000' }, folder: { type: 'string' } },
})
const days = 730
const perDay = Math.round(Number(values.operations) / days)
const limit = 1.3
const rounds = 60
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'bench-growth-'))

interface Row {
  what: string
  first: number[]
  grown: number[]
  /** Why it grows, if it may. */
  because?: string
}
const rows: Row[] = []
const begin = performance.now()
const first = createGrowthStation(folder, { days: 1, perDay })
const grown = createGrowthStation(folder, { days, perDay })
const filled = performance.now() - begin
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
console.log(`
A station with ${days * perDay} operations and ${days * perDay * 3} items of ${days} days (${megabytes(grown.bytes)}, filled in ${Math.round(filled / 1000)} s)
beside one with its first ${perDay} of today (${megabytes(first.bytes)}):`)

/** Measures something on both by turns. The first time counts too: a till is asked once, not warmed up. */
async function byTurns(
  what: string,
  count: number,
  one: (n: number) => Promise<void> | void,
  other: (n: number) => Promise<void> | void,
) {
  const row: Row = { what, first: [], grown: [] }
  for (let n = 0; n < count; n++) {
    for (const [doing, took] of [
      [one, row.first],
      [other, row.grown],
    ] as const) {
      const start = performance.now()
      await doing(n)
      took.push(performance.now() - start)
    }
  }
  rows.push(row)
}

async function starts() {
  const row: Row = { what: 'start, until it is ready', first: [], grown: [] }
  // Not counted: the first start of this process also compiles the program.
  await first.start()
  for (let n = 0; n < 4; n++) {
    row.first.push(await first.start())
    row.grown.push(await grown.start())
  }
  rows.push(row)
}

async function apps() {
  const [one, other] = [await first.openApp(), await grown.openApp()]
  type Doing = keyof typeof one.doing
  const both = (what: string, doing: Doing, count = rounds) =>
    byTurns(
      what,
      count,
      async (n) => void (await one.doing[doing](n)),
      async (n) => void (await other.doing[doing](n)),
    )
  await both('page of the orders of a day', 'ordersOfDay')
  await both('page of all orders', 'ordersOfAllDays')
  await both('the order of an item', 'orderOfItem')
  await both('closing report of the day', 'closeDay')
  await both('find by TagID', 'findTag')
  await both('find by the label of a case', 'findText')
  await one.setFault('offline')
  await other.setFault('offline')
  await both('scan of a remembered item, offline', 'scan', 45)
  await one.emptyCart()
  await other.emptyCart()
  const copies = [await watched(() => one.doing.backUp()), await watched(() => other.doing.backUp())] as const
  const [small, large] = copies
  rows.push({
    what: 'backup, by megabyte',
    first: [small.took / (first.bytes / 1e6)],
    grown: [large.took / (grown.bytes / 1e6)],
    because: 'it copies every byte',
  })
  rows.push({ what: 'longest wait of the loop in it', first: [small.longest], grown: [large.longest] })
  await one.close()
  await other.close()
}

async function parts() {
  const [one, other] = [first.openParts(), grown.openParts()]
  await byTurns(
    'saving and settling a sale',
    rounds,
    (n) => {
      one.sell(n)
    },
    (n) => {
      other.sell(n)
    },
  )
  const kept = [await watched(one.retain), await watched(other.retain)] as const
  one.close()
  other.close()
  return kept
}

await starts()
await apps()
const [keptFirst, keptGrown] = await parts()
console.table(
  rows.map(({ what, first: small, grown: large, because }) => {
    const ratio = median(large) / median(small)
    return {
      what,
      'first day': ms(median(small)),
      grown: ms(median(large)),
      'longest, grown': ms(Math.max(...large)),
      ratio: times(ratio),
      limit: because ?? `at most ${times(limit)}`,
      verdict: because === undefined ? verdict(ratio, { atMost: limit }) : '',
    }
  }),
)
console.table([
  {
    what: `retention, in the background (${ms(keptGrown.took)} in all; first day ${ms(keptFirst.took)}): longest wait of the loop`,
    measured: ms(keptGrown.longest),
    limit: 'at most 30 ms',
    verdict: verdict(keptGrown.longest, { atMost: 30 }),
  },
])
removeFiles()
if (values.folder === undefined) rmSync(folder, { recursive: true })
