import { z } from 'zod'
import { AppError } from '../errors'
import { type Result, err, ok } from '../result'
import {
  type CallInput,
  type CallName,
  type CallOutput,
  type EventName,
  type EventPayload,
  callTable,
  eventTable,
} from './contract'

/** A host as the renderer sees it; provided by Electron's preload and by the browser host's WebSocket. */
export interface Wire {
  /** Resolves with `{ok: true, value}` or `{ok: false, error}`; rejects only if main can't be reached. */
  invoke(call: string, input: unknown): Promise<unknown>
  /** Subscribes to an event until the returned function is called. */
  subscribe(event: string, listener: (payload: unknown) => void): () => void
}

export interface Client {
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>, AppError>>
  on<Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void): () => void
}

/** Main's answer to a call. */
export const CallAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: AppError }),
])
export type CallAnswer = z.infer<typeof CallAnswer>

/**
 * The typed API over a wire. Never rejects: an unreachable main gives `ipc/disconnected`, an answer of another shape
 * `app/unexpected`.
 */
export function createClient(wire: Wire): Client {
  return {
    async call(name, input) {
      let raw: unknown
      try {
        raw = await wire.invoke(name, input)
      } catch {
        return err({ code: 'ipc/disconnected' })
      }
      const answer = CallAnswer.safeParse(raw)
      if (!answer.success) return err({ code: 'app/unexpected', reference: `answer of ${name}` })
      if (!answer.data.ok) return err(answer.data.error)
      const value = callTable[name].output.safeParse(answer.data.value)
      return value.success ? ok(value.data) : err({ code: 'app/unexpected', reference: `answer of ${name}` })
    },
    on(name, listener) {
      return wire.subscribe(name, (payload) => {
        const parsed = eventTable[name].safeParse(payload)
        // A payload that does not parse comes from a main of another version: ignored, because guessing is riskier.
        if (parsed.success) listener(parsed.data)
      })
    },
  }
}
