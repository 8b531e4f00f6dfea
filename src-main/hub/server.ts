import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { type Binaries, runnablePrograms } from './runnable-programs'
import { type DataPlace, dataPlace, giveToServer } from './server-user'

export interface ServerParts {
  binaries: Binaries
  /** The folder of its data; made and filled if it is missing. */
  folder: string
  port: number
  /** The addresses it listens on. */
  hosts: string[]
  /** The role that owns the database, and its password. */
  user: string
  password: string
  /** The file of who may connect, beside the data; the database's own if omitted. */
  rules?: string
  /** More settings, by name. Paths of files are seen from the data's folder. */
  settings?: Record<string, string>
  /** Statements for a new database, one line each: it is complete with their effects, or not there. */
  first?: readonly string[]
  onLog?: (text: string) => void
}

/** A running PostgreSQL, as a child of this process. */
export interface Server {
  /** Resolves when it has ended, with its exit code or signal. */
  ended: Promise<string>
  /** `fast`: refuses new work, ends connections. `immediate`: as a power cut, the next start recovers. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
}

/** Its own words are read, so they must be English. */
const environment = () => ({ ...process.env, LC_MESSAGES: 'C', LC_ALL: 'C' })

/** Whether a folder holds a database. */
export const holdsDatabase = (folder: string): boolean => existsSync(join(folder, 'PG_VERSION'))

/**
 * Starts a PostgreSQL in a folder, and makes its database at the first start. Rejects if it can't be started, or can't listen
 * on each of its addresses, with its last words.
 */
export async function startServer(parts: ServerParts): Promise<Server> {
  const { folder, port, hosts, rules, settings = {}, onLog = () => undefined } = parts
  const binaries = await runnablePrograms(parts.binaries)
  if (!holdsDatabase(folder)) await makeDatabase({ ...parts, binaries })
  const place = dataPlace(folder)
  const flags = Object.entries({
    listen_addresses: hosts.join(','),
    // Sockets in a folder of their own are not needed: everything goes through TCP.
    unix_socket_directories: '',
    logging_collector: 'off',
    ...(rules !== undefined && { hba_file: place.whole(rules) }),
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binaries.postgres, ['-D', place.data, '-p', String(port), ...flags], {
    ...place.options,
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(String(signal ?? code))
    })
    child.once('error', (cause) => {
      resolve(cause.message)
    })
  })
  const server: Server = {
    ended,
    async stop(how = 'fast') {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        end(child.pid, how, binaries, folder)
      await ended
    },
  }
  const said = await ready(child, ended, onLog)
  // It goes on with the addresses that it got.
  if (/could not (bind|create listen socket)/.test(said)) {
    await server.stop()
    throw new Error(said.trim())
  }
  return server
}

/** SIGINT: fast; SIGQUIT: immediate. https://www.postgresql.org/docs/current/server-shutdown.html */
function end(pid: number, how: 'fast' | 'immediate', { postgres }: Binaries, folder: string): void {
  if (process.platform === 'win32') {
    // Windows has no signals: only this program can tell a server to end.
    const control = join(dirname(postgres), 'pg_ctl.exe')
    spawn(control, ['stop', '-D', folder, '-m', how, '-W'], { stdio: 'ignore', windowsHide: true }).on('error', () => {
      process.kill(pid)
    })
    return
  }
  try {
    process.kill(pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
  } catch {
    // It has ended.
  }
}

/** What a PostgreSQL that runs in a folder has written down. */
export interface Running {
  pid: number
  port: number
}

/** The PostgreSQL that runs in a folder, or ran there and could not tidy up; undefined if there is none. */
export function runningIn(folder: string): Running | undefined {
  // https://www.postgresql.org/docs/current/storage-file-layout.html
  const lines = textOf(join(folder, 'postmaster.pid'))?.split('\n')
  const [pid, port] = [Number(lines?.[0]), Number(lines?.[3])]
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) && Number.isInteger(port) ? { pid, port } : undefined
}

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
}

/** How often a process that is no child is looked at, in ms. */
const look = 250

/** A PostgreSQL that another process started, as a child would be. */
export function takeOver(pid: number, binaries: Binaries, folder: string): Server {
  const ended = (async () => {
    while (isAlive(pid)) await setTimeout(look, undefined, { ref: false })
    return 'ended'
  })()
  return {
    ended,
    async stop(how = 'fast') {
      if (isAlive(pid)) end(pid, how, binaries, folder)
      await ended
    },
  }
}

/** Resolves with what the server said once it takes connections; rejects with that if it ends before. */
function ready(child: ChildProcess, ended: Promise<string>, onLog: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      onLog(text)
      said = (said + text).slice(-4_000)
      if (said.includes('ready to accept connections')) resolve(said)
    })
    void ended.then((how) => {
      reject(new Error(`PostgreSQL ended (${how}): ${said.trim()}`))
    })
  })
}

/** Made beside its place: what was interrupted is never taken for a database. */
async function makeDatabase({ binaries, folder, user, password, first = [] }: ServerParts): Promise<void> {
  const making = `${folder}.new`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  const passwordFile = `${folder}.password`
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  for (const path of [making, passwordFile]) giveToServer(path)
  chmodSync(making, 0o700)
  const place = dataPlace(making)
  try {
    const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--data-checksums', `--username=${user}`]
    const flags = [`--pgdata=${place.data}`, `--pwfile=${place.beside(passwordFile)}`, ...options]
    await run(place, binaries.initdb, flags)
  } finally {
    rmSync(passwordFile, { force: true })
  }
  // Without a connection: no password is needed, and none is sent.
  if (first.length > 0)
    await run(
      place,
      binaries.postgres,
      ['--single', '-D', place.data, '-c', 'log_min_messages=fatal', 'postgres'],
      `${first.join('\n')}\n`,
    )
  renameSync(making, folder)
}

/** Runs a program to its end. Rejects with its last words if it fails, or says that a statement did. */
async function run(place: DataPlace, program: string, flags: string[], input = ''): Promise<void> {
  const child = spawn(program, flags, {
    ...place.options,
    env: environment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000)
  })
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined).end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0 || (input !== '' && /\b(ERROR|FATAL):/.test(said)))
    throw new Error(`the database could not be made: ${said.trim()}`)
}
