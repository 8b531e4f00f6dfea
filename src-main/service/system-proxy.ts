import { networkInterfaces } from 'node:os'
import { isLoopback } from '../../src-shared/ipc/contract/station'
import { type Log, silentLog } from '../core/log'
import { withDeadline } from '../core/async'

/** Asks the operating system, or its proxy script, for the routes to a URL: `PROXY a:3128; DIRECT`. */
export type ResolveProxy = (url: string) => Promise<string>

/** In ms. */
const rememberedFor = 60_000
const patience = 2_000

/** The operating system's routes to the service, cached for a while. */
export function createSystemProxy(parts: {
  resolve: ResolveProxy
  log?: Pick<Log, 'info' | 'warn'>
  /** Monotonic clock, in ms. */
  sinceStart?: () => number
  /** A value that changes when the computer joins another network. */
  network?: () => string
}) {
  const { resolve, log = silentLog, sinceStart = () => performance.now(), network = addresses } = parts
  const answers = new Map<string, { ways: ProxyWay[]; until: number }>()
  /** Pending lookups, one per origin. */
  const questions = new Map<string, Promise<ProxyWay[]>>()
  const logged = new Map<string, string>()
  let failures: { way: ProxyWay; until: number }[] = []
  let askedIn = network()

  const remember = (origin: string, ways: ProxyWay[]) => {
    answers.set(origin, { ways, until: sinceStart() + rememberedFor })
    const names = ways.map(nameOf).join(', ')
    if (logged.get(origin) === names) return
    logged.set(origin, names)
    log.info('ways to the service by the system', { origin, ways: names })
  }

  const ask = async (origin: string): Promise<ProxyWay[]> => {
    const network = askedIn
    let ways = [direct]
    try {
      const list = parseProxyList(await resolve(`${origin}/`))
      if (list.unusable.length > 0) log.warn('proxies that are not supported', { origin, unusable: list.unusable })
      ways = list.ways
    } catch (cause) {
      log.warn('the system names no proxy', { origin, cause })
    }
    // An answer from the previous network says nothing about the current one.
    if (network === askedIn) remember(origin, ways)
    return ways
  }

  /** Joins a pending lookup. Stops waiting if it takes too long; its answer is still remembered when it arrives. */
  const answerOf = (origin: string): Promise<ProxyWay[]> => {
    const open = questions.get(origin)
    if (open) return open
    const inTime = withDeadline(patience, () => ask(origin)).catch(() => undefined)
    const question = inTime.then((ways) => {
      if (questions.get(origin) === question) questions.delete(origin)
      if (ways) return ways
      log.warn('the system does not say which proxy', { origin })
      remember(origin, [direct])
      return [direct]
    })
    questions.set(origin, question)
    return question
  }

  const forgetOtherNetwork = () => {
    const now = network()
    if (now === askedIn) return
    askedIn = now
    answers.clear()
    questions.clear()
    failures = []
  }

  return {
    /** Best first, at least one. Never rejects. Takes at most 2 s, then returns the direct route. */
    async waysTo(origin: string): Promise<ProxyWay[]> {
      // Services on this computer are never reached through a proxy, regardless of the system's settings.
      if (isLoopback(origin)) return [direct]
      forgetOtherNetwork()
      const known = answers.get(origin)
      const ways = known && known.until > sinceStart() ? known.ways : await answerOf(origin)
      failures = failures.filter(({ until }) => until > sinceStart())
      const hasFailed = (way: ProxyWay) => failures.some((failure) => isSameWay(failure.way, way))
      return [...ways.filter((way) => !hasFailed(way)), ...ways.filter(hasFailed)]
    },
    /** No connection could be made on that route: it is tried last for a while, and the system is asked again. */
    failed(origin: string, way: ProxyWay) {
      answers.delete(origin)
      failures = failures.filter((failure) => !isSameWay(failure.way, way))
      failures.push({ way, until: sinceStart() + rememberedFor })
    },
  }
}

export type SystemProxy = ReturnType<typeof createSystemProxy>

const addresses = () =>
  Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .map(({ cidr }) => cidr)
    .sort()
    .join(' ')

/** One route to the service, as named by a proxy script (PAC). */
export type ProxyWay = { kind: 'direct' } | { kind: 'http' | 'https' | 'socks5'; url: string }

export const direct: ProxyWay = { kind: 'direct' }

/** More than any script names; each dead route costs the time of a connection attempt. */
const mostWays = 8
const longestList = 4_000

const kinds: Record<string, { kind: 'http' | 'https' | 'socks5'; port: number }> = {
  PROXY: { kind: 'http', port: 80 },
  HTTP: { kind: 'http', port: 80 },
  HTTPS: { kind: 'https', port: 443 },
  SOCKS5: { kind: 'socks5', port: 1080 },
}

/**
 * Parses the list from the operating system or its proxy script: `PROXY a:3128; SOCKS5 b:1080; DIRECT`. Pure and total. A
 * list without a usable entry means no proxy, as in Chromium. `ways`: in the order to try them, at least one. `unusable`:
 * entries that are skipped (SOCKS4, QUIC, misspelled ones).
 */
export function parseProxyList(text: string) {
  const entries = text.slice(0, longestList).split(';')
  const ways: ProxyWay[] = []
  const unusable: string[] = []
  for (const entry of entries.map((one) => one.trim()).filter((one) => one !== '')) {
    const way = wayOf(entry)
    if (!way) unusable.push(entry.slice(0, 100))
    else if (ways.length < mostWays && !ways.some((known) => isSameWay(known, way))) ways.push(way)
  }
  return { ways: ways.length === 0 ? [direct] : ways, unusable }
}

const isSameWay = (one: ProxyWay, other: ProxyWay): boolean => nameOf(one) === nameOf(other)

/** For the log; entries of a proxy list never hold a password. */
export const nameOf = (way: ProxyWay): string => (way.kind === 'direct' ? 'direct' : way.url)

function wayOf(entry: string): ProxyWay | undefined {
  if (/^DIRECT$/i.test(entry)) return direct
  const [, name = '', host = '', port] = /^(\w+)\s+([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(entry) ?? []
  const known = kinds[name.toUpperCase()]
  if (!known) return undefined
  const url = `${known.kind}://${host}:${port ?? known.port}`
  return URL.canParse(url) ? { kind: known.kind, url } : undefined
}
