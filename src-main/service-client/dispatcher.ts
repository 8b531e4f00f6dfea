import process from 'node:process'
import { getCACertificates } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici'
import { assertNever } from '../../src-shared/result'
import { readCaFile } from './ca-file'
import type { ProxyWay } from './proxy-list'

/** In ms. */
export interface Timeouts {
  connect: number
  headers: number
  body: number
  /** The whole request, from connecting to the last byte; each request sees to it by itself. */
  total?: number
}

export interface DispatcherParts {
  timeouts: Timeouts
  /** Certificates that are trusted besides the usual ones; null for none. */
  caFile: string | null
}

/** How connections are made, whichever way they go; undefined when the file of certificates can't be used. */
export type ConnectionOptions = NonNullable<ReturnType<typeof connectionOptions>>

export function connectionOptions({ timeouts, caFile }: DispatcherParts) {
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
export function dispatcherBy(way: ProxyWay, options: ConnectionOptions): Dispatcher {
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
export function dispatcherOfEnvironment(
  environment: NodeJS.ProcessEnv,
  options: ConnectionOptions,
): Dispatcher | undefined {
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

/** Written without a scheme more often than not; what is no address counts as none. */
function proxyOf(environment: NodeJS.ProcessEnv): string | undefined {
  const named = (environment['https_proxy'] ?? environment['HTTPS_PROXY'] ?? '').trim()
  if (named === '') return undefined
  const url = URL.parse(named.includes('://') ? named : `http://${named}`)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  // Path and query mean nothing to a proxy, and undici takes none.
  return Object.assign(url, { pathname: '', search: '', hash: '' }).href
}
