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

/** What is of the station and not of the profile it works with: it outlives the core. */
type StationCall = Extract<
  CallName,
  `${'station' | 'connection' | 'security' | 'support' | 'till' | 'update'}.${string}`
>
export type StationHandlers = Pick<Handlers, StationCall>
export type CoreHandlers = Omit<Handlers, StationCall>

type AnyListener = (event: EventName, payload: unknown) => void

/** Where the core announces, and where the hosts listen to hand it on. */
export function createEvents() {
  const listeners = new Set<AnyListener>()
  return {
    emit<Name extends EventName>(event: Name, payload: EventPayload<Name>) {
      const parsed = eventTable[event].parse(payload)
      for (const listener of [...listeners]) listener(event, parsed)
    },
    /** Calls back with every event, its payload as it goes over the wire, until the returned function is called. */
    listen(listener: AnyListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export type Events = ReturnType<typeof createEvents>
