import pg from 'pg'
import { z } from 'zod'
import { isLoopbackHost } from '../../../src-shared/hub-address'
import type { HubTrouble } from '../../../src-shared/ipc/contract/hub'
import { settleWithin } from '../../core/async'
import { type Growth, pauseOf } from '../../core/backoff'
import type { Log } from '../../core/log'
import { type NewsTopic, newsTopics } from '../port'
import { isPooled, limit } from './pooler'
import { HubProblem, codeOf, listenForOthers, messageOf, troubleOf } from './trouble'

/** How a station reaches its hub. */
export interface HubAddress {
  host: string
  port: number
  database: string
  user: string
  password: string
  /** The certificate, or its authority, in PEM. Null only on this computer. */
  certificate: string | null
}

/** A statement with parameters, and the schema of its rows. */
export interface Statement<Row> {
  /** Given to statements that run often: the server keeps their plan. */
  name?: string
  text: string
  values?: unknown[]
  row: z.ZodType<Row>
}

export interface ConnectionsParts {
  /** Asked at each try to connect; null while the password can't be had. */
  address: () => Promise<HubAddress | null>
  /** The name shown in the server's list of connections. */
  name: string
  log: Log
  /** Checks and prepares both new connections; returns why they can't be used. */
  prepare: (query: Query, interactive: Query) => Promise<HubTrouble | null>
  /**
   * Writes what the hub must take now and then from a station that it works with; returns why it can't be used any more. A hub
   * that can only be read is found here.
   */
  renew?: () => Promise<HubTrouble | null>
  /** Called with every change of `trouble()`. */
  onChange: () => void
  /** How long a person's scan waits for the hub, in ms. Default: 300. */
  patience?: number | undefined
  /** How long a connection may take to be made, and a statement that no person waits for, in ms. Default: 5,000. */
  longest?: number | undefined
}

/** Runs a statement on a connection. Rejects with an error of the server or the connection. */
export type Query = <Row>(statement: Statement<Row>) => Promise<Row[]>

/** How long a person's scan waits for the hub, in ms. */
export const usualPatience = 300
const usualLongest = 5_000
/** How often both connections are tried while nothing else is asked, in ms: a dead one is found before the next scan. */
const heartbeat = 5_000
const pauses: Growth = { first: 250, factor: 2, longest: 5_000, jitter: 0.5 }

/** Runs a statement on a connection, after the last one on it. Rows that don't parse are left out and logged. */
class Queries {
  readonly #log: Log
  /** The last statement on each connection until it is answered: a connection runs one at a time. */
  readonly #last = new WeakMap<pg.Client, Promise<unknown>>()

  constructor(log: Log) {
    this.#log = log
  }

  on(client: pg.Client): Query {
    return (statement) => this.#run(client, statement)
  }

  async #run<Row>(client: pg.Client, { row, ...statement }: Statement<Row>): Promise<Row[]> {
    // Several statements in one text, as in a migration, give an answer each.
    const answers = [await this.#inTurn(client, statement)].flat()
    return (answers.at(-1)?.rows ?? []).flatMap((one) => {
      const parsed = row.safeParse(one)
      if (parsed.success) return [parsed.data]
      this.#log.warn('a row of the hub could not be read', {
        issues: parsed.error.issues.map(({ path }) => path.join('.')),
      })
      return []
    })
  }

  #inTurn(client: pg.Client, statement: pg.QueryConfig): Promise<pg.QueryResult<Record<string, unknown>>> {
    const ask = () => client.query<Record<string, unknown>>(statement)
    // One that need not wait is on its way at once, before whatever else its caller begins.
    const asked = this.#last.get(client)?.then(ask) ?? ask()
    const answered: Promise<unknown> = asked
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(client) === answered) this.#last.delete(client)
      })
    this.#last.set(client, answered)
    return asked
  }
}

/** What listens to news of the hub, and what was heard last. */
class News {
  readonly #listeners = new Map<string, Set<() => void>>(newsTopics.map((topic) => [topic, new Set()]))
  #heard = new Map<string, string>()

  on(topic: NewsTopic, listener: () => void): () => void {
    this.#listeners.get(topic)?.add(listener)
    return () => void this.#listeners.get(topic)?.delete(listener)
  }

  announce(topic: string): void {
    for (const one of this.#listeners.get(topic) ?? []) one()
  }

  /** Announces every topic: news may have been missed. */
  announceAll(): void {
    this.#heard = new Map()
    for (const topic of newsTopics) this.announce(topic)
  }

  /** Announces the topics that changed since the last reading. */
  read(rows: readonly z.infer<typeof NewsRow>[]): void {
    for (const { topic, revision } of rows) {
      const before = this.#heard.get(topic)
      this.#heard.set(topic, revision)
      if (before !== undefined && before !== revision) this.announce(topic)
    }
  }
}

interface Pair {
  interactive: pg.Client
  background: pg.Client
}

/**
 * The connections to the hub: the interactive one for what people wait for, the background one for everything else and for news. A connection that does not
 * answer in time is cut, and made again after a pause. Rows are parsed; one that doesn't parse is left out and logged.
 */
export class HubConnections {
  readonly #parts: ConnectionsParts
  readonly #patience: number
  readonly #longest: number
  readonly #queries: Queries
  readonly #news = new News()
  #pair: Pair | undefined
  #trouble: HubTrouble | null = 'silent'
  #isClosed = false
  #isOpening = false
  /** New connections that are checked and prepared. */
  #preparing: Promise<unknown> | undefined
  #faults = 0
  #timer: NodeJS.Timeout | undefined

