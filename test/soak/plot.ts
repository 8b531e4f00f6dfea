/** The soak as a picture: small charts below each other with the same time axis. Written by hand, pure. */

export interface Point {
  /** Minutes since the first morning. */
  at: number
  value: number
}

export interface Chart {
  title: string
  unit: string
  /** One for each station, in the order of `names`. */
  series: Point[][]
  /** Drawn as dots, for each station: the emphasized values. */
  dots?: Point[][]
}

export interface Plot {
  title: string
  /** The text below the title. */
  facts: string
  names: string[]
  charts: Chart[]
  /** The end of each day, in minutes. */
  evenings: number[]
}

const width = 860
const left = 64
const right = 20
const top = 92
const chartHeight = 120
const gap = 44
const inner = width - left - right

/** Round numbers from 0 to at least `most`, about four of them: 1, 2, 2.5 or 5 times a power of ten apart. */
export function ticks(most: number): number[] {
  if (most <= 0) return [0, 1]
  const wanted = most / 4
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((one) => one >= wanted * 0.999) ?? 10 * power
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: Math.max(count, 1) + 1 }, (_, n) => Number((n * step).toPrecision(6)))
}

/** Maps `[0, most]` to `[from, to]`. */
export const scale = (most: number, from: number, to: number) => (value: number) =>
  from + (most === 0 ? 0 : value / most) * (to - from)

export function drawPlot({ title, facts, names, charts, evenings }: Plot): string {
  const minutes = Math.max(1, ...evenings, ...charts.flatMap(({ series }) => series.flat().map(({ at }) => at)))
  const x = scale(minutes, left, left + inner)
  const height = top + charts.length * (chartHeight + gap) + 16
  const parts = [
    `<text class="title" x="${left}" y="28">${escape(title)}</text>`,
    `<text class="soft" x="${left}" y="46">${escape(facts)}</text>`,
    ...names.map(
      (name, n) =>
        `<path class="line s${n + 1}" d="M${left + n * 330} 62h22"/><text x="${left + n * 330 + 28}" y="66">${escape(name)}</text>`,
    ),
    ...charts.map((chart, n) => drawChart(chart, { x, minutes, evenings, y: top + n * (chartHeight + gap) })),
    `<text class="soft" x="${width - right}" y="${height - 14}" text-anchor="end">minutes; dashed: a day is closed</text>`,
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escape(title)}</title>
<style>${style}</style>
<rect class="ground" width="100%" height="100%"/>
${parts.join('\n')}
</svg>
`
}

interface Frame {
  x: (minute: number) => number
  minutes: number
  evenings: number[]
  /** The chart's upper edge. */
  y: number
}

function drawChart({ title, unit, series, dots = [] }: Chart, { x, minutes, evenings, y: upper }: Frame): string {
  const marks = ticks(Math.max(0, ...[...series, ...dots].flat().map(({ value }) => value)))
  const lower = upper + chartHeight
  const y = scale(marks.at(-1) ?? 1, lower, upper + 14)
  const grid = marks.flatMap((mark) => [
    `<path class="grid" d="M${left} ${round(y(mark))}h${inner}"/>`,
    `<text class="soft" x="${left - 8}" y="${round(y(mark) + 4)}" text-anchor="end">${mark}</text>`,
  ])
  const days = evenings.map((at) => `<path class="evening" d="M${round(x(at))} ${upper + 14}V${lower}"/>`)
  const below = ticks(minutes)
    .filter((minute) => minute <= minutes)
    .map(
      (minute) => `<text class="soft" x="${round(x(minute))}" y="${lower + 16}" text-anchor="middle">${minute}</text>`,
    )
  const circles = dots.flatMap((points, n) =>
    points.map(
      ({ at, value }) => `<circle class="dot s${n + 1}" cx="${round(x(at))}" cy="${round(y(value))}" r="3.5"/>`,
    ),
  )
  const lines = series.map((points, n) => `<path class="line s${n + 1}" d="${pathOf(points, x, y)}"/>`)
  return `<g>
<text class="head" x="${left}" y="${upper + 4}">${escape(title)}, ${escape(unit)}</text>
${[...grid, ...days, ...lines, ...circles, ...below].join('\n')}
</g>`
}

/** The points as an SVG path; empty if there are none. */
export function pathOf(points: readonly Point[], x: (at: number) => number, y: (value: number) => number): string {
  return points.map(({ at, value }, n) => `${n === 0 ? 'M' : 'L'}${round(x(at))} ${round(y(value))}`).join('')
}

const round = (value: number) => Math.round(value * 10) / 10
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const style = `
svg { font: 12px system-ui, sans-serif; color-scheme: light dark; }
text { fill: #1d2521; }
.ground { fill: #fff; }
.title { font-size: 17px; font-weight: 700; }
.head { font-weight: 600; }
.soft { fill: #5b6660; }
.grid { stroke: #e3e7e4; }
.evening { stroke: #a9b3ad; stroke-dasharray: 3 4; }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.dot { stroke-width: 2; fill: #fff; }
.s1 { stroke: #0b6e4f; }
.s2 { stroke: #b4530a; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8eeea; }
  .ground { fill: #151a17; }
  .soft { fill: #9fada5; }
  .grid { stroke: #2a322d; }
  .evening { stroke: #58645d; }
  .dot { fill: #151a17; }
  .s1 { stroke: #4fc79a; }
  .s2 { stroke: #f0a05a; }
}
`
