import { setTimeout as pause } from 'node:timers/promises'
import type { AppError } from '../../src-shared/errors'
import { type Client, createClient } from '../../src-shared/ipc/client'
import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract'
import type { SlowLine } from '../hub/slow-line'
import type { Entry, Journal } from './journal'
import type { StationProcess } from './process'
import type { StationOrder } from './talk'

export type Said<T> =
  { kind: 'ok'; value: T; entry: Entry } | { kind: 'refused'; error: AppError; entry: Entry } | { kind: 'killed' }

/** A station as the person who stands at it sees it, through restarts. */
export interface Till {
  name: string
  stationId: string
  dataDir: string
  line: SlowLine
  /** A call that is written down. `tagIds`: what it is about. */
  ask<Name extends CallName>(name: Name, input: CallInput<Name>, tagIds?: string[]): Promise<Said<CallOutput<Name>>>
  /** What the station shows; asked again if it is killed meanwhile. */
  look<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
  /** Kills it, and starts it again `downFor` ms later. Resolves when it is up. */
  kill(downFor: number): Promise<void>
  /** Copies its database to a file. */
  copy(to: string): Promise<void>
  /** Ends it in order; its process waits for the next run. Returns the process. */
  close(): Promise<StationProcess>
}

interface TillParts {
  name: string
  order: StationOrder
  line: SlowLine
  journal: Journal
  process: StationProcess
  /** Starts another process, after a kill. */
  another: () => StationProcess
}

export async function openTill({ name, order, line, journal, process: first, another }: TillParts): Promise<Till> {
  let process = first
  const open = () => process.ask({ ask: 'open', order })
  let up: Promise<unknown> = open()
  await up
  const client: Client = createClient({
    invoke: (call, input) => process.ask({ ask: 'call', call, input }),
    subscribe: () => () => undefined,
  })
  let restarting: Promise<void> | undefined
  const restart = async (downFor: number) => {
    journal.note(name, 'killed')
    await process.kill()
    process = another()
    await pause(downFor)
    await open()
    journal.note(name, 'started')
  }

  return {
    name,
    stationId: order.hub.stationId,
    dataDir: order.dataDir,
    line,
    async ask(call, input, tagIds = []) {
      await up
      const entry: Entry = { at: journal.now(), station: name, call, input, tagIds, outcome: 'open' }
      journal.entries.push(entry)
      const answer = await client.call(call, input)
      entry.endedAt = journal.now()
      if (answer.ok) {
        entry.outcome = 'ok'
        return { kind: 'ok', value: answer.value, entry }
      }
      const { error } = answer
      entry.outcome = error.code === 'ipc/disconnected' ? 'unanswered' : 'refused'
      entry.answer = error
      return error.code === 'ipc/disconnected' ? { kind: 'killed' } : { kind: 'refused', error, entry }
    },
    async look(call, input) {
      for (;;) {
        await up
        const answer = await client.call(call, input)
        if (answer.ok) return answer.value
        if (answer.error.code !== 'ipc/disconnected') throw new Error(`${call}: ${JSON.stringify(answer.error)}`)
        // It is being killed, and soon up again.
        await pause(5)
      }
    },
    async kill(downFor) {
      restarting ??= restart(downFor).finally(() => {
        restarting = undefined
      })
      up = restarting
      await restarting
    },
    async copy(to) {
      await up
      await process.ask({ ask: 'copy', to })
    },
    async close() {
      await up
      await process.ask({ ask: 'close' })
      return process
    },
  }
}
