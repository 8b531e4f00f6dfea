import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { inject } from 'vitest'
import { z } from 'zod'
import { CallAnswer } from '../../../src-shared/ipc/client'
import { type CallInput, type CallName, type CallOutput, callTable } from '../../../src-shared/ipc/contract'

const Said = z.union([
  z.object({ id: z.number(), answer: CallAnswer }),
  z.object({ account: z.string(), secret: z.string().nullable() }),
  z.object({ isOpen: z.literal(true) }),
])

interface KilledStation {
  /** Everything that the station's processes wrote to stdout and stderr. */
  said: () => string
  /** The process now. */
  pid: () => number
  invoke(call: string, input: unknown): Promise<CallAnswer>
  /** The value of a call that must succeed. */
  ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
  start(): Promise<void>
  /** Like a power cut. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** A station in a separate process. Its keychain outlives the process. */
export function killedStation(dataDir: string): KilledStation {
  const entries = new Map<string, string>()
  const waiting = new Map<number, { resolve: (answer: CallAnswer) => void; reject: (reason: Error) => void }>()
  let said = ''
  let child: ChildProcess | undefined
  let calls = 0
  const ended = (one: ChildProcess | undefined) =>
    new Promise<void>((resolve) => {
      if (!one || one.exitCode !== null || one.signalCode !== null) resolve()
      else one.once('exit', () => resolve())
    })
  const invoke = (call: string, input: unknown) =>
    new Promise<CallAnswer>((resolve, reject) => {
      waiting.set(++calls, { resolve, reject })
      child?.send({ do: 'call', id: calls, call, input })
    })

  return {
    said: () => said,
    pid() {
      if (child?.pid === undefined) throw new Error('it is not running')
      return child.pid
    },
    invoke,
    async ask(name, input) {
      const answer = await invoke(name, input)
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
      return callTable[name].output.parse(answer.value)
    },
    start: () =>
      new Promise((resolve, reject) => {
        const started = fork(inject('programs')['killed-child'], [], { execArgv: [], silent: true })
        child = started
        for (const line of [started.stdout, started.stderr]) line?.on('data', (text) => (said += String(text)))
        started.on('message', (message) => {
          const heard = Said.parse(message)
          if ('isOpen' in heard) resolve()
          else if ('id' in heard) waiting.get(heard.id)?.resolve(heard.answer)
          else if (heard.secret === null) entries.delete(heard.account)
          else entries.set(heard.account, heard.secret)
        })
        started.once('exit', () => {
          const ended = new Error(`it ended: ${said}`)
          reject(ended)
          for (const asked of waiting.values()) asked.reject(ended)
        })
        const resourcesDir = join(import.meta.dirname, '../../../resources')
        started.send({ do: 'open', dataDir, resourcesDir, entries: Object.fromEntries(entries) })
      }),
    async kill() {
      child?.kill('SIGKILL')
      await ended(child)
    },
    async close() {
      if (child?.connected) child.send({ do: 'close' })
      await ended(child)
    },
  }
}
