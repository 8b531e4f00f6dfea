import process from 'node:process'
import { type Dispatcher, errors } from 'undici'
import { type DispatcherParts, connectionOptions, dispatcherBy, dispatcherOfEnvironment } from './dispatcher'
import { type ProxyWay, direct, nameOf } from './proxy-list'
import type { SystemProxy } from './system-proxy'
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

export interface RoutesParts extends DispatcherParts {
  /** Where HTTPS_PROXY and NO_PROXY are looked up. A proxy that is named there is used, whatever the system says. */
  environment?: NodeJS.ProcessEnv | undefined
  /** Left out, there is no proxy but that of the environment. */
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
