import process from 'node:process'
import { getCACertificates } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { readCaFile } from './ca-file'

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
  /** Where HTTPS_PROXY and NO_PROXY are looked up. */
  environment?: NodeJS.ProcessEnv
}

/** Through the proxy that the computer names, or without one; undefined when the file of certificates can't be used. */
export function createDispatcher({
  timeouts,
  caFile,
  environment = process.env,
}: DispatcherParts): Dispatcher | undefined {
  const own = caFile === null ? [] : readCaFile(caFile)
  if (!own) return undefined
  const tls = own.length === 0 ? {} : { ca: [...getCACertificates('default'), ...own] }
  // Said aloud: left out, NODE_TLS_REJECT_UNAUTHORIZED=0 on a till would let anybody listen to its tokens.
  const checked = { rejectUnauthorized: true }
  const connect = { timeout: timeouts.connect, ...tls, ...checked }
  const options = {
    connect,
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
  const httpsProxy = proxyOf(environment)
  if (httpsProxy === undefined) return new Agent(options)
  return new EnvHttpProxyAgent({
    ...options,
    httpsProxy,
    noProxy: [environment['no_proxy'] ?? environment['NO_PROXY'] ?? '', ...loopback].join(','),
    connectTimeout: timeouts.connect,
    requestTls: connect,
    proxyTls: checked,
    // Left to itself it waits five minutes for a proxy that takes the question and says nothing.
    clientFactory: (origin, more) => new Pool(origin, { ...more, headersTimeout: timeouts.headers }),
  })
}

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