  /** Connects at once. */
  constructor(parts: ConnectionsParts) {
    this.#parts = parts
    this.#patience = parts.patience ?? usualPatience
    this.#longest = parts.longest ?? usualLongest
    this.#queries = new Queries(parts.log)
    void this.#open()
  }

  /** Why the hub can't be worked with; null if it answers. */
  trouble(): HubTrouble | null {
    return this.#trouble
  }

  /** For what a person waits for; undefined if there was no answer in time. */
  interactive<Row>(statement: Statement<Row>): Promise<Row[] | undefined> {
    return this.#run('interactive', statement, this.#patience)
  }

  /** For all else; undefined if there was no answer. */
  background<Row>(statement: Statement<Row>): Promise<Row[] | undefined> {
    return this.#run('background', statement, this.#longest)
  }

  /** Runs a statement that says nothing more. Returns false if there was no answer. */
  async done(statement: Omit<Statement<unknown>, 'row'>): Promise<boolean> {
    return (await this.background({ ...statement, row: z.unknown() })) !== undefined
  }

  onNews(topic: NewsTopic, listener: () => void): () => void {
    return this.#news.on(topic, listener)
  }

  /** Tries to connect at once: a person asked for it, or the computer woke up. */
  retryNow(): void {
    if (this.#pair || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#faults = 0
    void this.#open()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    // What is asked already is done, or has timed out, before the caller begins anything else: a station that leaves would be listed again.
    await this.#preparing
    const pair = this.#pair
    this.#pair = undefined
    if (!pair) return
    await settleWithin(Promise.all([pair.interactive.end(), pair.background.end()]), 1_000)
    cut(pair.interactive)
    cut(pair.background)
  }

  async #open(): Promise<void> {
    if (this.#isOpening) return
    this.#isOpening = true
    const made: pg.Client[] = []
    try {
      const pair = await this.#connectBoth(made)
      if (this.#isClosed) throw new HubProblem('silent')
      this.#use(pair)
    } catch (cause) {
      for (const one of made) cut(one)
      this.#faults++
      const why = troubleOf(cause)
      // Once for each trouble, not at each try.
      if (why === 'other' || why !== this.#trouble)
        this.#parts.log.warn('the hub could not be used', { trouble: why, cause: messageOf(cause) })
      this.#setTrouble(why)
      this.#plan()
    } finally {
      this.#isOpening = false
    }
  }

  /** Both connections, prepared. `made`: what the caller cuts if this rejects. */
  async #connectBoth(made: pg.Client[]): Promise<Pair> {
    const to = await this.#parts.address()
    if (!to) throw new HubProblem('secret-missing')
    const background = await this.#connect(to)
    made.push(background)
    const interactive = await this.#connect(to)
    made.push(interactive)
    background.on('notification', ({ payload = '' }) => {
      this.#news.announce(payload)
    })
    if (this.#isClosed) throw new HubProblem('silent')
    const preparing = settleWithin(this.#prepare({ background, interactive }), this.#longest)
    this.#preparing = preparing
    const settled = await preparing
    if (settled.status === 'rejected') throw settled.reason
    const problem = settled.status === 'timeout' ? 'slow' : settled.value
    if (problem) throw new HubProblem(problem)
    return { background, interactive }
  }

  async #connect(to: HubAddress): Promise<pg.Client> {
    const made = new pg.Client({
      ...connectionOf(to),
      application_name: this.#parts.name,
      connectionTimeoutMillis: this.#longest,
      keepAlive: true,
    })
    // An error of an idle connection: the next statement on it fails.
    made.on('error', () => {
      this.#lose(made, 'silent')
    })
    const isOther = listenForOthers(made, isEncrypted(to))
    try {
      await made.connect()
      return made
    } catch (cause) {
      cut(made)
      throw isOther() ? new HubProblem('not-postgres') : cause
    }
  }

  /** Returns why the connections can't be used. */
  async #prepare({ background, interactive }: Pair): Promise<HubTrouble | null> {
    if (await isPooled(background, () => Promise.resolve(interactive))) return 'pooler'
    await Promise.all([limit(background), limit(interactive)])
    const query = this.#whileOpen(background)
    if (this.#trouble === 'full') await takeRoom(query)
    const problem = await this.#parts.prepare(query, this.#whileOpen(interactive))
    if (!problem) await query({ text: 'LISTEN countertag', row: z.unknown() })
    return problem
  }

  /** Statements on a connection; none is asked once this is closed. */
  #whileOpen(client: pg.Client): Query {
    const query = this.#queries.on(client)
    return (statement) => (this.#isClosed ? Promise.reject(new HubProblem('silent')) : query(statement))
  }

  #use(pair: Pair): void {
    this.#pair = pair
    this.#faults = 0
    this.#setTrouble(null)
    // What was told while nothing listened.
    this.#news.announceAll()
    this.#planBeat()
  }

  #setTrouble(now: HubTrouble | null): void {
    if (now === this.#trouble) return
    this.#trouble = now
    this.#parts.log.info('hub', { trouble: now })
    this.#parts.onChange()
  }

  /** Gives a connection up, and with it the other one: the next ones are checked together. */
  #lose(which: pg.Client, why: HubTrouble): void {
    const pair = this.#pair
    if (pair?.interactive !== which && pair?.background !== which) return
    this.#pair = undefined
    cut(pair.interactive)
    cut(pair.background)
    this.#setTrouble(why)
    this.#plan()
  }

  #plan(): void {
    this.#after(pauseOf(pauses, this.#faults, Math.random), () => this.#open())
  }

