import { networkInterfaces } from 'node:os'
import { isLoopback } from '../../src-shared/ipc/contract/station'
import { type Log, silentLog } from '../log'
import { withDeadline } from '../async'

/** Asks the operating system, or its proxy script, for the ways to an address: `PROXY a:3128; DIRECT`. */
export type ResolveProxy = (url: string) => Promise<string>

interface SystemProxyParts {
  resolve: ResolveProxy
  log?: Pick<Log, 'info' | 'warn'>
  /** Monotonic clock, in ms. */
  sinceStart?: () => number
  /** Changes when the computer is in another network. */
  network?: () => string
}

/** In ms. */
const rememberedFor = 60_000
const patience = 2_000

/** The ways to the service that the operating system names, remembered for a while. */
export function createSystemProxy(parts: SystemProxyParts) {
  const { resolve, log = silentLog, sinceStart = () => performance.now(), network = addresses } = parts
  const answers = new Map<string, { ways: ProxyWay[]; until: number }>()
  /** Questions that are open; one for each origin. */
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
    // An answer of the network before says nothing about this one.
    if (network === askedIn) remember(origin, ways)
    return ways
  }

  /** A question that is open is joined. One that takes too long is given up; its answer counts when it comes. */
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
    /** Best first, at least one. Never rejects. Takes 2 s at most, then it is the direct way. */
    async waysTo(origin: string): Promise<ProxyWay[]> {
      // Nothing on this computer is asked through a proxy, whatever the system says.
      if (isLoopback(origin)) return [direct]
      forgetOtherNetwork()
      const known = answers.get(origin)
      const ways = known && known.until > sinceStart() ? known.ways : await answerOf(origin)
      failures = failures.filter(({ until }) => until > sinceStart())
      const hasFailed = (way: ProxyWay) => failures.some((failure) => isSameWay(failure.way, way))
      return [...ways.filter((way) => !hasFailed(way)), ...ways.filter(hasFailed)]
    },
    /** No connection could be made on that way: it is tried last for a while, and the system is asked anew. */
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

/** One way to the service, as a proxy script (PAC) names it. */
export type ProxyWay = { kind: 'direct' } | { kind: 'http' | 'https' | 'socks5'; url: string }

export const direct: ProxyWay = { kind: 'direct' }

/** More than any script has; each one that is dead costs the time of a connection. */
const mostWays = 8
const longestList = 4_000

const kinds: Record<string, { kind: 'http' | 'https' | 'socks5'; port: number }> = {
  PROXY: { kind: 'http', port: 80 },
  HTTP: { kind: 'http', port: 80 },
  HTTPS: { kind: 'https', port: 443 },
  SOCKS5: { kind: 'socks5', port: 1080 },
}

/**
 * Reads the list that the operating system or its proxy script gives: `PROXY a:3128; SOCKS5 b:1080; DIRECT`. Pure and
 * total. A list without one usable entry means no proxy, as in Chromium.
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
  return {
    /** In the order in which they are to be tried; at least one. */
    ways:
      ways.length === 0
        ? [direct]
        : ways /** Entries that can't be used: SOCKS4, QUIC, misspelled ones. They are passed over. */,
    unusable,
  }
}

const isSameWay = (one: ProxyWay, other: ProxyWay): boolean => nameOf(one) === nameOf(other)

/** For the log: an entry of a list never holds a password. */
export const nameOf = (way: ProxyWay): string => (way.kind === 'direct' ? 'direct' : way.url)

function wayOf(entry: string): ProxyWay | undefined {
  if (/^DIRECT$/i.test(entry)) return direct
  const [, name = '', host = '', port] = /^(\w+)\s+([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(entry) ?? []
  const known = kinds[name.toUpperCase()]
  if (!known) return undefined
  const url = `${known.kind}://${host}:${port ?? known.port}`
  return URL.canParse(url) ? { kind: known.kind, url } : undefined
}
