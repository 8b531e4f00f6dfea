import { type FleetResult, scenarios } from './scenarios'

/** The fleet as a picture: for each scenario the requests a second with their limit, and the stations that still wait. */

const width = 860
const left = 70
const right = 24
const top = 92
const chartHeight = 150
const gap = 64
const inner = width - left - right
const minute = 60
/** A point of the line is the busiest of so many seconds. */
const seconds = 5

export function drawFleet(results: readonly FleetResult[]): string {
  const stations = results[0]?.stations ?? 0
  const longest = Math.max(...results.map(({ perSecond }) => perSecond.length))
  const minutes = Math.ceil(longest / minute)
  const height = top + results.length * (chartHeight + gap)
  const title = `${number(stations)} stations find the service again after an hour`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${title}</title>
<style>${style}</style>
<rect class="ground" width="100%" height="100%"/>
<text class="title" x="24" y="28">${title}</text>
<text class="soft" x="24" y="46">Each has a day’s sales to report. Simulated with the app’s own sender; written by npm run bench:fleet -- --write</text>
<path class="requests" d="M24 62h22"/><text x="52" y="66">requests a second (busiest second of ${seconds})</text>
<path class="limit" d="M330 62h22"/><text x="358" y="66">their limit</text>
<path class="waiting" d="M460 62h22"/><text x="488" y="66">stations with unsent sales (full height: all)</text>
${results.map((result, n) => drawScenario(result, top + n * (chartHeight + gap), minutes)).join('\n')}
</svg>
`
}

function drawScenario({ name, stations, perSecond, waiting, limit }: FleetResult, upper: number, minutes: number) {
  const floor = upper + 16 + chartHeight
  const most = limit * 1.1
  const x = (second: number) => left + (second / (minutes * minute)) * inner
  const y = (value: number) => floor - (value / most) * chartHeight
  const starts = Array.from({ length: Math.ceil(perSecond.length / seconds) }, (_, n) => n * seconds)
  const requests = starts.map((at) => `${round(x(at))} ${round(y(Math.max(...perSecond.slice(at, at + seconds))))}`)
  const still = starts.map((at) => `${round(x(at))} ${round(floor - ((waiting[at] ?? 0) / stations) * chartHeight)}`)
  const end = `${round(x(perSecond.length))} ${floor}`
  const marks = [0, limit / 2, limit].flatMap((value) => [
    `<path class="grid" d="M${left} ${round(y(value))}h${inner}"/>`,
    `<text class="soft" x="${left - 8}" y="${round(y(value) + 4)}" text-anchor="end">${number(value)}</text>`,
  ])
  const times = Array.from({ length: Math.floor(minutes / 2) + 1 }, (_, n) => 2 * n)
  const below = times.map(
    (at) =>
      `<text class="soft" x="${round(x(at * minute))}" y="${floor + 16}" text-anchor="middle">${at === 0 ? 'service back' : `${at} min`}</text>`,
  )
  return `<g>
<text class="head" x="24" y="${upper}">${scenarios[name].what}</text>
${[...marks, ...below].join('\n')}
<path class="waiting" d="M${still.join('L')}L${end}"/>
<path class="requests" d="M${requests.join('L')}"/>
<path class="limit" d="M${left} ${round(y(limit))}h${inner}"/>
</g>`
}

const round = (value: number) => Math.round(value * 10) / 10
const number = (value: number) => Math.round(value).toLocaleString('en-US')

const style = `
svg { font: 12px system-ui, sans-serif; color-scheme: light dark; }
text { fill: #1d2521; }
.ground { fill: #fff; }
.title { font-size: 17px; font-weight: 700; }
.head { font-weight: 600; }
.soft { fill: #5b6660; }
.grid { stroke: #e3e7e4; }
.requests, .waiting, .limit { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.requests { stroke: #0b6e4f; }
.waiting { stroke: #b4530a; }
.limit { stroke: #a32020; stroke-dasharray: 6 4; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8eeea; }
  .ground { fill: #151a17; }
  .soft { fill: #9fada5; }
  .grid { stroke: #2a322d; }
  .requests { stroke: #4fc79a; }
  .waiting { stroke: #f0a05a; }
  .limit { stroke: #ff8a80; }
}
`
