import type { Wire } from '../../src-shared/ipc/client'
import { createBrowserWire } from './browser-wire'

/** `starting`: not reached yet; `lost`: it was, and is tried again; `refused`: the link's one use is over. */
export type Reach = 'starting' | 'open' | 'lost' | 'refused'

/** What the page runs in: a line to the core, and whether it is there. */
export interface Host {
  wire: Wire
  /** Calls back at once with what is known, and with every change, until the returned function is called. */
  onReach(listener: (reach: Reach) => void): () => void
}

declare global {
  interface Window {
    /** Put there by Electron's preload, and by nothing else. */
    countertag?: Wire
  }
}

/** Electron's preload where there is one, else a WebSocket to the browser host. */
export function openHost(page: Window): Host {
  const preload = page.countertag
  if (isWire(preload)) {
    return {
      wire: preload,
      onReach(listener) {
        listener('open')
        return () => undefined
      },
    }
  }
  return createBrowserWire({
    pageUrl: page.location.href,
    forgetToken: () => page.history.replaceState(null, '', page.location.pathname),
    fetch: (url, options) => page.fetch(url, options),
    open: (url) => new WebSocket(url),
  })
}

function isWire(value: unknown): value is Wire {
  return (
    typeof value === 'object' &&
    value !== null &&
    'invoke' in value &&
    typeof value.invoke === 'function' &&
    'subscribe' in value &&
    typeof value.subscribe === 'function'
  )
}
