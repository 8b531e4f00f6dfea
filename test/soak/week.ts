import type { PracticeService } from '../../src-practice/start'
import { type Calendar, dateOf } from './calendar'
import { type Complaint, type StationDay, type Taken, compareCounts, compareDay } from './compare'
import { type Crew, hourOf, linesOf } from './crew'
import type { Outages } from './outages'
import type { Screen } from './screen'
import type { CountOf } from './shelf-count'
import type { StationProcess } from './station-process'
import { type DayGoods, goodsOf } from './store'

/** Everything about one station. */
export interface Post {
  crew: Crew
  process: StationProcess
  screen: Screen
  /** Loses its power in each hour; the other station runs from the first morning to the last evening. */
  isRestarted: boolean
}

interface WeekParts {
  posts: readonly Post[]
  service: Pick<PracticeService, 'admin'>
  calendar: Calendar
  outages: Outages
  seed: number
  /** Hours of a day. */
  hours: number
  /** The stations share a store hub. */
  hasHub: boolean
}

/** The result of a day. */
export interface Day {
  date: string
  complaints: Complaint[]
  /** Sales, returns, voids that the service took. */
  transactions: number
  /** Sales, returns, voids and imports that the service took. */
  operations: number
  restarts: number
  outages: number
  /** Counts of the shelf. */
  counts: number
}

interface Week {
  /** Runs the `n`-th day, from 0: all stations in parallel, from the delivery to the closing report. */
  live(n: number): Promise<Day>
}

export function createWeek({ posts, service, calendar, outages, seed, hours, hasHub }: WeekParts): Week {
  let importsBefore = new Set(service.admin.imports().map((one) => one.case_uuid))
  let heldBefore = service.admin.transactions().length

  const work = async (post: Post, n: number, station: number): Promise<StationDay> => {
    const goods = goodsOf(n, station, hours)
    await post.process.newDay(calendar.ahead(), goods.catalogue)
    await post.screen.setAhead(calendar.ahead())
    await post.crew.receive(goods)
    const done: Taken[] = []
    // With a hub, a count that another station has under way is refused: the stations take turns.
    const doesCount = !hasHub || n % posts.length === station
    const countedHour = doesCount ? Math.min(1, hours - 1) : undefined
    for (const [hour, those] of goods.hours.entries()) {
      const firstOrder = firstOrderOf(n, station, hour)
      const steps = hourOf(seed + firstOrder, those, { firstOrder, isRestarted: post.isRestarted })
      done.push(
        ...(await post.crew.workHour(steps, those.uncased, hour === countedHour ? countOf(n, those) : undefined)),
      )
    }
    return post.crew.close(calendar.today(), done)
  }
  /** Any station closes the day for all; here the first. */
  const closeStore = async (stations: StationDay[]): Promise<StationDay | undefined> => {
    const [first] = posts
    if (!hasHub || !first) return undefined
    const { report, file } = await first.process.closeStore(calendar.today())
    return { name: 'the store', done: stations.flatMap(({ done }) => done), report, filed: linesOf(file) }
  }
  const restarts = () => posts.reduce((sum, { crew }) => sum + crew.restarts(), 0)

  return {
    async live(n) {
      const before = { restarts: restarts(), outages: outages.count() }
      calendar.nextMorning()
      const date = calendar.today()
      const stations = await Promise.all(posts.map((post, station) => work(post, n, station)))

      const held = service.admin.transactions().map((one) => ({
        kind: one.kind,
        orderId: one.order_id,
        items: one.items,
        performedAt: one.performed_at,
      }))
      const today = held.filter(({ performedAt }) => dateOf(performedAt) === date)
      const complaints = compareDay(stations, today, await closeStore(stations))
      const counts = posts.flatMap(({ crew }) => crew.counts())
      complaints.push(...compareCounts(counts))
      // A report can't hide on another day: everything since the last evening must be from today.
      const elsewhere = held.length - today.length - heldBefore
      if (elsewhere !== 0) complaints.push({ kind: 'strange', text: `${elsewhere} reports of other days came today` })
      heldBefore = held.length
      const imports = new Set(service.admin.imports().map((one) => one.case_uuid))
      const came = posts.flatMap((_post, station) => casesOf(goodsOf(n, station, hours)))
      for (const uuid of came) if (!imports.has(uuid)) complaints.push({ kind: 'lost', text: `import of case ${uuid}` })
      const imported = imports.size - importsBefore.size
      if (imported > came.length) {
        complaints.push({ kind: 'strange', text: `${imported} cases imported; ${came.length} came` })
      }
      importsBefore = imports
      return {
        date,
        complaints,
        transactions: today.length,
        operations: today.length + imported,
        restarts: restarts() - before.restarts,
        outages: outages.count() - before.outages,
        counts: counts.length,
      }
    },
  }
}

/** One day a product that is being sold, the next day what the station picks. */
const countOf = (day: number, { cases: [one] }: DayGoods['hours'][number]): CountOf =>
  day % 2 === 0 && one ? { productName: one.productName } : { sample: 3 }

/** No two hours of any day and station share a number. */
const firstOrderOf = (day: number, station: number, hour: number) =>
  (100 + day) * 10_000 + station * 5_000 + hour * 200 + 1

const casesOf = ({ hours }: DayGoods) =>
  hours.flatMap(({ cases, uncased }) => [...cases, uncased].map(({ uuid }) => uuid))
