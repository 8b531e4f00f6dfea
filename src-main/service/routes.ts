import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import process from 'node:process'
import { getCACertificates } from 'node:tls'
import type { Dispatcher } from 'undici'
import { isLocalFile } from '../../src-shared/local-file'
import { assertNever } from '../../src-shared/result'
import { slicingConnector } from './slices'
import { type ProxyWay, type SystemProxy, direct, nameOf } from './system-proxy'
import { mayTryNextWay } from './transport'
import { Agent, EnvHttpProxyAgent, Pool, ProxyAgent, Socks5ProxyAgent, errors } from './undici'

/** The routes by which requests leave this computer. */
export interface Routes {
  /**
   * Makes a request: calls `attempt` with a dispatcher, and with the next route's dispatcher if no connection can be
   * made. Rejects with the last attempt's error.
   */
  take<T>(url: string, signal: AbortSignal, attempt: (via: Dispatcher) => Promise<T>): Promise<T>
  /** Ends the requests under way. */
  destroy(): Promise<void>
}

interface RoutesParts {
  timeouts: Timeouts
  /** File of certificates trusted in addition to the usual ones; null for none. */
  caFile: string | null
  /** Where HTTPS_PROXY and NO_PROXY are looked up. A proxy named there takes precedence over the system's. */
  environment?: NodeJS.ProcessEnv | undefined
  /** If omitted, only the environment can name a proxy. */
  systemProxy?: SystemProxy | undefined
}

/** Proxy scripts that balance load name a few proxies; each has its own connections. */
const mostDispatchers = 8

/** Undefined if the certificate file can't be used. */
export function createRoutes({ environment = process.env, systemProxy, ...parts }: RoutesParts): Routes | undefined {
  const options = connectionOptions(parts)
  if (!options) return undefined
  const ofEnvironment = dispatcherOfEnvironment(environment, options)
  if (ofEnvironment) {
    return { take: (_url, _signal, attempt) => attempt(ofEnvironment), destroy: () => ofEnvironment.destroy() }
  }
  /** Most recently used last. */
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
      // Closing waits for its requests to end.
      void oldest[1].close()
    }
    return dispatcher
  }

  /** Tries one route, then the following ones until a connection can be made. */
  const along = async <T>(origin: string, [way = direct, ...others]: ProxyWay[], attempt: Attempt<T>): Promise<T> => {
    // The routes may have been closed while the request waited for the system's proxy list.
    if (isDestroyed) throw new errors.ClientDestroyedError()
    try {
      return await attempt.by(dispatcherOf(way))
    } catch (cause) {
      if (!mayTryNextWay(cause)) throw cause
      systemProxy?.failed(origin, way)
      // After its deadline, the request has already been reported as failed.
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
  /** The whole request, from connecting to the last byte. Enforced by each request. */
  total?: number
}

/** The options for connections on every route; undefined if the certificate file can't be used. */
type ConnectionOptions = NonNullable<ReturnType<typeof connectionOptions>>

function connectionOptions({ timeouts, caFile }: RoutesParts) {
  const own = caFile === null ? [] : readCaFile(caFile)
  if (!own) return undefined
  const tls = own.length === 0 ? {} : { ca: [...getCACertificates('default'), ...own] }
  return {
    connect: { timeout: timeouts.connect, ...tls, ...checked },
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    // One request per connection at a time: a missing answer must not delay another request.
    pipelining: 1,
    // In bytes. Set explicitly, so that no Node start option changes it.
    maxHeaderSize: 16_384,
    // Over HTTP/2, undici shares one connection and repeats refused requests by itself; only the app may decide that.
    allowH2: false,
    connections: 16,
  } as const
}

// Set explicitly: otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 on a till would expose its tokens on the network.
const checked = { rejectUnauthorized: true }

/** The dispatcher for an entry of the system's proxy list. */
function dispatcherBy(way: ProxyWay, options: ConnectionOptions): Dispatcher {
  switch (way.kind) {
    case 'direct':
      return new Agent({ ...options, connect: slicingConnector({ ...options.connect, allowH2: options.allowH2 }) })
    case 'http':
    case 'https':
      return new ProxyAgent({ ...options, ...proxyOptions(options), uri: way.url })
    case 'socks5':
      return new Socks5ProxyAgent(way.url, { connectTimeout: options.connect.timeout, requestTls: options.connect })
    default:
      return assertNever(way)
  }
}

/** The dispatcher for the proxy named in the environment; undefined if there is none. */
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
  // undici's default waits five minutes for a proxy that accepts the request and doesn't answer.
  clientFactory: (origin: URL, more: object) => new Pool(origin, { ...more, headersTimeout }),
})

/** Services on this computer are always reached directly, regardless of NO_PROXY. */
const loopback = ['localhost', '127.0.0.1', '[::1]', '::1']

/** The proxy's password, if any, in both forms that may occur in an error message. */
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

/** The address is often written without a scheme. An invalid address counts as none. */
function proxyOf(environment: NodeJS.ProcessEnv): string | undefined {
  const named = (environment['https_proxy'] ?? environment['HTTPS_PROXY'] ?? '').trim()
  if (named === '') return undefined
  const url = URL.parse(named.includes('://') ? named : `http://${named}`)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  // Path and query mean nothing for a proxy, and undici rejects them.
  return Object.assign(url, { pathname: '', search: '', hash: '' }).href
}

/** In bytes. A full list of certificate authorities has a few hundred kB. */
const largest = 4_000_000

const blocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * The certificates in a PEM file; undefined if the file is on another computer, can't be read, has no certificate, or has an
 * invalid one.
 */
export function readCaFile(file: string): string[] | undefined {
  if (!isLocalFile(file)) return undefined
  try {
    const { size } = statSync(file)
    // A folder also has a size; reading it throws.
    if (size === 0 || size > largest) return undefined
    const found = readFileSync(file, 'utf8').match(blocks) ?? []
    for (const block of found) new X509Certificate(block)
    return found.length === 0 ? undefined : [...found]
  } catch {
    return undefined
  }
}
