/// <reference path="./undici-parts.d.ts" />
import api from 'undici/lib/api/index.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

/**
 * The parts of undici that are used. Its main file also loads a browser's fetch, caches and mocks: twice the time and
 * memory at every start.
 */
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as errors } from 'undici/lib/core/errors.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js'
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js'
export { default as Socks5ProxyAgent } from 'undici/lib/dispatcher/socks5-proxy-agent.js'

// As the main file does: without it, no dispatcher can make a request, nor a proxy's a tunnel.
Object.assign(Dispatcher.prototype, api)

/** Makes a request by a dispatcher. */
export function request(by: Dispatcher, address: string, options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>) {
  const { origin, pathname, search } = new URL(address)
  return by.request({ ...options, origin, path: pathname + search })
}