  #planBeat(): void {
    this.#after(heartbeat, () => this.#beat())
  }

  /** What comes next, in place of what was planned. */
  #after(ms: number, next: () => Promise<void>): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void next(), ms).unref()
  }

  /** Runs a statement; undefined if there was no usable answer within `ms`. */
  async #run<Row>(on: keyof Pair, statement: Statement<Row>, ms: number): Promise<Row[] | undefined> {
    const one = this.#pair?.[on]
    if (!one) return undefined
    const settled = await settleWithin(this.#queries.on(one)(statement), ms)
    if (settled.status === 'fulfilled') return settled.value
    if (settled.status === 'timeout') {
      this.#lose(one, 'silent')
      return undefined
    }
    const why = troubleOf(settled.reason)
    // A statement that waited too long at the server may be asked again; the connection is sound.
    if (isOfStatement(settled.reason))
      this.#parts.log.warn('the hub refused a statement', { cause: messageOf(settled.reason) })
    else this.#lose(one, why)
    return undefined
  }

  /** Tries both connections, and reads what was told: a lost notification is found here. */
  async #beat(): Promise<void> {
    const [problem, asked, news] = await Promise.all([
      this.#parts.renew?.() ?? null,
      this.interactive({ text: `SELECT current_setting('transaction_read_only') AS only_read`, row: OnlyRead }),
      this.background({ text: 'SELECT topic, revision FROM countertag.news', row: NewsRow }),
    ])
    if (!this.#pair) return
    const why = problem ?? (asked?.[0]?.only_read === 'on' ? 'read-only' : null)
    if (why) {
      this.#lose(this.#pair.background, why)
      return
    }
    this.#news.read(news ?? [])
    this.#planBeat()
  }
}

const NewsRow = z.object({ topic: z.string(), revision: z.string() })
const OnlyRead = z.object({ only_read: z.string() })

/** Rejects while the server's disk is full: what fits into pages that are there could still be written then. */
async function takeRoom(query: Query): Promise<void> {
  await query({ text: `SET work_mem = '64kB'`, row: z.unknown() })
  // More than fits into that memory goes to a temporary file.
  await query({ text: 'SELECT count(*) FROM generate_series(1, 100000)', row: z.unknown() })
  await query({ text: 'RESET work_mem', row: z.unknown() })
}

/** Only what stays on this computer isn't encrypted. */
export const isEncrypted = ({ certificate, host }: Pick<HubAddress, 'certificate' | 'host'>): boolean =>
  certificate !== null || !isLoopbackHost(host)

/** The settings of a connection: always checked against the certificate, unless it stays on this computer. */
export function connectionOf({ certificate, ...rest }: HubAddress): pg.ClientConfig {
  // `host`: an address without a name is checked against the certificate too.
  if (certificate !== null) return { ...rest, ssl: { ca: certificate, rejectUnauthorized: true, host: rest.host } }
  if (!isLoopbackHost(rest.host)) return { ...rest, ssl: { rejectUnauthorized: true, host: rest.host } }
  return { ...rest, ssl: false }
}

/** Ends a connection without a word: the server may be gone. */
export function cut(client: pg.Client) {
  client.removeAllListeners('notification')
  void client.end().catch(() => undefined)
  Stream.safeParse(client).data?.connection.stream.destroy()
}

const Stream = z.object({
  connection: z.object({ stream: z.custom<{ destroy(): void }>((value) => typeof value === 'object') }),
})

/** Errors about one statement; the connection can go on. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const isOfStatement = (cause: unknown) => {
  const code = codeOf(cause)
  return /^[0-9A-Z]{5}$/.test(code) && !/^(08|25006|28|53|57P|42501|42P01|3F|XX)/.test(code)
}
