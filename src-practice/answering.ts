import { createAdminApp } from './admin-app'
import type { FaultBook, PracticeAdmin, RequestLog } from './admin'
import { createApp } from './app'
import { faultLayer } from './fault-layer'
import { listenerOf } from './http/adapter'
import type { Parts } from './http/context'

interface Served {
  parts: Parts
  faults: FaultBook
  log: RequestLog
  admin: PracticeAdmin
  /** Ends the waits of simulated faults. */
  closing: AbortSignal
}

/**
 * The service's routes and its admin API as listeners of Node's HTTP servers. Everything that needs hono is behind this
 * file, and `start.ts` loads it with the first request: an app that starts a practice service doesn't wait for it.
 */
export function createListeners({ parts, faults, log, admin, closing }: Served) {
  const app = createApp(parts, faultLayer({ faults, log, now: parts.now, signal: closing }))
  const adminApp = createAdminApp(admin)
  return {
    service: listenerOf((request, env) => app.fetch(request, env)),
    admin: listenerOf((request) => adminApp.fetch(request)),
  }
}

export type Listeners = ReturnType<typeof createListeners>
