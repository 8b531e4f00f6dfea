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

export type HubConnections = ReturnType<typeof createConnections>

/**
 * The connections to the hub: the interactive one for what people wait for, the background one for everything else and for news. A connection that does not
 * answer in time is cut, and made again after a pause. Rows are parsed; one that doesn't parse is left out and logged.
 */
export function createConnections(parts: ConnectionsParts) {
  const { address, log, prepare, renew, onChange, patience = usualPatience, longest = usualLongest } = parts
  const listeners = new Map<NewsTopic, Set<() => void>>(newsTopics.map((topic) => [topic, new Set()]))
  const told = (topic: string) => {
    for (const [known, ones] of listeners) if (known === topic) for (const one of ones) one()
  }

  let client: { interactive: pg.Client; background: pg.Client } | undefined
  let trouble: HubTrouble | null = 'silent'
  let isClosed = false
  let isOpening = false
  let faults = 0
  let timer: NodeJS.Timeout | undefined
  let heard = new Map<string, string>()

  const connect = async (to: HubAddress) => {
    const made = new pg.Client({
      ...connectionOf(to),
      application_name: parts.name,
      connectionTimeoutMillis: longest,
      keepAlive: true,
    })
    // An error of an idle connection: the next statement on it fails.
    made.on('error', () => {
      lost(made, 'silent')
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

  /** The last statement on each connection until it is answered: a connection runs one at a time. */
  const last = new WeakMap<pg.Client, Promise<unknown>>()
  const queryOn =
    (on: pg.Client): Query =>
    async ({ row, ...statement }) => {
      const ask = () => on.query<Record<string, unknown>>(statement)
      // One that need not wait is on its way at once, before whatever else its caller begins.
      const asked = last.get(on)?.then(ask) ?? ask()
      const answered: Promise<unknown> = asked
        .catch(() => undefined)
        .then(() => {
          if (last.get(on) === answered) last.delete(on)
        })
      last.set(on, answered)
      // Several statements in one text, as in a migration, give an answer each.
      const answers = [await asked].flat()
      return (answers.at(-1)?.rows ?? []).flatMap((one) => {
        const parsed = row.safeParse(one)
        if (parsed.success) return [parsed.data]
        log.warn('a row of the hub could not be read', {
          issues: parsed.error.issues.map(({ path }) => path.join('.')),
        })
        return []
      })
    }

  const setTrouble = (now: HubTrouble | null) => {
    if (now === trouble) return
    trouble = now
    log.info('hub', { trouble })
    onChange()
  }

  /** Gives a connection up, and with it the other one: the next ones are checked together. */
  const lost = (which: pg.Client, why: HubTrouble) => {
    const both = client
    if (both?.interactive !== which && both?.background !== which) return
    client = undefined
    cut(both.interactive)
    cut(both.background)
    setTrouble(why)
    plan()
  }

  const plan = () => {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => void open(), pauseOf(pauses, faults, Math.random)).unref()
  }

  const open = async () => {
    if (isOpening) return
    isOpening = true
    const made: pg.Client[] = []
    try {
      const to = await address()
      if (!to) throw new HubProblem('secret-missing')
      const background = await connect(to)
      made.push(background)
      const interactive = await connect(to)
      made.push(interactive)
      const query = queryOn(background)
      background.on('notification', ({ payload = '' }) => {
        told(payload)
      })
      const usable = async () => {
        if (await isPooled(background, () => Promise.resolve(interactive))) return 'pooler'
        await Promise.all([limit(background), limit(interactive)])
        if (trouble === 'full') await takeRoom(query)
        const problem = await prepare(query, queryOn(interactive))
        if (!problem) await query({ text: 'LISTEN countertag', row: z.unknown() })
        return problem
      }
      const settled = await settleWithin(usable(), longest)
      if (settled.status === 'rejected') throw settled.reason
      const problem = settled.status === 'timeout' ? 'slow' : settled.value
      if (problem) throw new HubProblem(problem)
      if (isClosed) throw new HubProblem('silent')
      client = { interactive, background }
      faults = 0
      setTrouble(null)
      // What was told while nothing listened.
      heard = new Map()
      for (const topic of newsTopics) told(topic)
      beat()
    } catch (cause) {
      for (const one of made) cut(one)
      faults++
      const why = troubleOf(cause)
      // Once for each trouble, not at each try.
      if (why === 'other' || why !== trouble)
        log.warn('the hub could not be used', { trouble: why, cause: messageOf(cause) })
      setTrouble(why)
      plan()
    } finally {
      isOpening = false
    }
  }

  /** Runs a statement; undefined if there was no usable answer within `ms`. */
  const run = async <Row>(
    on: 'interactive' | 'background',
    statement: Statement<Row>,
    ms: number,
  ): Promise<Row[] | undefined> => {
    const one = client?.[on]
    if (!one) return undefined
    const settled = await settleWithin(queryOn(one)(statement), ms)
    if (settled.status === 'fulfilled') return settled.value
    if (settled.status === 'timeout') {
      lost(one, 'silent')
      return undefined
    }
    const why = troubleOf(settled.reason)
    // A statement that waited too long at the server may be asked again; the connection is sound.
    if (isOfStatement(settled.reason)) log.warn('the hub refused a statement', { cause: messageOf(settled.reason) })
    else lost(one, why)
    return undefined
  }

  /** Tries both connections, and reads what was told: a lost notification is found here. */
  const beat = () => {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      void (async () => {
        const [problem, asked, news] = await Promise.all([
          renew?.() ?? null,
          run(
            'interactive',
            { text: `SELECT current_setting('transaction_read_only') AS only_read`, row: OnlyRead },
            patience,
          ),
          run('background', { text: 'SELECT topic, revision FROM countertag.news', row: News }, longest),
        ])
        if (!client) return
        const why = problem ?? (asked?.[0]?.only_read === 'on' ? 'read-only' : null)
        if (why) {
          lost(client.background, why)
          return
        }
        for (const { topic, revision } of news ?? []) {
          const before = heard.get(topic)
          heard.set(topic, revision)
          if (before !== undefined && before !== revision) told(topic)
        }
        beat()
      })()
    }, heartbeat).unref()
  }

  void open()
  return {
    /** Why the hub can't be worked with; null if it answers. */
    trouble: () => trouble,
    /** For what a person waits for; undefined if there was no answer in time. */
    interactive: <Row>(statement: Statement<Row>) => run('interactive', statement, patience),
    /** For all else; undefined if there was no answer. */
    background: <Row>(statement: Statement<Row>) => run('background', statement, longest),
    onNews(topic: NewsTopic, listener: () => void): () => void {
      listeners.get(topic)?.add(listener)
      return () => void listeners.get(topic)?.delete(listener)
    },
    /** Tries to connect at once: a person asked for it, or the computer woke up. */
    retryNow() {
      if (client || isClosed) return
      clearTimeout(timer)
      faults = 0
      void open()
    },
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      const both = client
      client = undefined
      if (both) await settleWithin(Promise.all([both.interactive.end(), both.background.end()]), 1_000)
      if (both) {
        cut(both.interactive)
        cut(both.background)
      }
    },
  }
}

const News = z.object({ topic: z.string(), revision: z.string() })
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
