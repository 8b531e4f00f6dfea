import '../scripts/require-node.mjs'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { CannotStart } from './listener'
import { type DataFile, parseDataFile } from './data-file'
import { startPracticeService } from './start'

/** `npm run practice -- [--port N] [--admin-port N] [--data FILE.json] [--pictures DIR] [--db FILE|:memory:]` */

const sample = join(import.meta.dirname, '..', 'resources', 'practice', 'store.json')

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        'admin-port': { type: 'string', default: '0' },
        data: { type: 'string', default: sample },
        pictures: { type: 'string' },
        db: { type: 'string', default: ':memory:' },
      },
    })
    return values
  } catch (cause) {
    throw new CannotStart(cause instanceof Error ? firstSentence(cause.message) : String(cause), { cause })
  }
}

const firstSentence = (text: string) => `${text.split('. ')[0]?.replace(/\.$/, '') ?? text}.`

function readPort(flag: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new CannotStart(`${flag} must be a number from 0 to 65535, not "${text}".`)
}

function readData(file: string): DataFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(`The data file ${file} cannot be read: ${reason}.`, { cause })
  }
  const data = parseDataFile(text)
  if (!data.ok) throw new CannotStart(`The data file ${file} is wrong: ${data.error}.`)
  return data.value
}

async function run(): Promise<void> {
  const flags = readFlags()
  const beside = join(dirname(flags.data), 'pictures')
  const service = await startPracticeService({
    port: readPort('--port', flags.port),
    adminPort: readPort('--admin-port', flags['admin-port']),
    data: () => readData(flags.data),
    db: flags.db,
    picturesDir: flags.pictures ?? (existsSync(beside) ? beside : undefined),
  })
  const { baseUrl, authUrl, adminUrl } = service
  console.log(`Practice service: ${JSON.stringify({ baseUrl, authUrl, adminUrl })}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      // Nothing else keeps the process alive: it ends by itself, with exit code 0.
      void service.close()
    })
  }
}

run().catch((cause: unknown) => {
  console.error(cause instanceof CannotStart ? cause.message : cause)
  process.exitCode = 1
})
