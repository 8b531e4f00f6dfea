import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import process from 'node:process'
import { getCACertificates } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent, Socks5ProxyAgent, errors } from 'undici'
import { assertNever } from '../../src-shared/result'
import { type ProxyWay, type SystemProxy, direct, nameOf } from './system-proxy'
import { mayTryNextWay } from './transport'

/** The ways by which requests leave this computer. */
export interface Routes {
  /**
   * Makes a request: `attempt` is called with a dispatcher, and with that of the next way for as long as no connection can
   * be made. Rejects as the last attempt did.
   */
  take<T>(url: string, signal: AbortSignal, attempt: (via: Dispatcher) => Promise<T>): Promise<T>
  /** Ends what is on the wire. */
  destroy(): Promise<void>
}

interface RoutesParts extends DispatcherParts {
  /** Where HTTPS_PROXY and NO_PROXY are looked up. A proxy that is named there is used, whatever the system says. */
  environment?: NodeJS.ProcessEnv | undefined
  /** Left out, only the environment names a proxy. */
  systemProxy?: SystemProxy | undefined
}

/** Scripts that spread the load name a few proxies; each keeps connections of its own. */
const mostDispatchers = 8

/** Undefined when the file of certificates can't be used. */
export function createRoutes({ environment = process.env, systemProxy, ...parts }: RoutesParts): Routes | undefined {
  const options = connectionOptions(parts)
  if (!options) return undefined
  const ofEnvironment = dispatcherOfEnvironment(environment, options)
  if (ofEnvironment) {
    return { take: (_url, _signal, attempt) => attempt(ofEnvironment), destroy: () => ofEnvironment.destroy() }
  }
  /** The one that was used last is the last. */
  const opened = new Map<string, Dispatcher>()
  let isDestroyed = false

  const dispatcherOf = (way: ProxyWay): Dispatcher => {
    const name = nameOf(way)
    const dispatcher = opened.get(name) ?? dispatcherBy(way, options)
    opened.delete(name)
    opened.set(name, dispatcher)
    const [oldest] = opened
    if (opened.size > mostDispatchers && oldest) {
      opened.delete(oldest[0])
      // What it has on the wire ends first.
      void oldest[1].close()
    }
    return dispatcher
  }

  /** Tries one way, and those behind it for as long as no connection can be made. */
  const along = async <T>(origin: string, [way = direct, ...others]: ProxyWay[], attempt: Attempt<T>): Promise<T> => {
    // What waited for the system's answer may be late: nothing leaves a station that is closed.
    if (isDestroyed) throw new errors.ClientDestroyedError()
    try {
      return await attempt.by(dispatcherOf(way))
    } catch (cause) {
      if (!mayTryNextWay(cause)) throw cause
      systemProxy?.failed(origin, way)
      // Past its deadline the request has been answered for.
      if (others.length === 0 || attempt.signal.aborted) throw cause
      return along(origin, others, attempt)
    }
  }

  return {
    async take(url, signal, by) {
      const { origin } = new URL(url)
      return along(origin, systemProxy ? await systemProxy.waysTo(origin) : [direct], { by, signal })
    },
    async destroy() {
      isDestroyed = true
      await Promise.all([...opened.values()].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

interface Attempt<T> {
  by: (via: Dispatcher) => Promise<T>
  signal: AbortSignal
}

/** In ms. */
export interface Timeouts {
  connect: number
  headers: number
  body: number
  /** The whole request, from connecting to the last byte; each request sees to it by itself. */
  total?: number
}

interface DispatcherParts {
  timeouts: Timeouts
  /** Certificates that are trusted besides the usual ones; null for none. */
  caFile: string | null
}

/** How connections are made, whichever way they go; undefined when the file of certificates can't be used. */
type ConnectionOptions = NonNullable<ReturnType<typeof connectionOptions>>

function connectionOptions({ timeouts, caFile }: DispatcherParts) {
  const own = caFile === null ? [] : readCaFile(caFile)
  if (!own) return undefined
  const tls = own.length === 0 ? {} : { ca: [...getCACertificates('default'), ...own] }
  return {
    connect: { timeout: timeouts.connect, ...tls, ...checked },
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    // One request a connection at a time: an answer that never comes must not hold up another's.
    pipelining: 1,
    // In bytes; said aloud, so that no start option of Node changes it.
    maxHeaderSize: 16_384,
    // Over HTTP/2 undici shares one connection and sends refused requests again by itself: that is ours to decide.
    allowH2: false,
    connections: 16,
  } as const
}

// Said aloud: left out, NODE_TLS_REJECT_UNAUTHORIZED=0 on a till would let anybody listen to its tokens.
const checked = { rejectUnauthorized: true }

/** By the way that an entry of the system's list names. */
function dispatcherBy(way: ProxyWay, options: ConnectionOptions): Dispatcher {
  switch (way.kind) {
    case 'direct':
      return new Agent(options)
    case 'http':
    case 'https':
      return new ProxyAgent({ ...options, ...proxyOptions(options), uri: way.url })
    case 'socks5':
      return new Socks5ProxyAgent(way.url, { connectTimeout: options.connect.timeout, requestTls: options.connect })
    default:
      return assertNever(way)
  }
}

/** Through the proxy that the environment names; undefined when it names none. */
function dispatcherOfEnvironment(environment: NodeJS.ProcessEnv, options: ConnectionOptions): Dispatcher | undefined {
  const httpsProxy = proxyOf(environment)
  if (httpsProxy === undefined) return undefined
  return new EnvHttpProxyAgent({
    ...options,
    ...proxyOptions(options),
    httpsProxy,
    noProxy: [environment['no_proxy'] ?? environment['NO_PROXY'] ?? '', ...loopback].join(','),
  })
}

const proxyOptions = ({ connect, headersTimeout }: ConnectionOptions) => ({
  connectTimeout: connect.timeout,
  requestTls: connect,
  proxyTls: checked,
  // Left to itself it waits five minutes for a proxy that takes the question and says nothing.
  clientFactory: (origin: URL, more: object) => new Pool(origin, { ...more, headersTimeout }),
})

/** What runs on this computer is asked directly, whatever stands in NO_PROXY. */
const loopback = ['localhost', '127.0.0.1', '[::1]', '::1']

/** The password of the proxy, if it has one, in both forms that a message about it may hold. */
export function secretsOfProxy(environment: NodeJS.ProcessEnv = process.env): string[] {
  const proxy = URL.parse(proxyOf(environment) ?? '')
  if (!proxy || proxy.password === '') return []
  const [user, password] = [proxy.username, proxy.password].map(plainOf)
  return [password ?? '', Buffer.from(`${user}:${password}`).toString('base64')]
}

function plainOf(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Often written without a scheme. An invalid address counts as none. */
function proxyOf(environment: NodeJS.ProcessEnv): string | undefined {
  const named = (environment['https_proxy'] ?? environment['HTTPS_PROXY'] ?? '').trim()
  if (named === '') return undefined
  const url = URL.parse(named.includes('://') ? named : `http://${named}`)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  // Path and query mean nothing to a proxy, and undici takes none.
  return Object.assign(url, { pathname: '', search: '', hash: '' }).href
}

/** In bytes. A list of authorities has a few hundred kB. */
const largest = 4_000_000

const blocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates in a PEM file; undefined when it can't be read, holds none, or holds one that is broken. */
export function readCaFile(file: string): string[] | undefined {
  try {
    const { size } = statSync(file)
    // A folder has a size too; reading it throws.
    if (size === 0 || size > largest) return undefined
    const found = readFileSync(file, 'utf8').match(blocks) ?? []
    for (const block of found) new X509Certificate(block)
    return found.length === 0 ? undefined : [...found]
  } catch {
    return undefined
  }
}
