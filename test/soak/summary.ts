import { growthPerDay } from './growth'
import type { Chart, Plot } from './plot'
import { type Sample, pointsOf } from './watch'
import type { Day } from './week'

/** The soak's closing text. Pure. */

export interface Evening {
  day: Day
  /** Minutes since the first morning. */
  at: number
  /** One for each station: its last sample, and main's worst delays of the day. */
  stations: { tidied: Sample; delays: { p99: number; max: number } }[]
}

const toMb = (bytes: number) => bytes / 1_048_576

/** How to read each figure, in MB. */
const figures: Record<string, (sample: Sample) => number> = {
  'main rss': ({ rss }) => toMb(rss),
  'main heap': ({ heap }) => toMb(heap),
  'renderer heap': ({ renderer }) => toMb(renderer),
  database: ({ database }) => toMb(database),
}

/** A row for each day and station: for console.table. */
export function dayRows(evenings: readonly Evening[], names: readonly string[]): Record<string, string | number>[] {
  return evenings.flatMap(({ day, stations }) =>
    stations.map(({ tidied, delays }, n) => ({
      day: day.date,
      station: names[n] ?? '',
      operations: n === 0 ? day.operations : '',
      transactions: n === 0 ? day.transactions : '',
      restarts: n === 0 ? day.restarts : '',
      outages: n === 0 ? day.outages : '',
      ...Object.fromEntries(
        Object.entries(figures).map(([name, value]) => [`${name}, MB`, value(tidied).toFixed(1)] as const),
      ),
      'delay p99, ms': delays.p99.toFixed(1),
      'max, ms': delays.max.toFixed(0),
    })),
  )
}

/** MB per day, from the evening samples after a garbage collection. */
export function growthRows(evenings: readonly Evening[], names: readonly string[]): Record<string, string>[] {
  return names.map((station, n) => ({
    station,
    ...Object.fromEntries(
      Object.entries(figures).map(([name, value]) => {
        const grown = growthPerDay(
          evenings.flatMap(({ stations }) => stations.slice(n, n + 1)).map((one) => value(one.tidied)),
        )
        return [`${name}, MB a day`, grown === null ? '-' : grown.toFixed(2)] as const
      }),
    ),
  }))
}

const sum = (evenings: readonly Evening[], of: (day: Day) => number) =>
  evenings.reduce((total, { day }) => total + of(day), 0)

export function closingLine(evenings: readonly Evening[], names: readonly string[], seed: number): string {
  const complaints = evenings.flatMap(({ day }) => day.complaints)
  const count = (kind: string) => complaints.filter((one) => one.kind === kind).length
  const reports =
    complaints.length === 0 ? "every closing report equals the service's list" : `${complaints.length} complaints`
  return [
    `soak: ${evenings.length} days, ${names.length} stations, ${sum(evenings, (day) => day.operations)} operations, ` +
      `${sum(evenings, (day) => day.transactions)} transactions at the service, ` +
      `${sum(evenings, (day) => day.restarts)} restarts, ${sum(evenings, (day) => day.outages)} outages`,
    reports,
    `${count('lost')} lost, ${count('doubled')} doubled`,
    `${sum(evenings, (day) => day.counts)} shelf counts: ${count('falsely missing')} falsely missing, ${count('falsely unexpected')} falsely unexpected`,
    `seed ${seed}`,
  ].join('; ')
}

export function plotOf(evenings: readonly Evening[], samples: readonly Sample[][], names: string[]): Plot {
  const chart = (title: string, unit: string, value: (sample: Sample) => number): Chart => ({
    title,
    unit,
    series: samples.map((those) => pointsOf(those, value)),
  })
  const tidied = (value: (sample: Sample) => number) =>
    samples.map((those) =>
      pointsOf(
        those.filter(({ isTidied }) => isTidied),
        value,
      ),
    )
  const steady = samples.map((those) => those.filter(({ isTidied }) => !isTidied))
  const minutes = evenings.at(-1)?.at ?? 0
  return {
    title: `A soak: ${names.length} stations, ${evenings.length} days in ${minutes.toFixed(0)} minutes`,
    facts:
      `${sum(evenings, (day) => day.operations)} operations, ${sum(evenings, (day) => day.restarts)} restarts, ` +
      `${sum(evenings, (day) => day.outages)} outages; written by npm run soak`,
    names,
    charts: [
      chart('Memory of the main process (resident)', 'MB', ({ rss }) => toMb(rss)),
      {
        ...chart('JavaScript heap of the renderer (dots: its garbage collected)', 'MB', ({ renderer }) =>
          toMb(renderer),
        ),
        dots: tidied(({ renderer }) => toMb(renderer)),
      },
      chart('Database with its log', 'MB', ({ database }) => toMb(database)),
      {
        title: 'Event loop delay of main, p99 of each ten seconds',
        unit: 'ms',
        series: steady.map((those) => pointsOf(those, ({ delayP99 }) => delayP99)),
      },
    ],
    evenings: evenings.map(({ at }) => at),
  }
}
