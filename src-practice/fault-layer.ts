import { setTimeout as wait } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { assertNever } from '../src-shared/result'
import type { FaultBook, RequestLog } from './admin'
import type { Ctx, Guard } from './http/context'

interface Layer {
  faults: FaultBook
  log: RequestLog
  now: () => Date
  /** Ends the waits when the service closes. */
  signal: AbortSignal
}

/** The outermost layer: applies faults to requests, sets the `Date` header, and logs requests and statuses. */
export function faultLayer({ faults, log, now, signal }: Layer): Guard {
  return async (c, next) => {
    const at = now().toISOString()
    const { method, path } = c.req
    const { waitMs, fault } = faults.meet(method, path)
    const note = (status: number | null) => {
      log.add({ at, method, path, status, fault: fault?.kind ?? null })
    }
    if (waitMs > 0 && !(await waited(waitMs, signal))) return cut(c)
    switch (fault?.kind) {
      case undefined:
        await next()
        break
      case 'status':
        c.res = new Response(null, { status: fault.code, headers: retryAfter(fault.retryAfter) })
        break
      case 'garbage':
        c.res = fault.answer === 'empty' ? new Response(null) : c.html('<!doctype html><title>Sign in</title>')
        break
      case 'stall':
        await next()
        c.res = await stalled(c.res)
        break
      case 'drop':
        if (fault.when === 'after-commit') await next()
        note(null)
        return cut(c)
      default:
        return assertNever(fault)
    }
    note(c.res.status)
    c.res.headers.set('Date', new Date(now().getTime() + faults.dateSkewMs()).toUTCString())
    return undefined
  }
}

const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) }

async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(ms, undefined, { signal })
    return true
  } catch {
    return false
  }
}

/** Closes the connection without an answer. */
function cut(c: Ctx): Response {
  c.env.incoming.socket.destroy()
  c.res = RESPONSE_ALREADY_SENT
  return c.res
}

/** An answer with half of its body: its length is announced and never reached. */
async function stalled(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const headers = new Headers(answer.headers)
  headers.set('Content-Length', String(Math.max(bytes.length, 2)))
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes.length === 0 ? new Uint8Array([32]) : bytes.slice(0, Math.ceil(bytes.length / 2)))
    },
  })
  return new Response(body, { status: answer.status, headers })
}
