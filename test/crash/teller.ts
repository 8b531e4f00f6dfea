import { setTimeout as pause } from 'node:timers/promises'
import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import type { Intent, Ledger } from './ledger'

/** Makes a person's calls, and writes down each intent and each answer. */
export interface Teller {
  /** The value of a call that puts nothing into the outbox; undefined when refused. */
  ask<Name extends CallName>(n: number, name: Name, input: CallInput<Name>): Promise<CallOutput<Name> | undefined>
  /**
   * A call that changes the outbox, and whose answer is a promise to the person. Resolves when it returns, or after
   * `patience` (ms): then the call continues in the background.
   */
  mean(
    n: number,
    intent: Intent,
    call: () => Promise<Result<OperationView | OperationView[], AppError>>,
    patience: number,
  ): Promise<void>
  /** The same for a call with a different answer; returns its value, or undefined when refused. */
  step<T>(n: number, intent: Intent, call: () => Promise<Result<T, AppError>>): Promise<T | undefined>
  /** Resolves when every call has returned. */
  settled(): Promise<void>
}

export function createTeller(client: Client, ledger: Ledger): Teller {
  const open = new Set<Promise<void>>()
  let calls = 0

  /**
   * The intent is written before the call and the answer after it; if the call never returns, only the first line
   * exists.
   */
  const record = async <T>(
    n: number,
    intent: Intent,
    call: () => Promise<Result<T, AppError>>,
    viewsOf: (value: T) => (OperationView | null)[],
  ): Promise<T | undefined> => {
    const number = ++calls
    ledger.write({ line: 'intends', n, call: number, intent })
    const answer = await call()
    if (!answer.ok) {
      ledger.write({ line: 'refused', n, name: intent.kind, code: answer.error.code, call: number })
      return undefined
    }
    for (const view of viewsOf(answer.value)) ledger.write({ line: 'told', n, call: number, view })
    return answer.value
  }

  return {
    async ask(n, name, input) {
      const answer = await client.call(name, input)
      if (answer.ok) return answer.value
      ledger.write({ line: 'refused', n, name, code: answer.error.code, call: null })
      return undefined
    },
    async mean(n, intent, call, patience) {
      const told = record(n, intent, call, (views) => [views].flat()).then(() => {
        open.delete(told)
      })
      open.add(told)
      await Promise.race([told, pause(patience)])
    },
    step: (n, intent, call) => record(n, intent, call, () => [null]),
    async settled() {
      await Promise.all(open)
    },
  }
}
