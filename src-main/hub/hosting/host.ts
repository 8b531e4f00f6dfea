import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { HostingFailure, HostingState } from '../../../src-shared/ipc/contract/hosting'
import { type Result, err, ok } from '../../../src-shared/result'
import { settleWithin } from '../../core/async'
import { type Growth, pauseOf } from '../../core/backoff'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/log'
import { writeWhole } from '../../database/files'
import type { Binaries } from '../runnable-programs'
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

/** Why no programs were found for data of this major version, or for new data (null). `others`: versions that were found. */
const whyNone = (major: number | null, others: readonly string[]) =>
  major !== null && others.length > 0
    ? new CannotStart('version', String(major))
    : new CannotStart('missing', major === null ? '' : String(major))

const failureOf = (cause: unknown): HostingFailure =>
  cause instanceof CannotStart
    ? { reason: cause.reason, detail: cause.detail }
    : { reason: reasonOf(String(cause)), detail: String(cause).slice(0, 4_000) }

/** A PostgreSQL of this computer, started again when it ends, until it is stopped. */
export class DatabaseHost {
  /** How the first start ended: null if it runs. */
  readonly first: Promise<HostingFailure | null>
  readonly #parts: DatabaseHostParts
  readonly #files: { certificate: string; key: string }
  #tellFirst: (failure: HostingFailure | null) => void = () => undefined
  #state: HostingState = { kind: 'starting' }
  #server: Server | undefined
  #wake = new AbortController()
  readonly #ending = new AbortController()
  readonly #done: Promise<void>

  constructor(parts: DatabaseHostParts) {
    const { folder } = parts
    this.#parts = parts
    this.#files = { certificate: join(folder, 'tls.pem'), key: join(folder, 'tls.key') }
    this.first = new Promise((resolve) => {
      this.#tellFirst = resolve
    })
    this.#done = this.#run()
  }

  state(): HostingState {
    return this.#state
  }

  /** In PEM; null if it can't be read. */
  certificate(): string | null {
    try {
      return readFileSync(this.#files.certificate, 'utf8')
    } catch {
      return null
    }
  }

  /** Tries to start at once. */
  retry(): void {
    this.#wake.abort()
  }

  /** Ends PostgreSQL; what is on its way to it first. */
  async stop(): Promise<void> {
    this.#ending.abort()
    // A process about to end gets no further than this line.
    void this.#server?.stop()
    await settleWithin(this.#end(), longestStop)
  }

  async #end(): Promise<void> {
    await this.first
    await this.#server?.stop()
    await this.#done
  }

  #isStopped(): boolean {
    return this.#ending.signal.aborted
  }

  async #run(): Promise<void> {
    let faults = 0
    for (;;) {
      const { isPassing, ranFor } = await this.#once()
      if (this.#isStopped()) return
      if (ranFor >= settled) faults = 0
      await this.#pause(isPassing ? pauseOf(pauses, faults++, Math.random) : 2_147_483_647)
      if (this.#isStopped()) return
      if (!isPassing) this.#show({ kind: 'starting' })
    }
  }

  /** Until a person tries again, or all ends. */
  async #pause(ms: number): Promise<void> {
    const signal = AbortSignal.any([this.#wake.signal, this.#ending.signal])
    await setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined)
    this.#wake = new AbortController()
  }

  /** One start, and the time until the server ends. Returns whether it may be tried again without a person. */
  async #once(): Promise<{ isPassing: boolean; ranFor: number }> {
    const started = await this.#start()
    if (!started.ok) return { isPassing: passing.has(started.error.reason), ranFor: 0 }
    if (this.#isStopped()) return { isPassing: false, ranFor: 0 }
    const began = this.#parts.clock.now()
    await this.#watch(started.value)
    return { isPassing: true, ranFor: this.#parts.clock.now() - began }
  }

  async #start(): Promise<Result<Server, HostingFailure>> {
    const { address, port, log } = this.#parts
    try {
      this.#server = await this.#open()
    } catch (cause) {
      const failure = failureOf(cause)
      if (!this.#isStopped()) this.#fail(failure)
      this.#tellFirst(failure)
      return err(failure)
    }
    log.info('the store hub of this computer runs', { address, port })
    this.#show({ kind: 'running' })
    this.#tellFirst(null)
    return ok(this.#server)
  }

  /** Shows whether the server is at its address, until it ends. */
  async #watch(server: Server): Promise<void> {
    const { address, log } = this.#parts
    const timer = setInterval(() => {
      this.#show(this.#isHere() ? { kind: 'running' } : { kind: 'failed', reason: 'address', detail: address })
    }, addressLook).unref()
    const how = await server.ended
    clearInterval(timer)
    this.#server = undefined
    if (this.#isStopped()) return
    log.warn('PostgreSQL ended by itself', { how })
    this.#show({ kind: 'starting' })
  }

  async #open(): Promise<Server> {
    const { folder, address, port, passwords, search } = this.#parts
    if (!this.#isHere()) throw new CannotStart('address', address)
    const data = dataOf(folder)
    const isMade = holdsDatabase(data)
    const major = isMade ? majorOf(data) : null
    const { found, others } = await findPrograms({ ...search, major })
    if (!found) throw whyNone(major, others)
    const made = isMade ? null : await passwords()
    if (!isMade && !made) throw new CannotStart('lost')
    makeCertificate(this.#parts, this.#files)
    const running = await this.#adopt(found, data)
    return (
      running ??
      startHosted({
        ...{ programs: found, folder, port, address, tls: this.#files },
        // A database that exists needs no passwords.
        passwords: made ?? drawPasswords(),
      })
    )
  }

  /** A server that an earlier run left over; one at another port is ended. */
  async #adopt(programs: Binaries, data: string): Promise<Server | undefined> {
    const { address, port, log } = this.#parts
    const leftOver = runningIn(data)
    if (!leftOver || !(await isOurs(loopback, leftOver.port, this.certificate()))) return undefined
    const running = takeOver(leftOver.pid, programs, data)
    if (leftOver.port === port && (await isOurs(address, port, this.certificate()))) {
      log.info('the store hub was still running', { pid: leftOver.pid })
      return running
    }
    await settleWithin(running.stop(), longestStop)
    return undefined
  }

  #isHere(): boolean {
    const { address, addresses } = this.#parts
    return address === loopback || addresses().includes(address)
  }

  #show(next: HostingState): void {
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return
    this.#state = next
    if (!this.#isStopped()) this.#parts.onState(next)
  }

  #fail({ reason, detail }: HostingFailure): void {
    this.#parts.log.warn('the store hub of this computer could not be started', { reason, detail })
    this.#show({ kind: 'failed', reason, detail })
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
  const { key, cert } = selfSigned(
    'Countertag store hub',
    [...new Set([address, loopback, ...name, 'localhost'])],
    [
      // A station whose clock is behind must be able to join.
      new Date(now - 2 * 86_400_000),
      new Date(now + certificateLasts),
    ],
  )
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
