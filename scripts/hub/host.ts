import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import {
  CannotStart,
  type HostedPasswords,
  drawPasswords,
  hostedDatabase,
  hostedUser,
  loopback,
  startHosted,
} from '../../src-main/hub/hosting/hosted-server'
import type { Binaries } from '../../src-main/hub/runnable-programs'
import type { Server } from '../../src-main/hub/server'
import { parseStored } from '../../src-main/database/settings'

/** Why the hub can't be kept, in a sentence for the person who started it. */
export class CannotHost extends Error {}

export interface HostParts {
  programs: Binaries
  /** The folder of the data and the passwords; made if it is missing. */
  folder: string
  port: number
}

/** A hub that this computer keeps. */
export interface HostedHub {
  /** The address with the user and the password that stations join with. */
  url: string
  /** Resolves when PostgreSQL has ended, with its exit code or signal. */
  ended: Promise<string>
  /** Ends it as a person does: connections are closed, everything is on the disk. */
  stop(): Promise<void>
}

const Passwords = z.object({ owner: z.string().min(20), station: z.string().min(20) })

/**
 * Keeps a hub in a folder: a PostgreSQL on this computer's loopback, with a database whose role owns nothing else. Rejects
 * with CannotHost.
 */
export async function hostHub({ programs, folder, port }: HostParts): Promise<HostedHub> {
  const passwords = passwordsIn(folder)
  const server = await startHosted({ programs, folder, port, address: null, passwords }).catch((cause: unknown) => {
    throw new CannotHost(sentence(cause, folder, port), { cause })
  })
  return kept(server, `postgres://${hostedUser}:${passwords.station}@${loopback}:${port}/${hostedDatabase}`)
}

const kept = (server: Server, url: string): HostedHub => ({
  url,
  ended: server.ended,
  stop: () => server.stop('fast'),
})

function passwordsIn(folder: string): HostedPasswords {
  const file = join(folder, 'hub.json')
  try {
    mkdirSync(folder, { recursive: true })
    if (existsSync(file)) {
      const known = parseStored(Passwords, readFileSync(file, 'utf8'))
      if (known) return known
      throw new CannotHost(`The passwords in ${file} can't be read.`)
    }
    const drawn = drawPasswords()
    writeFileSync(file, `${JSON.stringify(drawn)}\n`, { mode: 0o600 })
    return drawn
  } catch (cause) {
    if (cause instanceof CannotHost) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new CannotHost(`The folder ${folder} can't be written: ${message}.`, { cause })
  }
}

function sentence(cause: unknown, folder: string, port: number): string {
  if (!(cause instanceof CannotStart)) return `PostgreSQL could not be started: ${String(cause)}`
  const known: Partial<Record<CannotStart['reason'], string>> = {
    busy: `Another PostgreSQL keeps the data in ${folder}.`,
    port: `Port ${port} is in use. Choose another one with --port.`,
    version: `The data in ${folder} is of another version of PostgreSQL.`,
    permission: `The folder ${folder} can't be written by PostgreSQL.`,
  }
  return known[cause.reason] ?? `PostgreSQL could not be started: ${cause.detail}`
}
