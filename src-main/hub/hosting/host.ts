import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { HostingFailure, HostingState } from '../../../src-shared/ipc/contract/hosting'
import { settleWithin } from '../../core/async'
import { type Growth, pauseOf } from '../../core/backoff'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/log'
import { writeWhole } from '../../database/files'
import { type Server, holdsDatabase, runningIn, takeOver } from '../server'
import { giveToServer } from '../server-user'
import { selfSigned } from './certificate'
import {
  CannotStart,
  type HostedPasswords,
  dataOf,
  drawPasswords,
  loopback,
  makeHostedFolder,
  reasonOf,
  startHosted,
} from './hosted-server'
import { type Search, findPrograms } from './programs'

export { type HostedPasswords, drawPasswords, hostedDatabase, hostedUser } from './hosted-server'

export interface DatabaseHostParts {
  /** What is kept. */
  folder: string
  /** One of this computer's addresses. */
  address: string
  port: number
  /** The name of this computer, for the certificate. */
  computer: string
  search: Search
  /** Asked only while there is no data; null if they are lost. */
  passwords: () => Promise<HostedPasswords | null>
  /** This computer's addresses now. */
  addresses: () => string[]
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  onState: (state: HostingState) => void
}

/** A PostgreSQL of this computer, started again when it ends. */
export interface DatabaseHost {
  state(): HostingState
  /** How the first start ended: null if it runs. */
  readonly first: Promise<HostingFailure | null>
  /** In PEM; null if it can't be read. */
  certificate(): string | null
  /** Tries to start at once. */
  retry(): void
  /** Ends PostgreSQL; what is on its way to it first. */
  stop(): Promise<void>
}

const pauses: Growth = { first: 250, factor: 2, longest: 30_000, jitter: 0.5 }
/** After running this long, in ms, an end is the first one. */
const settled = 60_000
/** How often this computer's addresses are looked at, in ms. */
const addressLook = 5_000
/** How long a PostgreSQL that was left over may take to answer, in ms. */
const greeting = 2_000
/** How long a stop may take, in ms. Afterwards it ends by itself, or recovers at the next start. */
const longestStop = 20_000
/** These pass without a person. */
const passing: ReadonlySet<HostingFailure['reason']> = new Set(['port', 'address', 'busy', 'full', 'other'])

