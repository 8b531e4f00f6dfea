import type { AppError } from '../../../src-shared/errors'
import type { Wire } from '../../../src-shared/ipc/client'
import {
  type CallName,
  type EventName,
  type EventPayload,
  callTable,
  eventTable,
  isCallName,
} from '../../../src-shared/ipc/contract'

/** A call from a screen, waiting for the test to answer it. */
export interface Asked {
  call: string
  input: unknown
  /** Answers with a value of the contract. A value that main could not send does not parse and fails the test. */
  answer(value: unknown): Promise<void>
  refuse(error: AppError): Promise<void>
  disconnect(): Promise<void>
}

/** A main process that does nothing by itself: tests answer each call, in any order. */
export function createFakeWire() {
  const asked: Asked[] = []
  const usual = new Map<string, unknown>()
  const listeners = new Map<string, Set<(payload: unknown) => void>>()

  const wire: Wire = {
    invoke(call, input) {
      if (!isCallName(call)) return Promise.reject(new Error(`no such call: ${call}`))
      const parsed = callTable[call].input.parse(input)
      if (usual.has(call)) return Promise.resolve({ ok: true, value: usual.get(call) })
      return new Promise((resolve, reject) => {
        asked.push({
          call,
          input: parsed,
          answer: (value) => settled(() => resolve({ ok: true, value: callTable[call].output.parse(value) })),
          refuse: (error) => settled(() => resolve({ ok: false, error })),
          disconnect: () => settled(() => reject(new Error('gone'))),
        })
      })
    },
    subscribe(event, listener) {
      const ofEvent = listeners.get(event) ?? new Set()
      listeners.set(event, ofEvent.add(listener))
      return () => void ofEvent.delete(listener)
    },
  }

  return {
    wire,
    asked,
    /** The next unanswered call of a name. */
    next(call: CallName): Asked {
      const index = asked.findIndex((one) => one.call === call)
      const [found] = index < 0 ? [] : asked.splice(index, 1)
      if (!found) throw new Error(`${call} was not asked, but ${asked.map((one) => one.call).join(', ') || 'nothing'}`)
      return found
    },
    /** Answers every call of a name at once. */
    always(call: CallName, value: unknown) {
      usual.set(call, callTable[call].output.parse(value))
    },
    /** From now on the test answers the calls of this name itself. */
    never(call: CallName) {
      usual.delete(call)
    },
    async emit<Name extends EventName>(event: Name, payload: EventPayload<Name>) {
      for (const listener of listeners.get(event) ?? []) listener(eventTable[event].parse(payload))
      await turn()
    },
  }
}

export type FakeWire = ReturnType<typeof createFakeWire>

/** Runs everything that waits for an answer. */
export const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

async function settled(answer: () => void) {
  answer()
  await turn()
}
