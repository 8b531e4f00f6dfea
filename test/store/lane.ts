import pg from 'pg'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import { type TestServer, startTestServer } from '../hub/server'
import { type StationProcess, startProcess } from './process'

/** What runs one after the other share: a PostgreSQL, and processes that were not killed. */
export interface Lane {
  server: TestServer
  process(): StationProcess
  /** For the next run. */
  putBack(process: StationProcess): void
  /** Removes a run's database. */
  drop(address: HubAddress): Promise<void>
  endProcesses(): Promise<void>
  /** Ends the processes and the server. */
  close(): Promise<void>
}

export async function openLane(bundle: { file: string; cache: string }): Promise<Lane> {
  return laneOn(await startTestServer({ isDurable: true }), bundle)
}

/** The same on a server that runs already. */
export function laneOn(server: TestServer, bundle: { file: string; cache: string }): Lane {
  const idle: StationProcess[] = []
  const endProcesses = async () => {
    await Promise.all(idle.splice(0).map((process) => process.kill()))
  }
  return {
    server,
    process: () => idle.pop() ?? startProcess(bundle),
    putBack(process) {
      if (process.isAlive()) idle.push(process)
    },
    async drop({ certificate: _, ...address }) {
      const client = new pg.Client({ ...address, database: 'postgres' })
      await client.connect()
      await client.query(`DROP DATABASE ${address.database} WITH (FORCE)`)
      await client.end()
    },
    endProcesses,
    async close() {
      await endProcesses()
      await server.close()
    },
  }
}