/** Keeps a store until it is stopped. */
export function createDatabaseHost(parts: DatabaseHostParts): DatabaseHost {
  const { folder, address, port, passwords, addresses, log, onState } = parts
  const files = { certificate: join(folder, 'tls.pem'), key: join(folder, 'tls.key') }
  let state: HostingState = { kind: 'starting' }
  let server: Server | undefined
  let isStopped = false
  const stopped = () => isStopped
  let wake = new AbortController()
  const ending = new AbortController()

  const show = (next: HostingState) => {
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    if (!isStopped) onState(state)
  }
  const isHere = () => address === loopback || addresses().includes(address)
  const fail = ({ reason, detail }: HostingFailure) => {
    log.warn('the store hub of this computer could not be started', { reason, detail })
    show({ kind: 'failed', reason, detail })
  }
  const certificate = () => {
    try {
      return readFileSync(files.certificate, 'utf8')
    } catch {
      return null
    }
  }

  async function open(): Promise<Server> {
    if (!isHere()) throw new CannotStart('address', address)
    const data = dataOf(folder)
    const isMade = holdsDatabase(data)
    const major = isMade ? majorOf(data) : null
    const { found, others } = await findPrograms({ ...parts.search, major })
    if (!found)
      throw major !== null && others.length > 0
        ? new CannotStart('version', String(major))
        : new CannotStart('missing', major === null ? '' : String(major))
    const made = isMade ? null : await passwords()
    if (!isMade && !made) throw new CannotStart('lost')
    makeCertificate(parts, files)
    const leftOver = runningIn(data)
    if (leftOver && (await isOurs(loopback, leftOver.port, certificate()))) {
      const running = takeOver(leftOver.pid, found, data)
      if (leftOver.port === port && (await isOurs(address, port, certificate()))) {
        log.info('the store hub was still running', { pid: leftOver.pid })
        return running
      }
      await settleWithin(running.stop(), longestStop)
    }
    return startHosted({
      ...{ programs: found, folder, port, address, tls: files },
      // A database that exists needs no passwords.
      passwords: made ?? drawPasswords(),
    })
  }

  /** One start, and the time until the server ends. Returns whether it may be tried again without a person. */
  async function once(): Promise<{ isPassing: boolean; ranFor: number }> {
    try {
      server = await open()
    } catch (cause) {
      const failure =
        cause instanceof CannotStart
          ? { reason: cause.reason, detail: cause.detail }
          : { reason: reasonOf(String(cause)), detail: String(cause).slice(0, 4_000) }
      if (!isStopped) fail(failure)
      told(failure)
      return { isPassing: passing.has(failure.reason), ranFor: 0 }
    }
    const began = parts.clock.now()
    log.info('the store hub of this computer runs', { address, port })
    show({ kind: 'running' })
    told(null)
    if (stopped()) return { isPassing: false, ranFor: 0 }
    const watch = setInterval(() => {
      show(isHere() ? { kind: 'running' } : { kind: 'failed', reason: 'address', detail: address })
    }, addressLook).unref()
    const how = await server.ended
    clearInterval(watch)
    server = undefined
    if (!stopped()) {
      log.warn('PostgreSQL ended by itself', { how })
      show({ kind: 'starting' })
    }
    return { isPassing: true, ranFor: parts.clock.now() - began }
  }

  let told: (failure: HostingFailure | null) => void = () => undefined
  const first = new Promise<HostingFailure | null>((resolve) => {
    told = resolve
  })
  const done = (async () => {
    let faults = 0
    for (;;) {
      const { isPassing, ranFor } = await once()
      if (stopped()) return
      if (ranFor >= settled) faults = 0
      const pause = isPassing ? pauseOf(pauses, faults++, Math.random) : 2_147_483_647
      const waiting = AbortSignal.any([wake.signal, ending.signal])
      await setTimeout(pause, undefined, { signal: waiting, ref: false }).catch(() => undefined)
      wake = new AbortController()
      if (stopped()) return
      if (!isPassing) show({ kind: 'starting' })
    }
  })()

  return {
    state: () => state,
    first,
    certificate,
    retry() {
      wake.abort()
    },
    async stop() {
      isStopped = true
      ending.abort()
      // A process about to end gets no further than this line.
      void server?.stop()
      const end = async () => {
        await first
        await server?.stop()
        await done
      }
      await settleWithin(end(), longestStop)
    },
  }
}

const majorOf = (data: string) => Math.trunc(Number(readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()))

/** Twenty years: stations hold this very certificate, so another one means a new join code for each of them. */
const certificateLasts = 20 * 365 * 86_400_000

/** Makes the certificate, if there is none for this address. */
function makeCertificate(
  { folder, address, computer, clock }: Pick<DatabaseHostParts, 'folder' | 'address' | 'computer' | 'clock'>,
  files: { certificate: string; key: string },
): void {
  makeHostedFolder(folder)
  const now = clock.now()
  if (isFor(files.certificate, files.key, address, now)) return
  const name = /^[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?$/i.test(computer) ? [computer] : []
  const { key, cert } = selfSigned({
    commonName: 'Countertag store hub',
    names: [...new Set([address, loopback, ...name, 'localhost'])],
    // A station whose clock is behind must be able to join.
    from: new Date(now - 2 * 86_400_000),
    to: new Date(now + certificateLasts),
  })
  writeWhole(files.key, key, 0o600)
  writeWhole(files.certificate, cert, 0o600)
  for (const file of [files.key, files.certificate]) giveToServer(file)
}

function isFor(certificate: string, key: string, address: string, now: number): boolean {
  try {
    readFileSync(key)
    const read = new X509Certificate(readFileSync(certificate))
    return read.checkIP(address) !== undefined && Date.parse(read.validTo) > now
  } catch {
    return false
  }
}

/** What a client says before it begins TLS: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const wantsTls = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** Whether a PostgreSQL with our key answers. */
async function isOurs(host: string, port: number, certificate: string | null): Promise<boolean> {
  if (certificate === null) return false
  const socket = connect({ host, port })
  const answered = new Promise<boolean>((resolve) => {
    const no = () => {
      resolve(false)
    }
    socket.on('error', no).on('close', no)
    socket.once('connect', () => socket.write(wantsTls))
    socket.once('data', (answer) => {
      if (answer.toString() !== 'S') {
        no()
        return
      }
      const tls = connectTls({ socket, ca: certificate, checkServerIdentity: () => undefined }, () => {
        resolve(tls.authorized)
      })
      tls.on('error', no)
    })
  })
  const known = await settleWithin(answered, greeting)
  socket.destroy()
  return known.status === 'fulfilled' && known.value
}
