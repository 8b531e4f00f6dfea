import '../scripts/require-node.mjs'
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

/**
 * `npm run bench [-- --write]`: every bench, one after the other on a machine that does nothing else, a quarter of an
 * hour; `--write` makes BENCHMARKS.md of what they print. One that fails fails the run, and nothing is written.
 */
const benches = [
  [
    'scan',
    'From a scanner’s report to the row on the screen, beside an empty IPC round trip with a bare DOM append in the same page; a flood of scans from two devices; `classify` on long and hostile texts, beside a parser of GS1.',
  ],
  [
    'wedge',
    'Who finds the scans of a scanner that types and who takes typing for one: ours beside two libraries, on the same generated key traces.',
  ],
  [
    'delivery',
    'A delivery of 500 cases of 100 items in the built renderer: read, scrolled through, imported, counted, finished. Imports beside the same requests with nothing around them.',
  ],
  [
    'sale',
    'From the last scan to “reported” or “saved”, beside the bare request and the bare commit; how many actions a sale takes.',
  ],
  ['orders', 'Ten thousand orders of a day: the list, each filter, the closing report, against their limits.'],
  ['count', 'A scan of a count of the shelf with 50,000 items expected beside one with 100; the end of such a count.'],
  [
    'outbox',
    'Saving a sale for good beside bare SQLite and two job queues; sending, claiming and starting with a long queue, beside their limits.',
  ],
  [
    'store',
    'A claim at the store hub beside the bare `INSERT … ON CONFLICT`; a scan with a hub that is 1 ms away beside one alone; twenty stations that scan twice a second, and what PostgreSQL needs for them.',
  ],
  ['practice', 'The practice service beside an empty Hono route on the same adapter.'],
  [
    'start',
    'From the start of the process to a page that can be scanned into, and the memory of main, beside an empty page and bare Node with better-sqlite3.',
  ],
] as const

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')

/** A bench's output, shown as it arrives. */
function run(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', join('bench', `${name}.ts`)], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      process.stdout.write(text)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(said)
      else reject(new Error(`bench:${name} ended with code ${code}`))
    })
  })
}

const sections: string[] = []
for (const [name, what] of benches) {
  console.log(`\n=== bench:${name}`)
  const said = await run(name)
  sections.push(`## ${name}\n\n${what}\n\n\`npm run bench:${name}\`\n\n\`\`\`text\n${said.trim()}\n\`\`\`\n`)
}

if (values.write) {
  const [cpu] = cpus()
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const machine = `${cpus().length} x ${cpu?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform}, Node ${process.version}`
  const head = `# Benchmarks

Every table comes from one run of \`npm run bench -- --write\` on one machine that did nothing else, on ${new Date().toISOString().slice(0, 10)}, of the code at
\`${commit}\`: ${machine}. Times of another machine differ; what is meant to hold is the ratio to the peer or limit that stands beside
it, measured in the same run. No test asserts a time.
`
  writeFileSync(join(root, 'BENCHMARKS.md'), [head, ...sections].join('\n'))
}
