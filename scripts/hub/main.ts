import '../require-node.mjs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { packagePlaces, programsIn } from '../../src-main/hub/hosting/programs'
import { CannotHost, hostHub } from './host'

/** `npm run hub -- --data DIR [--port N] [--postgres DIR]`: a store hub for a developer or a trial, on this computer. */

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        port: { type: 'string', default: '5433' },
        postgres: { type: 'string' },
      },
    })
    return values
  } catch (cause) {
    throw new CannotHost(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

async function run(): Promise<void> {
  const { data, port, postgres } = readFlags()
  if (data === undefined) throw new CannotHost('Name the folder for the data: --data DIR.')
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new CannotHost(`--port must be a number from 1 to 65535, not "${port}".`)
  const programs = postgres === undefined ? embedded() : programsIn(resolve(postgres))
  if (!programs) throw new CannotHost(`There is no PostgreSQL in ${postgres}: the folder needs postgres and initdb.`)
  const hub = await hostHub({ programs, folder: resolve(data), port: Number(port) })
  console.log(`Hub: ${hub.url}`)
  const stopped = new Promise<'asked'>((stopping) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        stopping('asked')
        void hub.stop()
      })
    }
  })
  const how = await Promise.race([stopped, hub.ended])
  if (how !== 'asked') throw new CannotHost(`PostgreSQL ended by itself (${how}).`)
  await hub.ended
}

function embedded() {
  const [found] = packagePlaces().flatMap((folder) => programsIn(folder) ?? [])
  if (found) return found
  throw new CannotHost('There is no PostgreSQL for this computer. Name the folder of an installed one: --postgres DIR.')
}

run().catch((cause: unknown) => {
  console.error(cause instanceof CannotHost ? cause.message : cause)
  process.exitCode = 1
})
