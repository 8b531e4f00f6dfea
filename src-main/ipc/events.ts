import { type EventName, type EventPayload, eventTable } from '../../src-shared/ipc/contract'

type AnyListener = (event: EventName, payload: unknown) => void

/** Where the core announces, and where the hosts listen to hand it on. */
export interface Events {
  emit<Name extends EventName>(event: Name, payload: EventPayload<Name>): void
  /** Calls back with every event, its payload as it goes over the wire, until the returned function is called. */
  listen(listener: AnyListener): () => void
}

export function createEvents(): Events {
  const listeners = new Set<AnyListener>()
  return {
    emit(event, payload) {
      const parsed = eventTable[event].parse(payload)
      for (const listener of [...listeners]) listener(event, parsed)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
