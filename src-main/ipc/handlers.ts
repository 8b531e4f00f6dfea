import type { AppError } from '../../src-shared/errors'
import {
  type CallName,
  type CallOutput,
  type CallRequest,
  type EventName,
  type EventPayload,
  eventTable,
} from '../../src-shared/ipc/contract'
import type { Result } from '../../src-shared/result'

type Handler<Name extends CallName> = (
  input: CallRequest<Name>,
) => Promise<Result<CallOutput<Name>, AppError>> | Result<CallOutput<Name>, AppError>

/** One handler for each call of the contract: a missing one does not compile. */
export type Handlers = { [Name in CallName]: Handler<Name> }

/** The handlers of an area of the contract, the part of a call's name before the dot. A missing one does not compile. */
export type HandlersOf<Area extends string> = Pick<Handlers, Extract<CallName, `${Area}.${string}`>>

/** Calls about the station, not the profile in use. Their handlers stay when another profile is opened. */
export type StationHandlers = HandlersOf<
  'station' | 'profile' | 'join' | 'hosting' | 'security' | 'support' | 'till' | 'update'
>
export type CoreHandlers = Omit<Handlers, keyof StationHandlers>

type AnyListener = (event: EventName, payload: unknown) => void

/** The events that pages get: the station and its core announce them, and the hosts listen and forward them. */
export function createEvents() {
  const listeners = new Set<AnyListener>()
  /** Parses first: what doesn't fit the contract reaches no page. */
  const forward = (event: EventName, payload: unknown) => {
    const parsed = eventTable[event].parse(payload)
    for (const listener of [...listeners]) listener(event, parsed)
  }
  return {
    emit<Name extends EventName>(event: Name, payload: EventPayload<Name>) {
      forward(event, payload)
    },
    forward,
    /** Calls `listener` with every event and its encoded payload until the returned function is called. */
    listen(listener: AnyListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Whether anyone listens: a page is open. */
    isHeard: () => listeners.size > 0,
  }
}

export type Events = ReturnType<typeof createEvents>
