import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { z } from 'zod'
import { type Client, createClient } from '../../src-shared/ipc/client'
import type { StationOrder } from './station'

/** A station in a separate process: its calls, its memory, and whether it lives. */
export interface Child {
  client: Client
  /** A call as it is sent to the process, including calls that the contract doesn't know. */
  invoke(call: string, input: unknown): Promise<unknown>
  /** Called with every answer. */
  onAnswer(listener: (heard: Heard) => void): void
  /** The highest memory use since the last check, in MB; undefined where the system doesn't report it. */
  memory(): number | undefined
  isAlive(): boolean
  /** The latest text on its error output. */
  said(): string
  /** Closes the station cleanly, or kills it when that takes too long. */
  close(): Promise<void>
  kill(): Promise<void>
}

/** An answer as it arrived. */
interface Heard {
  call: string
  /** Empty if no answer arrived. */
  text: string
  /** How long the station took, in ms. */
  ms: number
  /** The longest time, in ms, that the station only computed since the previous answer. */
  turn: number
}
type TimedAnswer = Pick<Heard, 'ms' | 'turn'> & { answer: string }

const FromStation = z.union([
  z.object({ isReady: z.literal(true) }),
  z.object({ id: z.number(), answer: z.string(), ms: z.number(), turn: z.number() }),
])

/** A call that takes longer counts as unanswered, in ms. */
const longestCall = 60_000
const longestStart = 30_000
const longestClose = 15_000
/** A station that uses more memory, in MB, is killed, because other stations share the computer. */
const mostMemory = 900

export async function startChild(bundle: string, order: StationOrder): Promise<Child> {
  const child = spawn(process.execPath, [bundle, JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const { pid } = child
  const stopTogether = () => child.kill('SIGKILL')
  process.on('exit', stopTogether)
  let said = ''
  child.stderr?.on('data', (data) => {
    said = (said + String(data)).slice(-2_000)
  })
  const guard = setInterval(() => {
    const held = rssOf(pid)
    if (held === undefined || held < mostMemory) return
    said += ` killed by the suite: it held ${held.toFixed(0)} MB`
    child.kill('SIGKILL')
  }, 200)
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      clearInterval(guard)
      process.off('exit', stopTogether)
      resolve()
    })
  })
  const isAlive = () => child.exitCode === null && child.signalCode === null

  const waiting = new Map<number, (told: TimedAnswer) => void>()
  const listeners = new Set<(heard: Heard) => void>()
  let calls = 0
  let ready: (() => void) | undefined
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  child.on('message', (message) => {
    const told = FromStation.parse(message)
    if ('isReady' in told) ready?.()
    else waiting.get(told.id)?.(told)
  })

  const invoke = async (call: string, input: unknown): Promise<unknown> => {
    const id = ++calls
    let timer: NodeJS.Timeout | undefined
    const told = await new Promise<TimedAnswer | undefined>((resolve) => {
      waiting.set(id, resolve)
      timer = setTimeout(() => {
        resolve(undefined)
      }, longestCall)
      void ended.then(() => {
        resolve(undefined)
      })
      // A dying process takes no more calls: `ended` reports its end.
      if (child.connected) child.send({ id, call, input }, () => undefined)
      else resolve(undefined)
    })
    clearTimeout(timer)
    waiting.delete(id)
    const { answer: text, ms, turn } = told ?? { answer: '', ms: longestCall, turn: 0 }
    for (const listener of listeners) listener({ call, text, ms, turn })
    if (told === undefined) throw new Error(`${call} was never answered`)
    return JSON.parse(told.answer)
  }

  const kill = async () => {
    if (isAlive()) child.kill('SIGKILL')
    await ended
  }
  const isStarted = await Promise.race([
    isReady.then(() => true),
    ended.then(() => false),
    new Promise<boolean>((resolve) => {
      setTimeout(() => {
        resolve(false)
      }, longestStart).unref()
    }),
  ])
  if (!isStarted) {
    await kill()
    throw new Error(`a station did not start: ${said}`)
  }
  return {
    client: createClient({ invoke, subscribe: () => () => undefined }),
    invoke,
    onAnswer: (listener) => void listeners.add(listener),
    memory: () => memoryOf(pid),
    isAlive,
    said: () => said,
    async close() {
      const timer = setTimeout(() => child.kill('SIGKILL'), longestClose)
      if (child.connected) child.send({ close: true }, () => undefined)
      await ended
      clearTimeout(timer)
    },
    kill,
  }
}

function rssOf(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
  } catch {
    // The process has just ended.
    return undefined
  }
}

/** Linux keeps the peak memory of each process, and resets it on request. */
function memoryOf(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
  } catch {
    // The process has just ended.
    return undefined
  }
}
